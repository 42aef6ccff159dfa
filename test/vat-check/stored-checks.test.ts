import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';
import { shareService, startService } from '../support/start-service.ts';
import { print, RawRegistry } from './support/raw-registry.ts';
import {
  austrian,
  getCheck,
  postCheck,
  requester,
  sendToChecks,
} from './support/stored-checks-api.ts';
import { answerText } from './support/vies-texts.ts';
import { patienceMs } from '../support/eventually.ts';

const german = { countryCode: 'DE', vatNumber: '999999901' };

describe('POST /vatchecks (rules K4 to K7)', () => {
  const service = shareService();

  it('is 201 with the answer, and the check can be read at its Location', async () => {
    const { answer, check } = await postCheck(service());

    expect(answer.status).toBe(201);
    expect(answer.headers).toMatchObject({
      location: `/vatchecks/${check.id}`,
      'cache-control': 'private, no-store',
    });
    expect(check).toEqual({
      id: expect.stringMatching(/^vc_[0-9a-f]{32}$/),
      status: 'answered',
      ...austrian,
      requestDate: '2026-11-20+01:00',
      valid: true,
      name: expect.any(String),
      address: expect.any(String),
      consultationNumber: null,
      requester: null,
      trader: null,
      traderMatch: null,
      registry: 'vies',
      queriedNumber: 'ATU99999901',
      hint: 'check digit: expected 2',
      reference: null,
      error: null,
      attempts: 1,
      batchId: null,
      createdAt: '2026-11-20T16:00:00.000Z',
      answeredAt: '2026-11-20T16:00:00.000Z',
      nextAttemptAt: null,
      expiresAt: null,
      validFrom: null,
      validTo: null,
    });
    expect(await getCheck(service(), check.id)).toEqual(check);
  });

  it('has a consultation number with a requester, and matches of the fields that were sent', async () => {
    const { check } = await postCheck(service(), {
      countryCode: 'gr',
      vatNumber: 'EL 99999901',
      requester: { countryCode: 'EL', vatNumber: '999999902' },
      trader: { name: ' X ', city: '' },
      reference: 'cust_1001',
    });

    expect(check).toMatchObject({
      countryCode: 'gr',
      vatNumber: 'EL 99999901',
      requester: { countryCode: 'GR', vatNumber: '999999902' },
      consultationNumber: expect.stringMatching(/^WAPI/),
      trader: { name: 'X', street: null, postcode: null, city: null, companyType: null },
      traderMatch: { street: null, postcode: null, city: null, companyType: null },
      reference: 'cust_1001',
    });
    expect(check.traderMatch?.name).toMatch(/^(valid|invalid|not processed)$/);
  });

  it.each([
    [201, 'rejected', 'INVALID_INPUT', 'AT', '201'],
    [202, 'pending', 'MS_UNAVAILABLE', 'AT', '301'],
    [202, 'pending', 'SERVICE_UNAVAILABLE', 'AT', '300'],
    [202, 'pending', 'TIMEOUT', 'AT', '302'],
    [202, 'pending', 'the registry answered with an unknown code', 'AT', '202'],
  ])('is %i for a check that is %s: %s', async (status, state, error, countryCode, vatNumber) => {
    const { answer, check } = await postCheck(service(), { countryCode, vatNumber });

    expect(answer.status).toBe(status);
    expect(check).toMatchObject({
      status: state,
      error,
      attempts: 1,
      valid: null,
      name: null,
      address: null,
      requestDate: null,
      consultationNumber: null,
      traderMatch: null,
    });
    // The next attempt is after 1 minute, give or take a tenth.
    const isMinute = /^(5[4-9]|6[0-6])$/.test(String(answer.headers['retry-after']));
    expect(isMinute).toBe(status === 202);
    expect(check.expiresAt).toBe(status === 202 ? '2026-11-23T16:00:00.000Z' : null);
  });

  it('leaves a check without waitSeconds to the worker', async () => {
    const before = service().sandbox.requests.vies.calls();
    const { answer, check } = await postCheck(service(), { ...austrian, waitSeconds: 0 });

    expect([answer.status, check.status, check.attempts]).toEqual([202, 'pending', 0]);
    expect(answer.headers['retry-after']).toBe('1');
    expect(service().sandbox.requests.vies.calls()).toBe(before);
  });

  it('returns the same check for the same Idempotency-Key, and 409 for another body', async () => {
    const headers = { 'idempotency-key': 'order 1' };
    const [one, other] = await Promise.all([
      postCheck(service(), austrian, headers),
      postCheck(service(), { vatNumber: 'U99999901', countryCode: 'AT' }, headers),
    ]);
    const changed = await postCheck(service(), { ...austrian, waitSeconds: 3 }, headers);
    const ofOther = await postCheck(await addCaller(service()), austrian, headers);

    expect(new Set([one.answer.status, other.answer.status])).toEqual(new Set([200, 201]));
    expect(other.check).toEqual(one.check);
    expect(formOf(changed.answer)).toEqual(errorForm(409, 'idempotency key reused'));
    expect(ofOther.answer.status).toBe(201);
    expect(ofOther.check.id).not.toBe(one.check.id);
  });

  it('returns an answer that is recent enough, with its own echo, to the same key only', async () => {
    const caller = await addCaller(service());
    const first = await postCheck(caller, austrian);
    const wanted = { countryCode: 'at', vatNumber: 'atu 99999901', maxAgeSeconds: 60 };

    const reused = await postCheck(caller, wanted);
    const ofOther = await postCheck(await addCaller(service()), wanted);
    const forOther = await postCheck(caller, { ...wanted, requester });

    expect([reused.answer.status, reused.check]).toEqual([200, first.check]);
    expect(reused.answer.headers['location']).toBe(`/vatchecks/${first.check.id}`);
    for (const { answer, check } of [ofOther, forOther]) {
      expect(answer.status).toBe(201);
      expect(check.id).not.toBe(first.check.id);
    }
  });

  it('never answers a check of /vatcheck from another one, nor a stored check from its cache', async () => {
    await service().get('/vatcheck/DE/999999901');
    const before = service().sandbox.requests.vies.calls();

    const { check } = await postCheck(service(), { ...german, requester });

    expect(check.consultationNumber).toMatch(/^WAPI/);
    expect(service().sandbox.requests.vies.calls()).toBe(before + 1);
  });
});

