import { describe, expect, it } from 'vitest';
import {
  explainCheck,
  explainPending,
  explainUncompared,
  hintInWords,
  requestDateInWords,
} from '../../web/src/check/check-words.ts';
import { sentenceOfCheck } from '../../web/src/check/proof-words.ts';
import { summariseChecks } from '../../web/src/check/check-results.ts';
import type { StoredCheck } from '../../web/src/wire.ts';

const pending = {
  id: 'vc_1',
  status: 'pending',
  countryCode: 'DE',
  vatNumber: '999999901',
  requestDate: null,
  valid: null,
  name: null,
  address: null,
  consultationNumber: null,
  requester: null,
  trader: null,
  traderMatch: null,
  registry: 'vies',
  queriedNumber: 'DE999999901',
  hint: null,
  reference: null,
  error: 'MS_UNAVAILABLE',
  attempts: 1,
  batchId: null,
  createdAt: '2026-11-17T14:00:00.000Z',
  answeredAt: null,
  nextAttemptAt: '2026-11-17T14:01:00.000Z',
  expiresAt: '2026-11-20T14:00:00.000Z',
  validFrom: null,
  validTo: null,
} as const satisfies StoredCheck;

const ended = { ...pending, answeredAt: '2026-11-17T14:00:01.000Z', expiresAt: null } as const;
const answered = {
  ...ended,
  status: 'answered',
  error: null,
  requestDate: '2026-11-17+01:00',
} as const;

const nothing = { name: null, street: null, postcode: null, city: null, companyType: null };

/** A registered number whose registry has other data of some fields. */
function differing(...fields: readonly (keyof typeof nothing)[]): StoredCheck {
  const differences = Object.fromEntries(fields.map((field) => [field, 'invalid']));
  const traderMatch = { ...nothing, postcode: 'valid', ...differences } as const;
  return { ...answered, valid: true, traderMatch };
}

describe('explainPending (rule K19)', () => {
  it.each([
    [{}, 'Germany’s registry is unavailable; retrying until Friday, 14:00 UTC'],
    [
      { countryCode: 'US', queriedNumber: 'FR17698800935' },
      'France’s registry is unavailable; retrying until Friday, 14:00 UTC',
    ],
    [
      { countryCode: 'el', queriedNumber: 'EL999999901', error: 'TIMEOUT' },
      'Greece’s registry did not answer in time; retrying until Friday, 14:00 UTC',
    ],
    [
      {
        countryCode: 'CY',
        queriedNumber: 'CY99999999L',
        error: 'the registry cannot be reached',
      },
      'Cyprus’ registry could not be queried (the registry cannot be reached); retrying until Friday, 14:00 UTC',
    ],
    [
      { error: 'SERVICE_UNAVAILABLE', expiresAt: '2026-12-17T14:00:00.000Z' },
      'VIES, through which all registries are queried, is unavailable; retrying until 17 Dec, 14:00 UTC',
    ],
    [
      { error: null, attempts: 0 },
      'Waiting for Germany’s registry; trying until Friday, 14:00 UTC',
    ],
    [
      { error: null },
      'Germany’s registry failed a short time ago, so the number is asked a second time in a minute',
    ],
  ])('says with %j: %s', (fields, words) => {
    expect(explainPending({ ...pending, ...fields })).toBe(words);
  });
});

describe('explainCheck (rule K6)', () => {
  const refused = { ...ended, status: 'rejected', error: 'INVALID_INPUT' } as const;
  it.each<[StoredCheck, string, string, boolean]>([
    [{ ...answered, valid: true }, 'good', 'Valid', false],
    [{ ...answered, valid: false }, 'bad', 'Not registered', false],
    [pending, 'hint', 'Pending', true],
    [refused, 'problem', 'Not a possible VAT number', false],
    [{ ...refused, countryCode: 'GB', queriedNumber: null }, 'problem', 'Not in VIES', false],
    [differing('city'), 'problem', 'Valid, but the city does not match', false],
    [
      differing('name', 'city', 'companyType'),
      'problem',
      'Valid, but the name, city and company type do not match',
      false,
    ],
    [{ ...refused, error: 'INVALID_REQUESTER' }, 'problem', 'The requester is refused', true],
    [{ ...ended, status: 'expired' }, 'problem', 'No answer in time', true],
  ])('explains %o as %s: %s', (check, kind, title, isOpen) => {
    const verdict = explainCheck(check);

    expect([verdict.kind, verdict.title]).toEqual([kind, title]);
    expect(verdict.text.includes('says nothing about the number')).toBe(isOpen);
  });
});

