import { describe, expect, it } from 'vitest';
import { findNginx, findPostgresql, findProgram, findRedis, findSquid, isCi } from './programs.ts';

// On a laptop suites of missing programs are skipped, which shows here; in CI a missing program is a failure.
describe.each([
  ['PostgreSQL', 'no suite runs on it', findPostgresql],
  ['redis-server', 'no suite about it runs', findRedis],
  ['nginx', 'no suite behind it runs', findNginx],
  ['squid', 'no suite about proxies runs', findSquid],
  ['python3', 'no sample in Python runs', () => findProgram('python3')],
  ['php', 'no sample in PHP runs', () => findProgram('php')],
])('%s', (_, otherwise, find) => {
  it.skipIf(!isCi && find() === undefined)(`is installed; else ${otherwise}`, () => {
    expect(find()).toBeDefined();
  });
});