describe('GET /vatchecks/<id> (rule K11)', () => {
  const service = shareService();

  it.each([`vc_${'0'.repeat(32)}`, 'vc_1', 'x', '%00', "vc_1'or'1"])(
    'is 404 for %s',
    async (id) => {
      expect(formOf(await sendToChecks(service(), 'GET', `/${id}`))).toEqual(
        errorForm(404, 'not found'),
      );
    },
  );

  it('is 404 for a check of another key', async () => {
    const { check } = await postCheck(service());
    const other = await addCaller(service());

    expect((await sendToChecks(other, 'GET', `/${check.id}`)).status).toBe(404);
  });

  it.each(['', '-1', '11', '1.5', 'x', '1&waitSeconds=1'])(
    'is 400 for waitSeconds=%s',
    async (value) => {
      const { check } = await postCheck(service());

      const answer = await sendToChecks(service(), 'GET', `/${check.id}?waitSeconds=${value}`);

      expect(formOf(answer)).toEqual(
        errorForm(400, "invalid 'waitSeconds' — expected a whole number from 0 to 10"),
      );
    },
  );

  it('waits for the end of a pending check, which the worker answers after the outage', async () => {
    const live = await startService();
    setMemberState(live.scenario, 'DE', 'down');
    const { check } = await postCheck(live, german);
    expect(check.status).toBe('pending');
    setMemberState(live.scenario, 'DE', 'up');
    live.startJobs();

    const waiting = getCheck(live, check.id, '?waitSeconds=10');
    await live.liveAt('2026-11-20T16:02:00Z');

    expect(await waiting).toMatchObject({ status: 'answered', valid: true, attempts: 2 });
  });
});

describe('a check whose caller waits no longer', () => {
  it('is answered by the attempt that goes on, and a stop waits for that', async () => {
    const held: Socket[] = [];
    const registry = await RawRegistry.start((socket) => void held.push(socket));
    onTestFinished(async () => registry[Symbol.asyncDispose]());
    const service = await startService({ config: { viesUrl: registry.url } });

    const { answer, check } = await postCheck(service, { ...austrian, waitSeconds: 1 });
    expect([answer.status, check.status]).toEqual([202, 'pending']);
    const { apiUrl } = service;
    const stopping = service.stop();
    await vi.waitFor(async () => expect(fetch(apiUrl)).rejects.toThrow('fetch failed'), patienceMs);
    // The API is closed, and only the attempt is left.
    await wait(500);
    expect(held).toHaveLength(1);
    held[0]?.end(print(200, answerText()));
    await stopping;
    await service.start();

    expect(await getCheck(service, check.id)).toMatchObject({
      status: 'answered',
      valid: true,
      attempts: 1,
    });
  });
});

describe('a false answer near an outage (rules K6 and K9)', () => {
  it('is confirmed a minute later if only /vatcheck has seen the outage', async () => {
    const service = await startService();
    setMemberState(service.scenario, 'DE', 'down');
    expect((await service.get('/vatcheck/DE/999999901')).status).toBe(503);
    setMemberState(service.scenario, 'DE', 'up');
    const { db } = service.core;
    const noted = db.selectFrom('vat_registries').select('faulted_at');
    await vi.waitFor(async () => expect(await noted.execute()).toHaveLength(1), patienceMs);

    const { answer, check } = await postCheck(service, {
      countryCode: 'DE',
      vatNumber: '111111111',
    });

    expect(answer.status).toBe(202);
    expect(check).toMatchObject({ status: 'pending', valid: null, error: null, attempts: 1 });
    service.startJobs();
    await service.liveAt('2026-11-20T16:02:00Z');
    expect(await getCheck(service, check.id, '?waitSeconds=10')).toMatchObject({
      status: 'answered',
      valid: false,
      attempts: 2,
    });
  });
});
