import { describe, expect, it } from 'vitest';
import { findNginx, findPostgresql, findRedis, isCi } from './programs.ts';

// On a laptop what is not installed is skipped, here in sight; where everything is checked it has to be there.
describe.each([
  ['PostgreSQL', 'no suite runs on it', findPostgresql],
  ['redis-server', 'no suite about it runs', findRedis],
  ['nginx', 'no suite behind it runs', findNginx],
])('%s', (_, otherwise, find) => {
  it.skipIf(!isCi && find() === undefined)(`is installed; else ${otherwise}`, () => {
    expect(find()).toBeDefined();
  });
});
