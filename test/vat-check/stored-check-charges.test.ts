import { describe, expect, it } from 'vitest';
import { addCaller, usedBy } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';
import { shareService, startService } from '../support/start-service.ts';
import { austrian, getCheck, postCheck, sendToChecks } from './support/stored-checks-api.ts';

describe('the charge of a stored check (rule K10)', () => {
  const service = shareService();

  it('is one request for a check that is queried, and none against the quota for all others', async () => {
    const caller = await addCaller(service());
    const headers = { 'idempotency-key': '1' };
    const { check } = await postCheck(caller, austrian, headers);
    expect(await usedBy(caller)).toEqual([1, 1]);

    await postCheck(caller, austrian, headers);
    await postCheck(caller, { ...austrian, maxAgeSeconds: 60 });
    await postCheck(caller, { ...austrian, reference: 'r' }, headers);
    await getCheck(caller, check.id);
    for (const path of ['', '.csv', '/vc_1']) await sendToChecks(caller, 'GET', path);
    await sendToChecks(caller, 'DELETE', `/${check.id}`);

    expect(await usedBy(caller)).toEqual([9, 1]);
  });

  it('is one for requests with the same idempotency key at the same time', async () => {
    const caller = await addCaller(service());
    const headers = { 'idempotency-key': '1' };

    const sent = Array.from({ length: 10 }, async () => postCheck(caller, austrian, headers));
    const statuses = (await Promise.all(sent)).map(({ answer }) => answer.status);

    expect(statuses.toSorted((a, b) => a - b)).toEqual([...Array<number>(9).fill(200), 201]);
    expect(await usedBy(caller)).toEqual([10, 1]);
  });

  it('is refused with 429 before anything is stored, and reads go on', async () => {
    const caller = await addCaller(service(), { quota: 1 });
    const { check } = await postCheck(caller);
    const headers = { 'idempotency-key': '1' };

    const { answer } = await postCheck(caller, austrian, headers);
    const reused = await postCheck(caller, { ...austrian, maxAgeSeconds: 60 });

    expect(formOf(answer)).toEqual(errorForm(429, 'QUOTA_EXCEEDED'));
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(reused.check).toEqual(check);
    const { db } = service().core;
    for (const table of ['vat_checks', 'vat_check_idempotency'] as const) {
      const rows = await db.selectFrom(table).select('key_id').execute();
      const own = rows.filter(({ key_id }) => key_id === caller.id);
      expect([table, own.length]).toEqual([table, table === 'vat_checks' ? 1 : 0]);
    }
  });

  it('is refused with 429 by the rate limit, reads included', async () => {
    const caller = await addCaller(service(), { rateLimit: 1 });
    await sendToChecks(caller, 'GET');

    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { body: austrian } : {};
      const answer = await sendToChecks(caller, method, '', body);
      expect(formOf(answer)).toEqual(errorForm(429, 'RATE_LIMITED'));
    }
  });

  it('is one regardless of the attempts', async () => {
    const live = await startService();
    const caller = await addCaller(live);
    setMemberState(live.scenario, 'AT', 'down');
    const { check } = await postCheck(caller);
    live.startJobs();
    setMemberState(live.scenario, 'AT', 'up');
    await live.liveAt('2026-11-20T16:02:00Z');

    const ended = await getCheck(caller, check.id, '?waitSeconds=10');

    expect([ended.status, ended.attempts]).toEqual(['answered', 2]);
    expect((await usedBy(caller))[1]).toBe(1);
  });
});
