import { describe, expect, it } from 'vitest';
import {
  ApiStatusError,
  InvalidArgumentError,
  VatfxClient,
  VatfxError,
} from '../../client/src/index.ts';
import { shareService } from '../support/start-service.ts';
import { answeredBy, clientOf, errorOf } from './support/client-of.ts';

const service = shareService();

describe('InvalidArgumentError', () => {
  const url = 'http://127.0.0.1:8080';
  const anAddress = "invalid 'url' — expected an address such as http://127.0.0.1:8080";
  const aKey = "invalid 'key' — expected an API key, which begins with vfx_, without blanks";

  it.each([
    ['an address without http://', 'localhost:8080', ', with http:// or https:// in front'],
    ['another scheme', 'ftp://vat.example', ', with http:// or https:// in front'],
    ['no address', 'vat.example', ''],
    ['an empty text', '', ''],
    ['undefined', undefined, ''],
    ['a password', 'https://me:secret@vat.example', ', without a user, a password, ? or #'],
    ['a query', 'https://vat.example/?a=1', ', without a user, a password, ? or #'],
    ['a fragment', 'https://vat.example/#/rates', ', without a user, a password, ? or #'],
  ])('is thrown by the constructor for the url: %s', (_what, given, sentence) => {
    expect(() => new VatfxClient({ url: given as string, key: 'vfx_test' })).toThrow(
      expect.objectContaining({
        name: 'InvalidArgumentError',
        field: 'url',
        message: anAddress + sentence,
      }),
    );
  });

  it.each([
    ['undefined', undefined, '; the key is undefined'],
    ['null', null, '; the key is null'],
    ['a number', 7, '; the key is number'],
    ['an empty text', '', ''],
    ['a blank', 'a b', ''],
    ['a line break', 'a\r\nx-header: y', ''],
    ['another script', 'ключ', ''],
  ])('is thrown by the constructor for the key: %s', (_what, given, sentence) => {
    expect(() => new VatfxClient({ url, key: given as string })).toThrow(
      expect.objectContaining({
        name: 'InvalidArgumentError',
        field: 'key',
        message: aKey + sentence,
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
  ])('is thrown for a check of %j and %j without a request', async (country, number) => {
    const before = answeredBy(service()).length;

    expect(await errorOf(clientOf(service()).checkVat(country, number))).toBeInstanceOf(
      InvalidArgumentError,
    );
    expect(answeredBy(service())).toHaveLength(before);
  });

  it('has no status, because the service did not answer', async () => {
    const error = await errorOf(clientOf(service()).rates('yesterday'));

    expect(error).toBeInstanceOf(VatfxError);
    expect(error).not.toBeInstanceOf(ApiStatusError);
    expect(error).not.toHaveProperty('status');
  });
});
