import { describe, expect, it } from 'vitest';
import { listAudit } from '../../src/platform/database/audit.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { settingsBeside } from '../cli/support/key-commands.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { setViesFault } from '../support/sandbox/scripts.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { austrian, getCheck, postCheck, sendToChecks } from './support/stored-checks-api.ts';

const requester = { countryCode: 'NL', vatNumber: '999999901B01' } as const;
const waitSeconds = 5;

/** A service behind whose VIES a firewall refuses `<script>`. */
async function startBehindFirewall(
  answer: 'forbidden-403' | 'html',
  viesRequester = '',
): Promise<TestService> {
  const service = await startService({ config: { viesRequester } });
  service.scenario.apply({ vies: { firewall: { text: '<script>', answer } } });
  return service;
}

/** The numbers that VIES was asked for, in their order. */
function askedOf(service: TestService): readonly (string | undefined)[] {
  return service.sandbox.requests.of('vies').map(({ vatNumber }) => vatNumber);
}

async function attemptAfter(service: TestService, minutes: number): Promise<void> {
  service.passTime(minutes * 60_000);
  await service.attemptDueChecks();
}

describe("a trader's text that the registry's firewall refuses (rule K21a)", () => {
  it.each(['forbidden-403', 'html'] as const)(
    'with %s ends its own check after three attempts, and no other call is refused',
    async (answer) => {
      const service = await startBehindFirewall(answer);
      const bad = { ...austrian, trader: { name: '<script>' }, waitSeconds };
      const posted = await Promise.all([1, 2, 3].map(async () => postCheck(service, bad)));
      expect(posted.map(({ check }) => check.status)).toEqual(['pending', 'pending', 'pending']);

      expect((await service.get('/vatcheck/DE/999999901')).status).toBe(200);
      const good = { ...austrian, trader: { name: 'Beispiel & Co' }, waitSeconds };
      expect((await postCheck(service, good)).check.status).toBe('answered');
      for (const minutes of [2, 2, 2, 6, 2, 2]) await attemptAfter(service, minutes);

      const { check } = posted[0]!;
      expect(await getCheck(service, check.id)).toMatchObject({
        status: 'rejected',
        error: 'INVALID_INPUT',
        hint: "the registry's firewall refuses the trader's text",
        valid: null,
        attempts: 3,
      });
      const { text } = await service.get('/status');
      expect(JSON.parse(text).registry).toMatchObject({ blockedUntil: null });
      const evidence = await sendToChecks(service, 'GET', `/${check.id}/evidence`);
      expect(await verifyEvidence(Buffer.from(evidence.text))).toMatchObject({ faults: [] });
    },
  );

  it.each([
    ["the operator's own number", 'NL999999901B01', '999999901B01'],
    ['the newest number that was answered', 'EU372041333', '999999901'],
  ])('is judged by a question about %s', async (_, viesRequester, number) => {
    const service = await startBehindFirewall('forbidden-403', viesRequester);
    await service.get('/vatcheck/DE/999999901');

    await postCheck(service, { ...austrian, requester, trader: { name: '<script>' }, waitSeconds });

    expect(askedOf(service)).toEqual(['999999901', 'U99999901', number]);
  });

  it('is judged by the question of doctor if no number is known, as after checks forget', async () => {
    const service = await startBehindFirewall('forbidden-403');
    await service.get('/vatcheck/DE/999999901');

    const forget = ['checks', 'forget', '--vat-number', 'DE999999901'];
    expect((await runCommand(forget, settingsBeside(service))).code).toBe(0);
    await service.core.watch.poll();
    await postCheck(service, { ...austrian, trader: { name: '<script>' }, waitSeconds });

    expect(askedOf(service)).toEqual(['999999901', 'U99999901', '100']);
  });
});

describe('checks unblock (rule K21a)', () => {
  it('ends the block of a running server, and is audited', async () => {
    const service = await startService();
    setViesFault(service.scenario, 'forbidden-403');
    for (const state of ['AT', 'BE', 'BG', 'FR']) await service.get(`/vatcheck/${state}/1001`);
    setViesFault(service.scenario, 'none');
    expect((await service.get('/vatcheck/DE/999999901')).status).toBe(503);
    const env = settingsBeside(service);

    const { code, stdout } = await runCommand(['checks', 'unblock', '--reason', 'loop ended'], env);

    expect([code, stdout]).toEqual([
      0,
      'Ended the block by VIES until 2026-11-20T16:01:00.000Z (HTTP 403). If VIES still refuses this service, three ' +
        'refusals begin the next block.\n',
    ]);
    await service.core.watch.poll();
    expect((await service.get('/vatcheck/DE/999999901')).status).toBe(200);
    expect(await listAudit(service.core.db, 1)).toMatchObject([
      { action: 'checks.unblock', detail: { reason: 'HTTP 403' }, reason: 'loop ended' },
    ]);
    const none = { ended: false, reason: null, blockedUntil: null };
    expect(await runForJson(['checks', 'unblock'], env)).toEqual(none);
  });
});