describe('a check that has expired', () => {
  it.each([
    [{}, 'gave no answer before', 'VIES gave no answer about DE 999999901.'],
    // The registry answered “not registered” near an outage, which is no answer yet (rule K9).
    [
      { error: null },
      'did not confirm it before',
      'VIES gave no confirmed answer about DE 999999901.',
    ],
    [
      { error: null, attempts: 0 },
      'gave no answer before',
      'VIES gave no answer about DE 999999901.',
    ],
  ])('with %j is said to have got none: %s', (fields, text, sentence) => {
    const check = { ...ended, status: 'expired', ...fields } as const;

    expect(explainCheck(check).text).toContain(text);
    expect(sentenceOfCheck(check)).toContain(sentence);
  });
});

describe('remarks and matches in words', () => {
  it.each([
    ['form: expected 8 digits', 'It cannot be a number of Hungary: expected 8 digits.'],
    ['check digit: expected 3 or 7', 'The check digit seems wrong: 3 or 7 is expected.'],
    ['requester form: expected U and 8 digits', 'The requester cannot be a number of its country'],
    ['requester check digit: expected 8', 'The check digit of the requester seems wrong: 8'],
    ['requester check digit does not match', 'The check digit of the requester does not match'],
    ["requester's own number", 'the number of the requester itself'],
    ['prefix removed', 'The letters of the country in front are not a part of the number'],
    ['leading 0 added', 'The number was queried with a 0 in front.'],
    ['a later hint', 'a later hint'],
  ])('says for “%s”: %s', (hint, words) => {
    expect(hintInWords({ hint, countryCode: 'HU', valid: false })).toContain(words);
  });

  it('say nothing about the look of a number that is registered', () => {
    const hints = [
      'check digit: expected 3',
      'check digit does not match',
      'form: expected 8 digits',
    ];
    const said = [...hints, 'prefix removed'].map((hint) =>
      hintInWords({ hint, countryCode: 'HU', valid: true }),
    );

    expect(said.map((one) => one === undefined)).toEqual([true, true, true, false]);
  });

  it('are summed up with the valid ones first, and pending ones last', () => {
    const checks = [pending, { ...answered, valid: false } as const, differing('city')];

    expect(summariseChecks([...checks, { ...answered, valid: true }])).toBe(
      '1 valid, 1 valid with data that does not match, 1 not registered, 1 pending',
    );
  });
});

describe('explainUncompared', () => {
  const trader = { name: 'A', street: null, postcode: null, city: null, companyType: null };
  const none = { name: null, street: null, postcode: null, city: null, companyType: null };
  it.each([
    [true, null, null, 'not compared, because no name or address of the customer was sent'],
    [
      true,
      trader,
      { ...none, name: 'not processed' },
      'not compared: the registry compared nothing of the name and address that were sent',
    ],
    [
      true,
      { ...trader, name: null, companyType: 'AT-1' },
      { ...none, companyType: 'valid' },
      'not compared, because no name or address of the customer was sent',
    ],
    // A comparison that cannot be read may be one.
    [true, trader, none, undefined],
    [true, trader, { ...none, name: 'invalid' }, undefined],
    [false, null, null, undefined],
  ] as const)('of an answer %j about %j with %j: %s', (valid, sent, traderMatch, words) => {
    const said = explainUncompared({ ...answered, valid, trader: sent, traderMatch });

    expect(said === undefined ? said : said.slice(0, words?.length)).toBe(words);
  });
});

describe('requestDateInWords (interface 2.4)', () => {
  it.each([
    ['2026-11-22+01:00', '22 November 2026 (time zone UTC+1)'],
    ['2026-07-01+02:00', '1 July 2026 (time zone UTC+2)'],
    ['2026-11-22Z', '22 November 2026 (time zone UTC)'],
    ['2026-13-45+01:00', '2026-13-45+01:00'],
    ['22.11.2026', '22.11.2026'],
  ])('prints %s as %s', (requestDate, words) => {
    expect(requestDateInWords(requestDate)).toBe(words);
  });
});
