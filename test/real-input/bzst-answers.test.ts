import { describe, expect, it } from 'vitest';
import { bzst } from '../../src/vat-check/registries/bzst/bzst.ts';
import {
  isNo,
  outcomeOf,
  qualifiedQuestion,
  readBzst,
  simpleQuestion,
} from '../vat-check/support/bzst-texts.ts';
import { hasCaptures, readCapture, readJsonCapture, unlessAbsent } from './captures.ts';

const capture = (name: string): Buffer => readCapture(`registries/bzst/${name}.json`);
const jsonCapture = (name: string): unknown => readJsonCapture(`registries/bzst/${name}.json`);

describe.skipIf(!hasCaptures)(`captures of the BZSt${unlessAbsent}`, () => {
  const match = { name: 'valid', street: 'valid', postcode: 'valid', city: 'valid' };

  it.each([
    ['answer_qualified_A_2025-09-22', '2025-09-22+02:00', '5b1f4b5f03c27585', match],
    ['answer_qualified_A_2026-01-12', '2026-01-12+01:00', 'd6f1148c48118a14', match],
    ['answer_simple_2025-09-22', '2025-09-22+02:00', 'c4e53ec694b7c2a6', {}],
    ['fixture_response-qualified-ok', '2025-07-01+02:00', '0123456789123456', match],
    ['fixture_response-simple-ok', '2025-07-01+02:00', '0123456789abcdef', {}],
  ])('are answers: %s', async (name, requestDate, consultationNumber, traderMatch) => {
    const { outcome, unreadable } = await readBzst(capture(name));

    expect(outcome).toMatchObject({ answer: { valid: true, requestDate, consultationNumber } });
    expect(outcome).toMatchObject({ answer: { traderMatch } });
    expect(unreadable).toBeUndefined();
  });

  it('have a period', async () => {
    const { outcome } = await readBzst(capture('fixture_response-timespan'));

    const period = { validFrom: '2024-01-01', validTo: '2024-12-31' };
    expect(outcome).toMatchObject({ answer: { valid: false, ...period } });
  });

  it.each([
    ['simple', simpleQuestion],
    ['qualified', qualifiedQuestion],
  ])('have the form of a %s question', (name, question) => {
    const { body } = { body: '', ...bzst.ask(question) };

    expect(JSON.parse(body)).toEqual(jsonCapture(`fixture_request-${name}`));
  });

  it('have 26 statuses, of which three are a "no", with any HTTP status and with or without an id', async () => {
    const listed = jsonCapture('statusmeldungen_2026-04-14_rebuilt') as {
      readonly status: string;
      readonly httpcode: number | null;
      readonly meldung: string;
    }[];
    const anfrageZeitpunkt = '2026-04-14T10:27:01.123456789+02:00';

    const found = new Map<string, string>();
    for (const { httpcode, ...message } of listed) {
      for (const status of [httpcode ?? 400, 200, 400, 403, 404, 429, 500, 503]) {
        for (const id of [undefined, '0123456789abcdef']) {
          const outcome = await outcomeOf(JSON.stringify({ id, anfrageZeitpunkt, ...message }), {
            status,
          });
          const kind = isNo(outcome) ? 'no' : outcome.kind;
          expect(found.getOrInsert(message.status, kind)).toBe(kind);
        }
      }
    }

    const listOf = (kind: string) =>
      [...found].filter(([, one]) => one === kind).map(([status]) => status.slice(-4));
    expect(found.size).toBe(26);
    expect(listOf('no')).toEqual(['2001', '2002', '2006']);
    expect(listOf('answered')).toEqual(['0000', '2008']);
    expect(listOf('rejected')).toEqual(['0005', '0012', '2003']);
    expect(listOf('requesterRejected')).toEqual(['0004', '2005']);
    expect(listOf('failed')).toEqual(['0001', '0002', '0003', '0006', '0007']);
    expect(listOf('serviceUnavailable')).toHaveLength(11);
  });
});
