import { describe, expect, it } from 'vitest';
import type { MemberStateHealth } from '../../src/vat-check/look-up/check-metrics.ts';
import { revokeKey } from '../../src/access/authentication/key-changes.ts';
import { addCaller } from '../api/support/caller.ts';
import { ManualTimers } from '../support/manual-timers.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { failToQuery } from './support/failing-query.ts';
import { postCheck } from './support/stored-checks-api.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';

const at = '2026-11-20T16:00:00.000Z';

type ViesStatus = {
  readonly breaker: string;
  readonly memberStates: Readonly<Record<string, MemberStateHealth & { readonly breaker: string }>>;
};

async function statusOf(service: TestService): Promise<ViesStatus> {
  const { text } = await service.sendToOps('/status');
  return (JSON.parse(text) as { upstreams: { vies: ViesStatus } }).upstreams.vies;
}

async function samplesOf(service: TestService, metric: string): Promise<readonly string[]> {
  const { text } = await service.sendToOps('/metrics');
  return text.split('\n').filter((line) => line.startsWith(metric));
}

describe('/status about VAT checks (operator.md)', () => {
  it('has the availability of each Member State, by registry code', async () => {
    const service = await startService({ at });
    setMemberState(service.scenario, 'DE', 'down');
    setMemberState(service.scenario, 'FR', 'throttled', { times: 1 });

    await service.get('/vatcheck/GR/999999901');
    await service.get('/vatcheck/DE/999999901');
    await service.get('/vatcheck/DE/999999901');
    await service.get('/vatcheck/FR/00999999901');
    await service.get('/vatcheck/FR/00999999901');
    await service.get('/vatcheck/AT/201');

    const nothing = { lastAnswerAt: null, lastFailureAt: null, lastFailure: null, failures: 0 };
    const { memberStates } = await statusOf(service);
    expect(Object.keys(memberStates)).toEqual(['AT', 'DE', 'EL', 'FR']);
    expect(memberStates).toEqual({
      AT: { ...nothing, lastAnswerAt: at, breaker: 'closed' },
      DE: {
        ...nothing,
        lastFailureAt: at,
        lastFailure: 'memberStateUnavailable_down',
        failures: 2,
        breaker: 'closed',
      },
      EL: { ...nothing, lastAnswerAt: at, breaker: 'closed' },
      FR: {
        ...nothing,
        lastAnswerAt: at,
        lastFailureAt: at,
        lastFailure: 'memberStateUnavailable_throttled',
        breaker: 'closed',
      },
    });
  });
});

describe('/metrics about VAT checks (operator.md)', () => {
  it('counts checks by Member State and outcome, and times those that were not cached', async () => {
    const timers = new ManualTimers();
    const service = await startService({ timers });
    setMemberState(service.scenario, 'BE', 'hang');
    setMemberState(service.scenario, 'BG', 'html');

    await service.get('/vatcheck/GR/999999901');
    await service.get('/vatcheck/EL/999999901');
    for (const vat of ['200', '201', '202', '300', '301', '302', '400', '401', '601']) {
      await service.get(`/vatcheck/AT/${vat}`);
    }
    await failToQuery(service, timers, '/vatcheck/BE/99');
    await service.get('/vatcheck/BG/99');
    await service.get('/vatcheck/GB/99');

    expect([...(await samplesOf(service, 'vatfx_vat_checks_total'))].sort()).toEqual([
      'vatfx_vat_checks_total{member_state="AT",outcome="failed_blocked"} 1',
      'vatfx_vat_checks_total{member_state="AT",outcome="failed_numberBlocked"} 1',
      'vatfx_vat_checks_total{member_state="AT",outcome="failed_unknownCode"} 1',
      'vatfx_vat_checks_total{member_state="AT",outcome="memberStateUnavailable_down"} 1',
      'vatfx_vat_checks_total{member_state="AT",outcome="memberStateUnavailable_throttled"} 1',
      'vatfx_vat_checks_total{member_state="AT",outcome="not_on_file"} 1',
      'vatfx_vat_checks_total{member_state="AT",outcome="rejected"} 1',
      'vatfx_vat_checks_total{member_state="AT",outcome="serviceUnavailable_down"} 1',
      'vatfx_vat_checks_total{member_state="AT",outcome="timedOut"} 1',
      'vatfx_vat_checks_total{member_state="BE",outcome="timedOut"} 1',
      'vatfx_vat_checks_total{member_state="BG",outcome="failed_webPage"} 1',
      'vatfx_vat_checks_total{member_state="EL",outcome="cached"} 1',
      'vatfx_vat_checks_total{member_state="EL",outcome="valid"} 1',
    ]);
    expect(await samplesOf(service, 'vatfx_vat_check_duration_seconds_count')).toEqual(
      expect.arrayContaining([
        'vatfx_vat_check_duration_seconds_count{member_state="AT"} 9',
        'vatfx_vat_check_duration_seconds_count{member_state="EL"} 1',
      ]),
    );
  });

  it('counts stored checks that wait for over a day, and those that expire while their key works', async () => {
    const service = await startService({ at });
    const down = { countryCode: 'IE', vatNumber: '301' };
    const ended = await addCaller(service);
    await postCheck(service, down);
    await postCheck(service, { ...down, expiresInHours: 1 });
    await postCheck(ended, down);
    await revokeKey(service.core.db, ended.id, { at });

    await service.liveAt('2026-11-21T16:00:00.001Z');
    service.startJobs();
    const expired = async () =>
      service.core.db
        .selectFrom('vat_checks')
        .selectAll()
        .where('status', '=', 'expired')
        .execute();
    await expect.poll(async () => (await expired()).length).toBe(2);

    expect(await samplesOf(service, 'vatfx_stored_checks')).toEqual([
      'vatfx_stored_checks_waiting{member_state="IE"} 1',
      'vatfx_stored_checks_late 1',
      'vatfx_stored_checks_expired_total 1',
    ]);
  });
});
