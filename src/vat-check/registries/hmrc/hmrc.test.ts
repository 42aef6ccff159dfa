import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, reportFigure } from '../../../../test/support/proof.ts';
import { bytesAsAnswer } from '../../../platform/upstream/bytes-as-answer.ts';
import { UpstreamError } from '../../../platform/upstream/upstream-error.ts';
import type { VatNumber } from '../../numbers/vat-number.ts';
import { alone, type Question, type RegistryResult } from '../registry.ts';
import { hmrc } from './hmrc.ts';

/** Unknown codes with each status. */
const codes = countOf({ full: 500, perCommit: 10 });

const british = (number: string): VatNumber => ({ registryCode: 'GB', number });
const unverified = alone(british('553557881'));
const verified: Question = { ...unverified, requester: british('146295999727') };
const date = 'Fri, 20 Nov 2026 16:00:00 GMT';

const target = {
  name: 'Credite Sberger Donal Inc.',
  vatNumber: '553557881',
  address: { line1: '131B Barton Hamlet', postcode: 'SW97 5CK', countryCode: 'GB' },
};
const processingDate = '2019-07-31T12:53:05+01:00';
const found = { target, processingDate };

async function read(
  status: number,
  body: unknown,
  { question = unverified, at = date }: { question?: Question; at?: string | null } = {},
): Promise<RegistryResult> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const of = { upstream: 'hmrc', operation: 'lookup' };
  const head = { httpStatus: status, date: at };
  return hmrc.answer(bytesAsAnswer(Buffer.from(text), of, head), question);
}

const error = (code: string, message = 'a text') => ({ code, message });
const unexpected = { kind: 'failed', failure: 'unexpectedAnswer' };
const other = { kind: 'failed', failure: 'otherNumber' };
const credentials = { kind: 'failed', failure: 'credentialsRefused' };
const down = { kind: 'serviceUnavailable', because: 'down' };

