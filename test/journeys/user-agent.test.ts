import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runDoctor, startAllUpstreams } from '../cli/support/run-doctor.ts';
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
  ])('is %s, for TEDB, the ECB and VIES', async (_, given, expected) => {
    const service = await startService({
      config: { contact: given },
      lived: ['2026-11-20T16:00:00Z'],
    });

    await service.get('/vatcheck/AT/U99999901');

    expect(userAgents(service.sandbox.requests.all)).toEqual([
      `ecb ${expected}`,
      `tedb ${expected}`,
      `vies ${expected}`,
    ]);
  });

  it('is the same for the probes of doctor', async () => {
    const { env, sandbox } = await startAllUpstreams();

    await runDoctor({ ...env, CONTACT: contact });

    expect(userAgents(sandbox.requests.all)).toEqual(
      ['ecb', 'tedb', 'vies'].map((upstream) => `${upstream} vatfx/${version} (${contact})`),
    );
  });
});

function userAgents(
  requests: readonly { readonly upstream: string; readonly userAgent: string }[],
): readonly string[] {
  const all = requests.map(({ upstream, userAgent }) => `${upstream} ${userAgent}`);
  return [...new Set(all)].toSorted();
}
