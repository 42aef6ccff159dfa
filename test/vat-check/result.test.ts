import { describe, expect, it } from 'vitest';
import { shareService, startService } from '../support/start-service.ts';

type Result = Readonly<Record<string, unknown>>;

describe('the validation result (interface 2.4)', () => {
  const service = shareService();
  const check = async (path: string): Promise<Result> =>
    JSON.parse((await service().get(`/vatcheck/${path}`)).text) as Result;

  it('has its fields in the order of the specification, and no others', async () => {
    const { status, text } = await service().get('/vatcheck/AT/U99999901');

    expect(status).toBe(200);
    expect(text).toBe(
      '{"countryCode":"AT","vatNumber":"U99999901","requestDate":"2026-11-20+01:00",' +
        '"valid":true,"name":"Erfundene Backwaren GmbH",' +
        '"address":"Erfindergasse 1\\nAT-1010 Wien"}',
    );
  });

  it('has valid:false, name and address null for a number that is not on file', async () => {
    const { status, text } = await service().get('/vatcheck/AT/U00000000');

    expect(status).toBe(200);
    expect(text).toBe(
      '{"countryCode":"AT","vatNumber":"U00000000","requestDate":"2026-11-20+01:00",' +
        '"valid":false,"name":null,"address":null}',
    );
  });

  it.each([
    ['the ISO code of Greece', 'GR/999999901', 'GR', '999999901'],
    ['the registry code of Greece', 'EL/999999901', 'EL', '999999901'],
    ['a country with an escape', '%41T/U99999901', 'AT', 'U99999901'],
    ['a number in lower case', 'at/u99999901', 'at', 'u99999901'],
    ['hyphens and dots', 'AT/U-9999.9901', 'AT', 'U-9999.9901'],
    ['blanks, which are escaped', 'AT/%20U%20999%2099901%20', 'AT', ' U 999 99901 '],
    ['an escaped slash', 'AT/U9999%2F9901', 'AT', 'U9999/9901'],
    ['an escaped plus', 'IE/9%2B99903W', 'IE', '9+99903W'],
    ['escapes of plain digits', 'AT/U%39%39999901', 'AT', 'U99999901'],
    [
      'a number that is filled up with hyphens',
      `AT/U99999901${'-'.repeat(100)}`,
      'AT',
      `U99999901${'-'.repeat(100)}`,
    ],
  ])('echoes %s exactly, decoded once', async (_, path, countryCode, vatNumber) => {
    expect(await check(path)).toMatchObject({ countryCode, vatNumber, valid: true });
  });

  it.each([
    ['discloses neither, with ---', 'DE/999999901', true, null, null],
    ['discloses neither, with --- and letters in the number', 'ES/X9999990X', true, null, null],
    ['answers --- for what is not on file', 'FR/11111111111', false, null, null],
    ['answers empty texts for what is not on file', 'IE/1111111A', false, null, null],
    ['leaves the number out as well', 'CZ/11111111', false, null, null],
    [
      'has line breaks on either side',
      'NL/999999901B01',
      true,
      'VERZONNEN HANDEL B.V.',
      'VERZONNENSTRAAT 00068\n1017HL AMSTERDAM',
    ],
    [
      'doubles blanks',
      'CZ/99999902',
      true,
      'Smyšlené pečivo s.r.o.',
      'Smyšlená 1444/2\nPRAHA 4 - MICHLE\n140 00  PRAHA 4',
    ],
    [
      'writes in its own script, with bars',
      'EL/999999901',
      true,
      'ΦΑΝΤΑΣΤΙΚΗ ΕΜΠΟΡΙΚΗ ΑΕ||ΕΠΙΝΟΗΜΑ',
      'ΦΑΝΤΑΣΤΙΚΗΣ 1 \n10431 - ΑΘΗΝΑ',
    ],
    [
      'has signs that XML escapes',
      'FR/ZZ999999902',
      true,
      'SARL INVENTEE & FILS',
      '12 B AVENUE INVENTEE\n\n69002 LYON',
    ],
    [
      'is Northern Ireland',
      'XI/GD999',
      true,
      'IMAGINARY DEPARTMENT',
      'MADE UP HOUSE\nBELFAST\nBT2 9ZZ',
    ],
  ])(
    'has name and address of a registry that %s (contract C23)',
    async (_, path, valid, name, address) => {
      expect(await check(path)).toMatchObject({ valid, name, address });
    },
  );

  it('is the same for the envelope that VIES used before August 2022', async () => {
    service().scenario.apply({ vies: { prefixes: 'soap' } });

    expect(await check('AT/U99999903')).toMatchObject({ valid: true, name: 'Erdachte & Söhne KG' });
    expect(await check('AT/U00000001')).toMatchObject({ valid: false, name: null });
  });
});

describe('requestDate (interface 2.4)', () => {
  it.each([
    ['in winter', '2026-11-20T16:00:00Z', '2026-11-20+01:00'],
    ['in summer', '2026-07-20T16:00:00Z', '2026-07-20+02:00'],
    ['already of the next day there', '2026-07-20T22:00:00Z', '2026-07-21+02:00'],
  ])('is the date of the registry with its offset, %s', async (_, at, requestDate) => {
    const service = await startService({ at });

    const { text } = await service.get('/vatcheck/AT/U99999901');

    expect(JSON.parse(text)).toMatchObject({ requestDate });
  });
});
