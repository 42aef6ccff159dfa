import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registryNames } from '../../src/platform/config/registry-names.ts';
import { Secret } from '../../src/platform/config/secret.ts';
import { bankNames } from '../../src/platform/publication/data-set-kinds.ts';
import { simulators } from '../../src/sandbox/simulators.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { postCheck } from '../vat-check/support/stored-checks-api.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly version: string;
};
const contact = 'mailto:ops@shop.example';
const registries = {
  registries: registryNames,
  requesters: 'DE123456789',
  hmrcClientId: 'app',
  hmrcClientSecret: new Secret('s3cret', '(set)'),
  hmrcControl: '948561936944',
};

describe.skipIf(isPostgresql)('the User-Agent of requests to upstreams (contract C34)', () => {
  it.each([
    ['the version', '', `vatfx/${version}`],
    ['the version and CONTACT', contact, `vatfx/${version} (${contact})`],
  ])('is %s, for each upstream', async (_, given, expected) => {
    const service = await startService({
      config: { contact: given, fxBanks: bankNames, ...registries },
      lived: ['2026-11-20T16:00:00Z'],
    });

    await service.get('/vatcheck/AT/U99999901');
    await service.get('/vatcheck/GB/553557881');
    await postCheck(service, { countryCode: 'AT', vatNumber: 'U99999901', registry: 'bzst' });

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
