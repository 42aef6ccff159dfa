import { describe, expect, it } from 'vitest';
import { InvalidArgumentError, VatfxClient } from '../../client/src/index.ts';
import { shareService } from '../support/start-service.ts';
import { answeredBy, clientOf, errorOf } from './support/client-of.ts';

const service = shareService();

describe('InvalidArgumentError', () => {
  const url = 'http://127.0.0.1:8080';
  const scheme = ', with http:// or https:// in front';
  const bare = ', without a user, a password, ? or #';

  it.each([
    ['url', 'localhost:8080', scheme],
    ['url', 'ftp://vat.example', scheme],
    ['url', 'vat.example', ''],
    ['url', '', ''],
    ['url', undefined, ''],
    ['url', 'https://me:secret@vat.example', bare],
    ['url', 'https://vat.example/?a=1', bare],
    ['url', 'https://vat.example/#/rates', bare],
    ['key', undefined, '; the key is undefined'],
    ['key', null, '; the key is null'],
    ['key', 7, '; the key is number'],
    ['key', '', ''],
    ['key', 'a b', ''],
    ['key', 'a\r\nx-header: y', ''],
    ['key', 'ключ', ''],
  ] as const)('is thrown by the constructor for the %s %j', (field, given, sentence) => {
    const expected =
      field === 'url'
        ? "invalid 'url' — expected an address such as http://127.0.0.1:8080"
        : "invalid 'key' — expected an API key, which begins with vfx_, without blanks";
    const options = { url, key: 'vfx_test', [field]: given as string };

    expect(() => new VatfxClient(options)).toThrow(
      expect.objectContaining({
        name: 'InvalidArgumentError',
        field,
        message: expected + sentence,
      }),
    );
  });

  it.each(['', 'dates', '2026-11-20/x', '../usage', '2026-11-20?x'])(
    'is thrown for the date %j without a request',
    async (date) => {
      const client = clientOf(service());
      const before = answeredBy(service()).length;

      for (const call of [client.rates(date), client.fx(date), client.changesOn(date)]) {
        expect(await errorOf(call)).toMatchObject({
          name: 'InvalidArgumentError',
          message: "invalid 'date' — expected YYYY-MM-DD",
          field: 'date',
          expected: 'YYYY-MM-DD',
        });
      }
      expect(answeredBy(service())).toHaveLength(before);
    },
  );

  it.each([
    ['', '100'],
    ['AT', ''],
    ['..', '100'],
    ['AT', '.'],
    [undefined as unknown as string, '100'],
    ['AT', 100 as unknown as string],
    ['999999901', undefined as unknown as string],
    [undefined as unknown as string, undefined as unknown as string],
  ])('is thrown for a check of %j and %j without a request', async (country, number) => {
    const before = answeredBy(service()).length;

    expect(await errorOf(clientOf(service()).checkVat(country, number))).toBeInstanceOf(
      InvalidArgumentError,
    );
    expect(answeredBy(service())).toHaveLength(before);
  });

  it('explains a check of a number that does not say its country', async () => {
    expect(await errorOf(clientOf(service()).checkVat('999999901'))).toMatchObject({
      field: 'number',
      expected:
        'a VAT number that begins with the letters of its country, or the country as the first argument',
    });
  });

  it('is not thrown for a number alone, whose options are those of the call', async () => {
    const signal = AbortSignal.abort(new Error('stopped'));

    expect(await errorOf(clientOf(service()).checkVat('DE999999901', { signal }))).toBe(
      signal.reason,
    );
  });
});
