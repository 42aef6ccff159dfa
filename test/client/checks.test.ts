import { describe, expect, it, vi } from 'vitest';
import { TimeoutError, type VatfxClient } from '../../client/src/index.ts';
import { verifyEvidence } from '../../src/vat-check/stored/evidence/verify.ts';
import { addCaller } from '../api/support/caller.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';
import { shareService, startService } from '../support/start-service.ts';
import { clientOf, errorOf } from './support/client-of.ts';

const austrian = { countryCode: 'AT', vatNumber: 'U99999901' };
const german = { countryCode: 'DE', vatNumber: '999999901' };
const service = shareService();

/** The client of a new key. */
async function newClient(): Promise<VatfxClient> {
  const { key } = await addCaller(service(), { rateLimit: 'none', quota: 'none' });
  return clientOf(service(), { key });
}

describe('checks.create and checks.get (rules K4 to K6)', () => {
  it('return an answered check, and a pending one while the registry is unavailable', async () => {
    const { checks } = await newClient();

    const created = await checks.create({ ...austrian, reference: 'order 1' });
    const pending = await checks.create({ countryCode: 'AT', vatNumber: '301' });

    expect(created).toMatchObject({ status: 'answered', reference: 'order 1', attempts: 1 });
    expect(created.status === 'answered' && created.valid).toBe(true);
    expect(await checks.get(created.id)).toEqual(created);
    expect(Object.isFrozen(created)).toBe(true);
    expect(pending).toMatchObject({ status: 'pending', error: 'MS_UNAVAILABLE', valid: null });
  });

  it('repeat a request with an idempotency key after a broken connection, which creates one check', async () => {
    const { key } = await addCaller(service());
    const keysSent: (string | null)[] = [];
    const losesFirst: typeof fetch = async (url, init) => {
      keysSent.push(new Headers(init?.headers).get('idempotency-key'));
      const answer = await fetch(url, init);
      if (keysSent.length > 1) return answer;
      await answer.arrayBuffer();
      throw new TypeError('the connection broke');
    };
    const { checks } = clientOf(service(), {
      key,
      fetch: losesFirst,
      retry: { firstDelayMs: 1 },
    });

    const created = await checks.create(austrian, { idempotencyKey: 'order 1' });

    expect(keysSent).toEqual(['order 1', 'order 1']);
    const { checks: listed } = await clientOf(service(), { key }).checks.list();
    expect(listed).toEqual([created]);
    keysSent.length = 0;
    expect(await errorOf(checks.create(austrian))).toMatchObject({ name: 'NetworkError' });
    expect(keysSent).toEqual([null]);
  });

  it.each<[string, (checks: VatfxClient['checks']) => Promise<unknown>, object]>([
    [
      'a key that was used for another check',
      async (checks) => {
        await checks.create(austrian, { idempotencyKey: 'k' });
        return checks.create(german, { idempotencyKey: 'k' });
      },
      { name: 'ConflictError', code: 'idempotency key reused' },
    ],
    [
      'a field',
      async (checks) => checks.create({ ...austrian, expiresInHours: 0 }),
      {
        name: 'InvalidInputError',
        status: 400,
        field: 'expiresInHours',
        expected: 'a whole number from 1 to 720',
      },
    ],
    [
      'a VAT number',
      async (checks) => checks.create({ ...austrian, vatNumber: '?' }),
      { name: 'InvalidInputError', status: 422, code: 'INVALID_INPUT' },
    ],
    [
      'a check of a batch',
      async (checks) => checks.createBatch([{ ...german, maxAgeSeconds: -1 }]),
      { name: 'InvalidInputError', field: 'checks[0].maxAgeSeconds', line: undefined },
    ],
    [
      'an unknown id',
      async (checks) => checks.get(`vc_${'0'.repeat(32)}`),
      { name: 'NotFoundError' },
    ],
    ['no id', async (checks) => checks.get('batch/vb_1'), { name: 'InvalidArgumentError' }],
  ])('throw an error that says what is wrong: %s', async (_what, call, expected) => {
    const { checks } = await newClient();

    expect(await errorOf(call(checks))).toMatchObject(expected);
  });

  it.each(['', 'order → 1', 'order\n1', 'x'.repeat(101)])(
    'send nothing with an idempotency key that a header cannot have: %j',
    async (idempotencyKey) => {
      const sent = vi.fn<typeof fetch>();
      const { checks } = clientOf(service(), { fetch: sent, retry: { attempts: 1 } });
      const error = {
        name: 'InvalidArgumentError',
        field: 'idempotencyKey',
        expected: '1 to 100 printable ASCII characters',
      };

      expect(await errorOf(checks.create(austrian, { idempotencyKey }))).toMatchObject(error);
      const batch = checks.createBatch([austrian], { idempotencyKey });
      expect(await errorOf(batch)).toMatchObject(error);
      expect(sent).not.toHaveBeenCalled();
    },
  );
});

