import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/platform/values/digest.ts';
import { unsupportedEncoding } from '../../src/vat-check/reading/encodings.ts';
import { addCaller, usedBy } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { shareService, startService } from '../support/start-service.ts';
import {
  austrian,
  getCheck,
  postBatch,
  postCheck,
  sendToChecks,
} from './support/stored-checks-api.ts';

const german = { countryCode: 'DE', vatNumber: '999999901' };
const impossible = { countryCode: 'DE', vatNumber: '?' };
const csv = { 'content-type': 'Text/CSV; charset=utf-8' };
const many = (count: number, of: object = austrian) => ({
  checks: Array.from({ length: count }, () => of),
});

type Sender = Parameters<typeof sendToChecks>[0];
type Listed = { readonly checks: readonly Record<string, unknown>[] };

async function countsOf(sender: Sender, batchId: string): Promise<Record<string, unknown>> {
  return JSON.parse((await sendToChecks(sender, 'GET', `/batch/${batchId}`)).text) as never;
}

/** The checks of a batch in its order. */
async function checksOf(sender: Sender, batchId: string) {
  const { text } = await sendToChecks(sender, 'GET', `?batchId=${batchId}`);
  return (JSON.parse(text) as Listed).checks.toReversed();
}

describe('POST /vatchecks/batch (rule K12)', () => {
  const service = shareService();

  it('is 202, and its checks are answered by the worker', async () => {
    const live = await startService();
    live.startJobs();

    const { answer, batch } = await postBatch(live, {
      checks: [{ ...austrian, reference: 'a' }, german, impossible],
    });

    expect(answer.status).toBe(202);
    expect(answer.headers).toMatchObject({
      location: `/vatchecks/batch/${batch.batchId}`,
      'cache-control': 'private, no-store',
    });
    expect(batch).toEqual({
      batchId: expect.stringMatching(/^vb_[0-9a-f]{32}$/),
      count: 3,
      skipped: [],
      skippedCount: 0,
      // Two states at 5 a second together.
      estimatedDoneAt: '2026-11-20T16:00:00.500Z',
    });
    await expect
      .poll(
        async () => {
          live.passTime(1_000);
          return countsOf(live, batch.batchId);
        },
        { timeout: 9_000 },
      )
      .toEqual({
        batchId: batch.batchId,
        count: 3,
        pending: 0,
        answered: 2,
        rejected: 1,
        expired: 0,
        createdAt: '2026-11-20T16:00:00.000Z',
      });
    const { batchId } = batch;
    expect(await checksOf(live, batchId)).toMatchObject([
      { ...austrian, reference: 'a', status: 'answered', valid: true, batchId },
      { ...german, status: 'answered', batchId },
      {
        ...impossible,
        status: 'rejected',
        error: 'INVALID_INPUT',
        valid: null,
        attempts: 0,
        answeredAt: '2026-11-20T16:00:00.000Z',
        batchId,
      },
    ]);
  });

  it.each([
    ['400 line 3: invalid CSV — a quoted cell without an end', 'vatNumber\nAT1\n"AT\n'],
    ["400 line 1: missing column 'vatNumber'", 'countryCode,vat\nAT,1\n'],
    [
      "400 line 2: invalid 'expiresInHours' — expected a whole number from 1 to 720",
      'countryCode,vatNumber,expiresInHours\nAT,U99999901,0\n',
    ],
    ["400 line 1: missing column 'vatNumber'", ''],
  ])('is %s, and stores nothing', async (refusal, text) => {
    const caller = await addCaller(service());
    const { answer } = await postBatch(caller, text, csv);

    expect(`${answer.status} ${(JSON.parse(answer.text) as { error: string }).error}`).toBe(
      refusal,
    );
    expect((JSON.parse((await sendToChecks(caller, 'GET')).text) as Listed).checks).toEqual([]);
  });

  it.each([
    ['202', 'text/csv; charset="ISO-8859-1"'],
    ['202', 'text/csv;charset=Windows_1252'],
    ["400 line 2: declare the charset: column 'traderName' has a byte beyond ASCII", 'text/csv'],
    [`415 ${unsupportedEncoding}`, 'text/csv; charset=macintosh'],
    ['415 unsupported charset — expected UTF-8', 'application/json; charset=iso-8859-1'],
    ['400 line 2: invalid JSON body', 'application/json'],
  ])('is %s for a file of Latin letters as %s', async (answer, type) => {
    const bytes = Buffer.from('vatNumber,traderName\nATU99999901,M\u00FCller\n', 'latin1');
    const headers = { 'content-type': type, authorization: `Bearer ${service().key}` };
    const path = `${service().apiUrl}/vatchecks/batch`;

    const sent = await fetch(path, { method: 'POST', headers, body: bytes });

    const { error = '' } = (await sent.json()) as { error?: string };
    expect(`${sent.status} ${error}`.trim()).toBe(answer);
  });

  it('is 400 for a workbook, also if it is declared as JSON', async () => {
    const { answer } = await postBatch(service(), 'PK\u0003\u0004xl/');

    expect(formOf(answer)).toEqual(
      errorForm(400, 'the file is a workbook (.xlsx) — expected CSV or JSON'),
    );
  });

  it.each([
    ['line 2: invalid JSON body', '{"checks":[\n}'],
    [
      "unknown field 'checks[1].waitSeconds'",
      { checks: [austrian, { ...austrian, waitSeconds: 1 }] },
    ],
    ["invalid 'checks' — expected 1 to 1000 checks", { checks: [] }],
    ["invalid 'body' — expected a JSON object", '[]'],
    ['line 1: invalid JSON body', ''],
  ])('is 400 %s', async (error, body) => {
    expect(formOf((await postBatch(service(), body)).answer)).toEqual(errorForm(400, error));
  });

  it('accepts 1,000 checks, and is 413 for more and for more than 1 MB', async () => {
    const caller = await addCaller(service(), { rateLimit: 'none' });

    expect((await postBatch(caller, many(1_000))).answer.status).toBe(202);
    expect(formOf((await postBatch(caller, many(1_001))).answer)).toEqual(
      errorForm(413, 'too many checks — at most 1000'),
    );
    const lines = `countryCode,vatNumber\n${'AT,U99999901\n'.repeat(1_001)}`;
    expect((await postBatch(caller, lines, csv)).answer.status).toBe(413);
    expect(formOf((await postBatch(caller, ' '.repeat(1_048_577))).answer)).toEqual(
      errorForm(413, 'body too large'),
    );
  });

  it('skips and names rows that are too long (rule K4), also in a repetition', async () => {
    const caller = await addCaller(service());
    const headers = { 'idempotency-key': 'upload 2' };
    const checks = [austrian, { ...austrian, vatNumber: '9'.repeat(65) }, german];

    const first = await postBatch(caller, { checks }, headers);
    const second = await postBatch(caller, { checks }, headers);

    expect(first.batch).toEqual({
      batchId: first.batch.batchId,
      count: 2,
      skipped: [{ line: 2, reason: 'vatNumber has more than 64 characters' }],
      skippedCount: 1,
      estimatedDoneAt: expect.any(String),
    });
    expect(second.batch).toEqual(first.batch);
    expect(await countsOf(caller, first.batch.batchId)).toMatchObject({ count: 2, pending: 2 });
  });

  it('names the first 100 of 300 bad rows, and counts them all', async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => (at % 10 < 3 ? 'AT,' : 'AT,U99999901'));

    const { batch } = await postBatch(service(), `countryCode,vatNumber\n${rows.join('\n')}`, csv);

    expect(batch).toMatchObject({ count: 700, skippedCount: 300, skipped: { length: 100 } });
    expect(batch.skipped[99]).toEqual({ line: 332, reason: 'it has no VAT number' });
  });

  it('is one batch for repetitions with an Idempotency-Key', async () => {
    const caller = await addCaller(service());
    const headers = { 'idempotency-key': 'upload 1' };
    const first = await postBatch(caller, many(2), headers);

    const second = await postBatch(caller, many(2), headers);

    expect(second.batch).toEqual(first.batch);
    expect(await usedBy(caller)).toEqual([2, 2]);
    expect(formOf((await postBatch(caller, many(1), headers)).answer)).toEqual(
      errorForm(409, 'idempotency key reused'),
    );
  });

  it('is found by the digest that version 0.3 stored for its bytes', async () => {
    const caller = await addCaller(service());
    const headers = { 'idempotency-key': 'upload 3' };
    const body = JSON.stringify(many(2));
    const first = await postBatch(caller, body, headers);
    await service()
      .core.db.updateTable('vat_check_idempotency')
      .set({ body_digest: sha256(`batch json ${sha256(body)}`) })
      .where('check_id', '=', first.batch.batchId)
      .execute();

    const second = await postBatch(caller, body, headers);

    expect(second.batch).toEqual(first.batch);
    expect((await postBatch(caller, many(1), headers)).answer.status).toBe(409);
  });

  it('is charged once per check that leads to a query, and stores nothing without quota (rule K10)', async () => {
    const caller = await addCaller(service(), { quota: 4 });
    await postCheck(caller);
    const reused = { ...austrian, maxAgeSeconds: 60 };

    const { batch } = await postBatch(caller, { checks: [german, reused, impossible, german] });

    expect(await countsOf(service(), batch.batchId)).toEqual({ error: 'not found' });
    expect(await usedBy(caller)).toEqual([2, 3]);
    expect(formOf((await postBatch(caller, many(2))).answer)).toMatchObject({ status: 429 });
    expect(await usedBy(caller)).toEqual([3, 3]);
    expect(await countsOf(caller, batch.batchId)).toMatchObject({
      answered: 1,
      rejected: 1,
      pending: 2,
    });
  });

  it('answers a check that may reuse an answer at once, with evidence of its own', async () => {
    const { check: source } = await postCheck(service());

    const { batch } = await postBatch(service(), {
      checks: [{ ...austrian, vatNumber: 'ATU99999901', maxAgeSeconds: 3_600 }],
    });

    const [reused] = await checksOf(service(), batch.batchId);
    expect(reused).toMatchObject({
      status: 'answered',
      vatNumber: 'ATU99999901',
      valid: source.valid,
      name: source.name,
      attempts: 0,
    });
    const { text } = await sendToChecks(service(), 'GET', `/${String(reused?.['id'])}/evidence`);
    expect(JSON.parse(text)).toMatchObject({ id: reused?.['id'] });
    expect(await getCheck(service(), String(reused?.['id']))).toEqual(reused);
  });

  it('is 404 to another key', async () => {
    const { batch } = await postBatch(service(), many(1));
    const other = await addCaller(service());

    for (const id of [batch.batchId, `vb_${'0'.repeat(32)}`, 'x']) {
      expect(formOf(await sendToChecks(other, 'GET', `/batch/${id}`))).toEqual(
        errorForm(404, 'not found'),
      );
    }
  });

  it('reads at most two batches of a key at a time', async () => {
    const caller = await addCaller(service());
    const open = async () => {
      const connection = await RawConnection.open(service().apiUrl);
      connection.send(
        `POST /vatchecks/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${caller.key}\r\n` +
          'Content-Length: 100\r\n\r\n',
      );
      return connection;
    };
    const [first] = [await open(), await open()];

    // A third one is refused before its body is read, as soon as the two have arrived.
    await expect
      .poll(async () => formOf((await postBatch(caller, many(1))).answer))
      .toMatchObject({ status: 429 });
    first?.send(' '.repeat(100));

    expect((await first?.read())?.status).toBe(400);
    await expect.poll(async () => (await postBatch(caller, many(1))).answer.status).toBe(202);
  });
});
