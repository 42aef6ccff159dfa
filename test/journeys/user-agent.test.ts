import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bankNames } from '../../src/platform/publication/data-set-kinds.ts';
import { simulators } from '../../src/sandbox/simulators.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql } from '../support/temporary-database.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
};
const contact = 'mailto:ops@shop.example';

describe.skipIf(isPostgresql)('the User-Agent of requests to upstreams (contract C34)', () => {
  it.each([
    ['the version', '', `vatfx/${version}`],
    ['the version and CONTACT', contact, `vatfx/${version} (${contact})`],
  ])('is %s, for each upstream', async (_, given, expected) => {
    const service = await startService({
      config: { contact: given, fxBanks: bankNames },
      lived: ['2026-11-20T16:00:00Z'],
    });

    await service.get('/vatcheck/AT/U99999901');

    expect(userAgents(service.sandbox.requests.all)).toEqual(ofAllUpstreams(expected));
  });
});

/** A User-Agent as `userAgents` lists it if every upstream received it. */
function ofAllUpstreams(userAgent: string): readonly string[] {
  return simulators.map(({ name }) => `${name} ${userAgent}`).toSorted();
}

function userAgents(
  requests: readonly { readonly upstream: string; readonly userAgent: string }[],
): readonly string[] {
  const all = requests.map(({ upstream, userAgent }) => `${upstream} ${userAgent}`);
  return [...new Set(all)].toSorted();
}
