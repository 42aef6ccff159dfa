import { describe, expect, it } from 'vitest';
import { addCaller, usedBy } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { shareService } from '../support/start-service.ts';
import { austrian, postBatch, postCheck, sendToChecks } from './support/stored-checks-api.ts';

const impossible = { countryCode: 'DE', vatNumber: '?' };
const csv = { 'content-type': 'Text/CSV; charset=utf-8' };
const many = (count: number, of: object = austrian) => ({
  checks: Array.from({ length: count }, () => of),
});

describe('a batch that the key can never send (rule K10)', () => {
  const service = shareService();
  const quota = { quota: 500 };
  const aged = { ...austrian, maxAgeSeconds: 60 };

  it.each<[own: object, body: object | string, error: string, used: readonly number[]]>([
    [{ rateLimit: 5 }, many(51), 'batch needs 6 requests, the key has 5 a minute', [1, 0]],
    [{ rateLimit: 1 }, many(11), 'batch needs 2 requests, the key has 1 a minute', [1, 0]],
    [
      { rateLimit: 99 },
      many(1_000, impossible),
      'batch needs 100 requests, the key has 99 a minute',
      [1, 0],
    ],
    [
      { rateLimit: 2 },
      `countryCode,vatNumber\n${'AT,1\n'.repeat(21)}`,
      'batch needs 3 requests, the key has 2 a minute',
      [1, 0],
    ],
    [quota, many(600), 'batch needs 600 checks, the key has 500 a month', [60, 0]],
    [{ quota: 1 }, many(2), 'batch needs 2 checks, the key has 1 a month', [1, 0]],
  ])('is 413, and nothing is stored: %j', async (own, body, error, used) => {
    const caller = await addCaller(service(), own);

    const { answer } = await postBatch(caller, body, typeof body === 'string' ? csv : {});

    expect(formOf(answer)).toEqual(errorForm(413, error));
    expect(answer.headers['retry-after']).toBeUndefined();
    expect(await usedBy(caller)).toEqual(used);
    const stored = service().core.db.selectFrom('vat_checks').where('key_id', '=', caller.id);
    expect(await stored.select('id').execute()).toEqual([]);
  });

  it.each<[own: object, body: object, status: number]>([
    [{ rateLimit: 5 }, many(50), 202],
    [{ rateLimit: 'none', quota: 'none' }, many(1_000), 202],
    [quota, many(500), 202],
    [{ quota: 1 }, many(600, impossible), 202],
  ])('is one that fits: %j', async (own, body, status) => {
    const caller = await addCaller(service(), own);

    expect((await postBatch(caller, body)).answer.status).toBe(status);
  });

  it('is none that fits next month, or whose rows reuse an answer', async () => {
    const caller = await addCaller(service(), { quota: 3 });
    await postCheck(caller);

    const answers = [await postBatch(caller, many(3)), await postBatch(caller, many(600, aged))];

    expect(answers.map(({ answer }) => answer.status)).toEqual([429, 202]);
  });
});

describe('the charge of the rows of a batch (rule K10)', () => {
  const service = shareService();
  const rows = (count: number, row: string) => `countryCode,vatNumber\n${row.repeat(count)}`;

  it.each<[requests: number, status: number, what: string, body: object | string]>([
    [1, 202, 'ten', many(10)],
    [2, 202, 'eleven', many(11)],
    [100, 202, 'a thousand', many(1_000)],
    [3, 202, '21 that are rejected', many(21, impossible)],
    [
      2,
      202,
      '20 of which 19 are skipped',
      `${rows(1, 'AT,1\n')}${`AT,${'9'.repeat(65)}\n`.repeat(19)}`,
    ],
    [2, 202, '20 of which the last is malformed', `${rows(19, 'AT,1\n')},1\n`],
    [2, 400, '20 that are all malformed', rows(20, ',1\n')],
    [1, 413, 'too many, which are not read', rows(1_001, 'AT,1\n')],
    [1, 400, 'none', rows(500, ',\n')],
    [1, 400, 'no CSV', `${rows(100, 'AT,1\n')}"`],
    [1, 400, 'no JSON', '{'],
  ])('is %i requests, with the answer %i, for %s', async (requests, status, _what, body) => {
    const caller = await addCaller(service());

    const { answer } = await postBatch(
      caller,
      body,
      typeof body === 'string' && body !== '{' ? csv : {},
    );

    const [used] = await usedBy(caller);
    expect([answer.status, used]).toEqual([status, requests]);
  });

  it('is the same for rows that reuse an answer, which were free before', async () => {
    const caller = await addCaller(service());
    await postCheck(caller);

    const reused = many(1_000, { ...austrian, maxAgeSeconds: 60 });
    const statuses = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await postBatch(caller, reused)).answer.status);

    // 600 requests a minute: one check, five batches, and the request of each refused one.
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429]);
    expect(await usedBy(caller)).toEqual([503, 1]);
  });

  it('refuses a batch for which too few requests are left before a row is stored, and counts its request only', async () => {
    const caller = await addCaller(service(), { rateLimit: 10 });

    await sendToChecks(caller, 'GET');

    const { answer } = await postBatch(caller, many(100));

    expect(formOf(answer)).toEqual(errorForm(429, 'RATE_LIMITED'));
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await usedBy(caller)).toEqual([2, 0]);
    const stored = service().core.db.selectFrom('vat_checks').where('key_id', '=', caller.id);
    expect(await stored.select('id').execute()).toEqual([]);
    expect((await postBatch(caller, many(80))).answer.status).toBe(202);
    expect(await usedBy(caller)).toEqual([10, 80]);
  });

  it('refuses a request over the rate limit before its body is read', async () => {
    const caller = await addCaller(service(), { rateLimit: 1 });
    await sendToChecks(caller, 'GET');
    const connection = await RawConnection.open(service().apiUrl);

    // The body never comes.
    connection.send(
      `POST /vatchecks/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\n` +
        'Content-Length: 1000000\r\n\r\n',
    );

    expect((await connection.read())?.status).toBe(429);
  });
});
