import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countOf, reportFigure } from '../../../../test/support/proof.ts';
import { bytesAsAnswer } from '../../../platform/upstream/bytes-as-answer.ts';
import { isoDate } from '../../../platform/time/time.ts';
import type { Question, RegistryResult } from '../registry.ts';
import { bzst } from './bzst.ts';
import { retryAt } from './schedule.ts';

/** Unknown statuses with each of HTTP. */
const codes = countOf({ full: 500, perCommit: 10 });

const simple: Question = {
  vatNumber: { registryCode: 'AT', number: 'U12345678' },
  requester: { registryCode: 'DE', number: '123456789' },
  trader: {},
};
const trader = { name: 'Test GmbH', street: 'Teststr. 1', postcode: '12345', city: 'Stadt' };
const qualified: Question = { ...simple, trader };
const anfrageZeitpunkt = '2026-01-12T09:37:35.561855733+01:00';
const of = (status: string, more: object = {}) => ({ anfrageZeitpunkt, status, ...more });

async function read(
  status: number,
  body: unknown,
  question: Question = qualified,
): Promise<RegistryResult> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = bytesAsAnswer(
    Buffer.from(text),
    { upstream: 'bzst', operation: 'abfrage' },
    { httpStatus: status, date: null },
  );
  return bzst.answer(answer, question);
}

const unexpected = { kind: 'failed', failure: 'unexpectedAnswer' };
const down = { kind: 'serviceUnavailable', because: 'down' };
const requester = { kind: 'requesterRejected' };
const no = { kind: 'answered', answer: { valid: false } };