describe('checks.wait (rule K11)', () => {
  it('returns the check when it has ended, after an outage', async () => {
    const live = await startService();
    setMemberState(live.scenario, 'DE', 'down');
    const { checks } = clientOf(live);
    const { id } = await checks.create(german);
    setMemberState(live.scenario, 'DE', 'up');
    live.startJobs();
    const waiting = checks.wait(id);

    await live.liveAt('2026-11-20T16:02:00Z');

    expect(await waiting).toMatchObject({ id, status: 'answered', valid: true });
  });

  it('throws a TimeoutError if the check is still pending, and ends at once by its signal', async () => {
    const { checks } = await newClient();
    const { id } = await checks.create({ countryCode: 'AT', vatNumber: '301' });
    const stop = new AbortController();

    const late = await errorOf(checks.wait(id, { timeoutMs: 1_200 }));
    const waiting = checks.wait(id, { signal: stop.signal });
    stop.abort(new Error('stopped'));

    expect(late).toBeInstanceOf(TimeoutError);
    expect(late).toMatchObject({ scope: 'whole', timeoutMs: 1_200 });
    expect(await errorOf(waiting)).toEqual(new Error('stopped'));
  });
});

describe('a client whose attempts may take less time than the service may wait', () => {
  // Less than the second that the service waits, with the longest rest for a slow machine.
  const impatient = { attemptTimeoutMs: 900, retry: { attempts: 1 } };

  it('gives the time of waitSeconds to checks.wait and checks.get', async () => {
    const { checks } = clientOf(service(), impatient);
    const { id } = await checks.create({ countryCode: 'AT', vatNumber: '301' });

    expect(await checks.get(id, { waitSeconds: 1 })).toMatchObject({ id, status: 'pending' });
    expect(await errorOf(checks.wait(id, { timeoutMs: 1_500 }))).toMatchObject({
      name: 'TimeoutError',
      scope: 'whole',
      timeoutMs: 1_500,
    });
  });
});

describe('checks.list and checks.delete (rule K11)', () => {
  it('page through the checks that match', async () => {
    const { checks } = await newClient();
    for (const reference of ['1', '2', '3']) await checks.create({ ...austrian, reference });
    await checks.create({ countryCode: 'NL', vatNumber: '200', reference: '4' });
    const filter = { valid: true, countryCode: 'AT' } as const;

    const first = await checks.list({ ...filter, limit: 2 });
    const rest = await checks.list({ ...filter, limit: 2, cursor: first.nextCursor ?? '' });

    expect([first.checks.length, rest.checks.length]).toEqual([2, 1]);
    const all = [...first.checks, ...rest.checks].map(({ reference }) => reference);
    expect(new Set(all)).toEqual(new Set(['1', '2', '3']));
    expect(rest.nextCursor).toBeNull();
    expect((await checks.list({ reference: '4' })).checks).toMatchObject([{ valid: false }]);
    expect((await checks.list({ status: 'pending' })).count).toBe(0);
  });
});

describe('checks.evidence (rule K15)', () => {
  it('is written by JSON.stringify to a file that can be verified', async () => {
    const { checks } = await newClient();
    const { id } = await checks.create(austrian);

    const evidence = await checks.evidence(id);

    const { faults, reply } = await verifyEvidence(Buffer.from(JSON.stringify(evidence)));
    expect(faults).toEqual([]);
    expect(reply).toMatchObject({ kind: 'answered', answer: { valid: true } });
    expect(evidence).toMatchObject({ id, registry: 'vies' });
  });
});

describe('checks.createBatch and getBatch (rule K12)', () => {
  it('store checks that are rejected or pending, once per idempotency key', async () => {
    const { checks } = await newClient();
    const wanted = [german, { countryCode: 'GB', vatNumber: '123456789', reference: 'x' }];

    const created = await checks.createBatch(wanted, { idempotencyKey: 'b' });
    const again = await checks.createBatch(wanted, { idempotencyKey: 'b' });

    expect(created).toEqual({
      batchId: expect.stringMatching(/^vb_/),
      count: 2,
      skipped: [],
      skippedCount: 0,
      estimatedDoneAt: expect.stringMatching(/^20\d\d-.*Z$/),
    });
    expect(again).toEqual(created);
    expect(await checks.getBatch(created.batchId)).toMatchObject({
      count: 2,
      pending: 1,
      answered: 0,
      rejected: 1,
      expired: 0,
    });
    const { batchId } = created;
    const { checks: rejected } = await checks.list({ batchId, status: 'rejected' });
    expect(rejected).toMatchObject([{ reference: 'x', error: 'INVALID_INPUT', valid: null }]);
  });
});

describe('a key with a requester of its own (rule K4)', () => {
  it('may name no other: RequesterNotAllowedError', async () => {
    const { key } = await addCaller(service(), { requester: 'EL999999902' });
    const { checks } = clientOf(service(), { key });
    const other = { countryCode: 'NL', vatNumber: '999999901B01' };

    const refused = await errorOf(checks.create({ ...austrian, requester: other }));

    expect(refused).toMatchObject({ name: 'RequesterNotAllowedError', status: 403 });
    expect(await checks.create(austrian)).toMatchObject({
      requester: { countryCode: 'GR', vatNumber: '999999902' },
      consultationNumber: expect.stringMatching(/^WAPI/),
    });
  });
});
