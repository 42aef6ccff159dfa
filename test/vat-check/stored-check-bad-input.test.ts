import { describe, expect, it } from 'vitest';
import { addCaller, usedBy } from '../api/support/caller.ts';
import { errorForm, formOf } from '../support/error-form.ts';
import { shareService } from '../support/start-service.ts';
import { austrian, postCheck } from './support/stored-checks-api.ts';

const long = 'x'.repeat(201);
const whole = (name: string, min: number, max: number) =>
  `invalid '${name}' — expected a whole number from ${min} to ${max}`;
const wait = whole('waitSeconds', 0, 10);
const age = whole('maxAgeSeconds', 0, 7_776_000);
const hours = whole('expiresInHours', 1, 720);
const country = "invalid 'countryCode' — expected 2-letter ISO code";
const number = "invalid 'vatNumber' — expected a VAT number";
const reference = "invalid 'reference' — expected at most 100 printable characters";
const text = (field: string) =>
  `invalid 'trader.${field}' — expected at most 200 printable characters`;
const companyType = "invalid 'trader.companyType' — expected a company type such as DE-1";

/** Each with the text of its 400, or 422. */
const rows: readonly (readonly [body: unknown, error: string])[] = [
  ['{', 'invalid JSON body'],
  ['', "invalid 'body' — expected a JSON object"],
  [[], "invalid 'body' — expected a JSON object"],
  ['null', "invalid 'body' — expected a JSON object"],
  ['"x"', "invalid 'body' — expected a JSON object"],
  [{}, country],
  [{ ...austrian, colour: 'red' }, "unknown field 'colour'"],
  [{ ...austrian, checks: [] }, "unknown field 'checks'"],
  ['{"countryCode":"AT","vatNumber":"U1","__proto__":1}', "unknown field '__proto__'"],
  [{ ...austrian, [long]: 1 }, `unknown field '${'x'.repeat(100)}'`],
  ...[undefined, null, 1, true, [], {}].flatMap((odd) => [
    [{ ...austrian, countryCode: odd }, country] as const,
    [{ ...austrian, vatNumber: odd }, number] as const,
  ]),
  ...['', 'A', 'AUT', 'GB', 'ſe'].map(
    (odd) => [{ ...austrian, countryCode: odd }, 'INVALID_INPUT'] as const,
  ),
  ...['', ' ', '1', 'U#1', 'n/a', '<b>12</b>', '١٢٣', 'x'.repeat(13), 'x'.repeat(10_000)].map(
    (odd) => [{ ...austrian, vatNumber: odd }, 'INVALID_INPUT'] as const,
  ),
  // Blanks count: the number is stored as it was sent.
  [{ ...austrian, vatNumber: 'U99999901'.padEnd(65) }, 'INVALID_INPUT'],
  ...[-1, 1.5, '2', true, [], {}, 1e9].flatMap((odd) => [
    [{ ...austrian, waitSeconds: odd }, wait] as const,
    [{ ...austrian, maxAgeSeconds: odd }, age] as const,
    [{ ...austrian, expiresInHours: odd }, hours] as const,
  ]),
  [{ ...austrian, waitSeconds: 11 }, wait],
  [{ ...austrian, maxAgeSeconds: 7_776_001 }, age],
  [{ ...austrian, expiresInHours: 0 }, hours],
  [{ ...austrian, expiresInHours: 721 }, hours],
  ...[1, true, [], {}, 'x'.repeat(101), 'a\nb', '\0', '\uD800', '\u007F'].map(
    (odd) => [{ ...austrian, reference: odd }, reference] as const,
  ),
  ...['x', 1, true, []].flatMap((odd) => [
    [{ ...austrian, requester: odd }, "invalid 'requester' — expected a JSON object"] as const,
    [{ ...austrian, trader: odd }, "invalid 'trader' — expected a JSON object"] as const,
  ]),
  [{ ...austrian, requester: {} }, "invalid 'requester.countryCode' — expected 2-letter ISO code"],
  [
    { ...austrian, requester: { countryCode: 'NL' } },
    "invalid 'requester.vatNumber' — expected a VAT number",
  ],
  [
    { ...austrian, requester: { countryCode: 'GB', vatNumber: '123456789' } },
    "invalid 'requester' — expected a possible VAT number",
  ],
  [
    { ...austrian, requester: { countryCode: 'NL', vatNumber: '854265259B01'.padEnd(65) } },
    "invalid 'requester' — expected a possible VAT number",
  ],
  [
    { ...austrian, requester: { countryCode: 'NL', vatNumber: '1', name: 'x' } },
    "unknown field 'requester.name'",
  ],
  [{ ...austrian, trader: { vatNumber: '1' } }, "unknown field 'trader.vatNumber'"],
  ...['name', 'street', 'postcode', 'city'].flatMap((field) =>
    [1, true, [], {}, long, 'a\nb', '\uDC00'].map(
      (odd) => [{ ...austrian, trader: { [field]: odd } }, text(field)] as const,
    ),
  ),
  ...[1, 'DE', 'de-1', 'DE-0', 'DE-100', long, '---'].map(
    (odd) => [{ ...austrian, trader: { companyType: odd } }, companyType] as const,
  ),
];

describe('POST /vatchecks with a body that cannot be (rules K4 and K6)', () => {
  const service = shareService();

  it('accepts texts of the largest size', async () => {
    const name = '𝔵'.repeat(200);
    const largest = {
      vatNumber: 'U99999901'.padEnd(64),
      trader: { name },
      reference: '𝔵'.repeat(100),
    };

    const { answer } = await postCheck(service(), { ...austrian, ...largest });

    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      201,
      expect.objectContaining({ vatNumber: largest.vatNumber }),
    ]);
  });

  it.each(rows)('refuses %j', async (body, error) => {
    const caller = await addCaller(service());
    const before = service().sandbox.requests.vies.calls();

    const { answer } = await postCheck(caller, body);

    expect(formOf(answer)).toEqual(errorForm(error === 'INVALID_INPUT' ? 422 : 400, error));
    expect(await usedBy(caller)).toEqual([1, 0]);
    expect(service().sandbox.requests.vies.calls()).toBe(before);
    const { db } = service().core;
    const stored = db.selectFrom('vat_checks').select('id').where('key_id', '=', caller.id);
    expect(await stored.execute()).toEqual([]);
  });
});