describe('an answer of the BZSt (rule M11)', () => {
  it('has the matches by their letters, the id as it was sent, and neither name nor address', async () => {
    const letters = { ergFirmenname: 'A', ergStrasse: 'B', ergPlz: 'C', ergOrt: 'D' };

    expect(await read(200, of('evatr-0000', { id: 'd6f1148c48118a14', ...letters }))).toEqual({
      outcome: {
        kind: 'answered',
        answer: {
          valid: true,
          requestDate: '2026-01-12+01:00',
          name: null,
          address: null,
          consultationNumber: 'd6f1148c48118a14',
          traderMatch: { name: 'valid', street: 'invalid', city: 'not processed' },
        },
        maxAgeSeconds: undefined,
      },
      isOwnForm: true,
      mayRetry: false,
      differences: [],
    });
  });

  it('names what it cannot read, which decides nothing', async () => {
    const odd = await read(200, of('evatr-0000', { ergFirmenname: 'E', ergOrt: 'A' }));
    const date = await read(200, of('evatr-2006', { gueltigAb: '31.02.2024' }));

    expect(odd).toMatchObject({
      unreadable: ['ergFirmenname'],
      outcome: { answer: { valid: true, traderMatch: { city: 'valid' } } },
    });
    expect(date).toMatchObject({ unreadable: ['gueltigAb'], outcome: no });
  });

  it('has the matches of the fields that were sent, and of no others', async () => {
    const { name, city } = trader;
    const letters = { ergFirmenname: 'A', ergStrasse: 'D', ergPlz: 'E', ergOrt: 'A' };
    const answer = of('evatr-0000', letters);

    const some = await read(200, answer, { ...simple, trader: { name, city } });
    const none = await read(200, answer, { ...simple, trader: { name, street: 'x' } });

    expect(some.outcome).toMatchObject({
      answer: { traderMatch: { name: 'valid', city: 'valid' } },
    });
    expect([some.unreadable, none.unreadable]).toEqual([undefined, undefined]);
    expect(
      Object.keys(some.outcome.kind === 'answered' ? some.outcome.answer.traderMatch : {}),
    ).toHaveLength(2);
    expect(none.outcome).toMatchObject({ answer: { traderMatch: {} } });
  });

  it('names a field of another type, and not one that is empty', async () => {
    const odd = { id: 12, ergFirmenname: true, ergOrt: ['A'], gueltigAb: 20_240_101 };
    const empty = { id: null, ergFirmenname: '', ergOrt: null, gueltigAb: '' };

    const valid = await read(200, of('evatr-0000', odd));
    const ended = await read(200, of('evatr-2006', odd));
    const without = await read(200, of('evatr-2006', empty));

    expect(valid.unreadable?.toSorted()).toEqual(['ergFirmenname', 'ergOrt', 'id']);
    expect(ended.unreadable?.toSorted()).toEqual(['gueltigAb', 'id']);
    expect(without).not.toHaveProperty('unreadable');
  });

  it('is about another number whatever its status is, unless it is written in another way', async () => {
    const other = { outcome: { failure: 'otherNumber' }, differences: [{ difference: 'other' }] };
    for (const status of ['evatr-0000', 'evatr-2001', 'evatr-2005', 'evatr-0005']) {
      for (const said of [{ anfragendeUstid: 'DE1' }, { angefragteUstid: 12_345_678 }]) {
        expect(await read(404, of(status, said))).toMatchObject(other);
      }
    }
    const vatNumber = { registryCode: 'EL', number: '999999901' } as const;
    for (const angefragteUstid of ['EL999999901', 'gr 999999901', '', null]) {
      const same = await read(404, of('evatr-2001', { angefragteUstid }), { ...simple, vatNumber });
      expect(same).toMatchObject({ outcome: no, differences: [] });
    }
  });

  it('has the days of a registration that has not begun, or has ended', async () => {
    const days = { gueltigAb: '01.01.2024', gueltigBis: '31.12.2024' };
    const answer = {
      valid: false,
      validFrom: isoDate('2024-01-01'),
      validTo: isoDate('2024-12-31'),
    };

    expect(await read(200, of('evatr-2006', days))).toMatchObject({ outcome: { answer } });
    expect(await read(200, of('evatr-2002', { gueltigAb: '01.01.2027' }))).toMatchObject({
      outcome: { answer: { valid: false, validFrom: '2027-01-01' } },
    });
  });

  it.each<[string, number, object]>([
    ['2008', 200, { kind: 'answered', answer: { valid: true, traderMatch: {} } }],
    ['2001', 404, no],
    ['2005', 404, requester],
    ['0004', 400, requester],
    ['0005', 400, { kind: 'rejected' }],
    ['0012', 400, { kind: 'rejected' }],
    ['2003', 400, { kind: 'rejected' }],
    ['0008', 403, { kind: 'serviceUnavailable', because: 'throttled' }],
    ...'0011 0013 1001 1002 1003 1004 2004 2007 2011 3011'
      .split(' ')
      .map((code): [string, number, object] => [code, 503, down]),
    ...'0001 0002 0003 0006 0007 2009 9999'
      .split(' ')
      .map((code): [string, number, object] => [code, 400, unexpected]),
  ])(
    'with the status %s is what the table says, whatever HTTP says',
    async (code, http, outcome) => {
      for (const status of [http, 200, 400, 404, 500]) {
        const result = await read(status, of(`evatr-${code}`, { ergOrt: 'A' }));
        expect(result).toMatchObject({ outcome, isOwnForm: true });
      }
    },
  );

  it.each<[string, number, unknown, object]>([
    ['no date', 404, { status: 'evatr-2001' }, unexpected],
    [
      'another number',
      404,
      of('evatr-2001', { angefragteUstid: 'ATU1' }),
      { failure: 'otherNumber' },
    ],
    ['a web page', 200, '<html></html>', unexpected],
    ['a page that is not found', 404, '<html></html>', unexpected],
    ['a redirect', 302, of('evatr-2001'), unexpected],
    ['a page of a gateway', 503, '<html></html>', down],
    ['a page of a firewall', 403, '', { failure: 'forbidden' }],
    ['a status of another kind', 200, { anfrageZeitpunkt, status: 2001 }, unexpected],
    ['a name of every object', 404, of('toString'), unexpected],
  ])('says for %s what is known', async (_, status, body, outcome) => {
    expect(await read(status, body)).toMatchObject({ outcome });
  });

  it('is never a “no” for another status (R43)', async () => {
    const nos = ['evatr-2001', 'evatr-2002', 'evatr-2006'];
    const unknown = fc.sample(
      fc
        .oneof(fc.stringMatching(/^evatr-[0-9]{4}$/), fc.string())
        .filter((status) => !nos.includes(status)),
      codes,
    );
    const found = new Set<string>();
    for (let http = 200; http < 600; http += 1) {
      for (const status of [...nos, ...nos.map((code) => `${code} `), 'EVATR-2001', ...unknown]) {
        const { outcome } = await read(http, of(status));
        if (outcome.kind === 'answered' && !outcome.answer.valid) found.add(status);
      }
    }

    const wrong = [...found].filter((status) => !nos.includes(status));
    reportFigure(
      'R43',
      `BZSt: 400 HTTP statuses, ${codes} unknown ones each: ${wrong.length} false “no”`,
    );
    expect([...found].toSorted()).toEqual(nos);
  });
});