describe('an answer of HMRC (rule M9)', () => {
  it('is valid with name, address in lines and the consultation number as it was sent', async () => {
    const answer = { ...found, requester: '146295999727', consultationNumber: 'ypAeKRPlW' };

    expect(await read(200, answer, { question: verified })).toMatchObject({
      isOwnForm: true,
      outcome: {
        kind: 'answered',
        answer: {
          valid: true,
          name: 'Credite Sberger Donal Inc.',
          address: '131B Barton Hamlet\nSW97 5CK\nGB',
          requestDate: '2019-07-31+01:00',
          consultationNumber: 'ypAeKRPlW',
          traderMatch: {},
        },
      },
    });
  });

  it.each<[string, number, unknown, object]>([
    ['another number', 200, { ...found, target: { ...target, vatNumber: '1' } }, other],
    ['another requester', 200, { ...found, requester: '999999973' }, other],
    ['no target', 200, { processingDate }, unexpected],
    ['no date', 200, { target }, unexpected],
    ['a date without an offset', 200, { ...found, processingDate: '2019-01-31' }, unexpected],
    ['a wrong version', 404, error('MATCHING_RESOURCE_NOT_FOUND'), unexpected],
    ['an unknown requester', 403, error('INVALID_REQUEST'), { kind: 'requesterRejected' }],
    [
      'a malformed requester',
      400,
      error('INVALID_REQUEST', 'Invalid requesterVrn - Vrn parameters should be 9 or 12 digits'),
      { kind: 'requesterRejected' },
    ],
    [
      'a malformed number',
      400,
      error('INVALID_REQUEST', 'Invalid targetVrn - Vrn parameters should be 9 or 12 digits'),
      { kind: 'rejected' },
    ],
    ['another 400', 400, error('SOMETHING'), unexpected],
    ['no subscription', 403, error('RESOURCE_FORBIDDEN'), credentials],
    ['a wrong token', 401, error('INVALID_CREDENTIALS'), credentials],
    ['too many requests', 429, error('MESSAGE_THROTTLED_OUT'), { ...down, because: 'throttled' }],
    ['another 429', 429, error('BLOCKED'), unexpected],
    ['an error', 500, error('INTERNAL_SERVER_ERROR'), down],
    ['maintenance', 503, error('SCHEDULED_MAINTENANCE'), down],
    ['a page of a gateway', 502, '<html>', down],
    ['a page of a firewall', 403, '<html>', { kind: 'failed', failure: 'forbidden' }],
    ['a page about too many requests', 429, '', { kind: 'failed', failure: 'tooManyRequests' }],
    ['a web page', 200, '<html></html>', unexpected],
    ['a page that is not found', 404, '<html></html>', unexpected],
    ['a redirect', 302, '', unexpected],
    ['a list', 200, [found], unexpected],
    ['no message', 404, { code: 'NOT_FOUND' }, unexpected],
    ['a wrong token at a gateway', 401, '<html>', credentials],
    ['a name twice', 404, '{"code":"NOT_FOUND","code":"X"}', unexpected],
  ])('says for %s what is known', async (_, status, body, outcome) => {
    expect(await read(status, body)).toMatchObject({ outcome });
  });

  it('is a “no” for NOT_FOUND alone, final with a requester, and dated by the header', async () => {
    const body = error('NOT_FOUND');
    const no = { kind: 'answered', answer: { valid: false, requestDate: '2026-11-20+00:00' } };

    const withRequester = await read(404, body, { question: verified });
    const without = await read(404, body);

    expect(withRequester).toMatchObject({ outcome: no });
    expect(withRequester.isUnconfirmed).toBeUndefined();
    expect(without).toMatchObject({ outcome: no, isUnconfirmed: true });
    expect((await read(404, body, { at: null })).outcome).toEqual(unexpected);
    for (const at of [
      'today',
      '2026-11-20',
      'Mon, 30 Feb 2026 16:00:00 GMT',
      date.replace('GMT', '+0100'),
    ]) {
      expect((await read(404, body, { at })).outcome).toEqual(unexpected);
    }
  });

  it('asks for another token with a 401, whatever its body is', async () => {
    const bodies = ['<html>', '', error('INVALID_CREDENTIALS')];
    const results = await Promise.all(bodies.map(async (body) => read(401, body)));

    expect(results.map(({ isUnauthorized }) => isUnauthorized)).toEqual([true, true, true]);
  });

  it('has null for what is missing, and for a text that no database keeps', async () => {
    const { name: _, address: __, ...bare } = target;
    const odd = { ...bare, name: 'A\u0000', address: { line1: 'A\ud800', line5: ' E ', line2: 1 } };

    expect((await read(200, { ...found, target: bare })).outcome).toMatchObject({
      answer: { valid: true, name: null, address: null },
    });
    expect((await read(200, { ...found, target: odd })).outcome).toMatchObject({
      answer: { valid: true, name: null, address: 'E' },
    });
  });

  it('is never a “no” for another status or code (R43)', async () => {
    const unknown = fc.sample(
      fc.stringMatching(/^[A-Z_]{1,30}$/).filter((code) => code !== 'NOT_FOUND'),
      codes,
    );
    const isNo = async (http: number, code: string, question: Question) => {
      const { outcome } = await read(http, error(code), { question });
      return outcome.kind === 'answered' && !outcome.answer.valid;
    };
    const nos: string[] = [];
    for (let http = 200; http < 600; http += 1) {
      for (const code of ['NOT_FOUND', ...unknown]) {
        for (const question of [unverified, verified]) {
          if (await isNo(http, code, question)) nos.push(`${http} ${code}`);
        }
      }
    }

    reportFigure(
      'R43',
      `HMRC: 400 statuses, ${codes} unknown codes each: ${nos.length - 2} false “no”`,
    );
    expect(nos).toEqual(['404 NOT_FOUND', '404 NOT_FOUND']);
  });

  it('throws the error of a body that broke off', async () => {
    const broken = new UpstreamError('truncated', { upstream: 'hmrc', operation: 'x' }, 'cut');
    const answer = bytesAsAnswer(Buffer.from(''), { upstream: 'hmrc', operation: 'x' });
    const chunks = (async function* () {
      yield Buffer.from('{"code":');
      throw broken;
    })();

    await expect(hmrc.answer({ ...answer, chunks }, unverified)).rejects.toBe(broken);
  });
});

describe('a question to HMRC (rules M5 and M9)', () => {
  it.each([
    [unverified, '/lookup/553557881'],
    [verified, '/lookup/553557881/146295999727'],
  ])('has the digits alone, and is read again from its evidence', async (question, path) => {
    const asked = hmrc.ask(question);
    const url = `https://api.example${asked.path}`;
    const kept = `GET ${asked.path} HTTP/1.1\r\nAccept: application/vnd.hmrc.2.0+json\r\n`;

    expect(asked).toMatchObject({ method: 'GET', path: expect.stringMatching(`${path}$`) });
    expect(await hmrc.readSent({ url, request: Buffer.from(kept) })).toMatchObject(question);
    for (const [other, at] of [
      [kept.replace('2.0', '1.0'), url],
      [kept.replace('553557881', '55355788'), url],
      ...['5535578811', 'GB553557881'].map((number): [string, string] => [
        kept.replace('553557881', number),
        url.replace('553557881', number),
      ]),
      [kept, `${url}1`],
      ['{}', url],
    ] as const) {
      await expect(hmrc.readSent({ url: at, request: Buffer.from(other) })).rejects.toThrow(Error);
    }
  });
});