describe('a question to the BZSt (rule M11)', () => {
  const url = 'https://api.evatr.vies.bzst.de/app/v1/abfrage';
  const printed = (more: object): string =>
    JSON.stringify({ anfragendeUstid: 'DE123456789', angefragteUstid: 'ATU12345678', ...more });

  it.each<[string, Question, object]>([
    ['simple', simple, {}],
    ['simple without a city', { ...simple, trader: { name: 'Test GmbH' } }, {}],
    [
      'qualified',
      { ...qualified, trader: { ...trader, companyType: 'AT-1' } },
      { firmenname: 'Test GmbH', ort: 'Stadt', strasse: 'Teststr. 1', plz: '12345' },
    ],
  ])('is %s, with Greece as EL, and is read again from its evidence', async (_, question, more) => {
    const greek = { ...question, vatNumber: { registryCode: 'EL', number: '999999901' } as const };
    const asked = bzst.ask(greek) as { readonly body: string };
    const sent = { anfragendeUstid: 'DE123456789', angefragteUstid: 'EL999999901', ...more };

    expect(asked).toMatchObject({ method: 'POST', path: '/abfrage' });
    expect(JSON.parse(asked.body)).toEqual(sent);
    const again = await bzst.readSent({ url, request: Buffer.from(asked.body) });
    expect(again).toMatchObject({ vatNumber: greek.vatNumber, requester: question.requester });
    expect(JSON.parse((bzst.ask(again) as { readonly body: string }).body)).toEqual(sent);
  });

  it.each<[string, string]>([
    ['nothing', '{}'],
    ['no JSON', '['],
    ['another field', printed({ x: 'y' })],
    ['no number', printed({ angefragteUstid: 'X1' })],
    ['a German number', printed({ angefragteUstid: 'DE811115368' })],
    ['a requester of another country', printed({ anfragendeUstid: 'ATU12345678' })],
    ['a name without a city', printed({ firmenname: 'Test GmbH' })],
    ['a city that is no text', printed({ firmenname: 'Test GmbH', ort: 1 })],
  ])('cannot be read again from %s', async (_, body) => {
    await expect(bzst.readSent({ url, request: Buffer.from(body) })).rejects.toThrow(Error);
  });

  it('cannot be read again from a request to another address', async () => {
    const sent = { url: url.replace('abfrage', 'info'), request: Buffer.from(printed({})) };

    await expect(bzst.readSent(sent)).rejects.toThrow('no question to the BZSt');
  });

  it('is never asked without a German requester', () => {
    for (const requester of [undefined, simple.vatNumber]) {
      expect(() => bzst.ask({ ...simple, requester })).toThrow('a German number only');
    }
  });
});

describe('the time of a further question after a failure (rule M11)', () => {
  it.each([
    ['2026-11-20T12:00:00Z', 1, '2026-11-20T12:05:00Z'],
    ['2026-11-20T12:00:00Z', 2, '2026-11-20T12:15:00Z'],
    ['2026-11-20T12:00:00Z', 3, '2026-11-20T13:00:00Z'],
    ['2026-11-20T12:00:00Z', 9, '2026-11-20T13:00:00Z'],
    // 23:00 in Berlin is 22:00 in winter and 21:00 in summer.
    ['2026-11-20T21:50:00Z', 1, '2026-11-20T21:55:00Z'],
    ['2026-11-20T21:55:00Z', 1, '2026-11-21T04:00:00Z'],
    ['2026-07-20T20:55:00Z', 1, '2026-07-21T03:00:00Z'],
    ['2026-11-21T00:30:00Z', 3, '2026-11-21T04:00:00Z'],
    ['2026-11-21T03:59:00Z', 1, '2026-11-21T04:04:00Z'],
    // The night in which summer time begins.
    ['2026-03-28T22:30:00Z', 3, '2026-03-29T03:00:00Z'],
  ])('is, from %s after %i attempts, %s', (endedAt, attempts, expected) => {
    expect(new Date(retryAt(Date.parse(endedAt), attempts, 0.5))).toEqual(new Date(expected));
  });
});
