import { describe, expect, it } from 'vitest';
import { shareService, startService } from '../support/start-service.ts';

type Answer = {
  readonly territories: readonly {
    readonly code: string;
    readonly tedbRates: readonly Readonly<Record<string, unknown>>[];
  }[];
  readonly count: number;
  readonly decided?: boolean;
};

const service = shareService({ lived: ['2026-11-20T16:00:00Z'] });

async function read(path: string): Promise<Answer> {
  const { status, text } = await service().get(path);
  expect([status, path]).toEqual([200, path]);
  return JSON.parse(text) as Answer;
}

describe('GET /territories (rule G8)', () => {
  it('lists all territories with law, postcodes and the fields in order', async () => {
    const { territories, count } = await read('/territories');

    expect(count).toBe(territories.length);
    expect(count).toBeGreaterThan(40);
    expect(territories[0]).toMatchObject({
      code: 'ES-CN',
      name: 'Canary Islands',
      country: 'ES',
      vatTerritory: 'outside',
      treatAs: null,
      rates: { tax: 'IGIC', standard: 7, reduced: [0, 1, 3, 5], since: '2020-01-01' },
      postcodes: [{ prefix: '35' }, { prefix: '38' }],
    });
    expect(Object.keys(territories[0] ?? {}).join(' ')).toBe(
      'code name country alsoKnownAs vatTerritory treatAs rates appliesTo note legalBasis postcodes tedbRates',
    );
  });

  it('lists those of a country, in both forms', async () => {
    const ofSpain = await read('/territories?country=es');

    expect(ofSpain.territories.map(({ code }) => code)).toEqual(['ES-CN', 'ES-CE', 'ES-ML']);
    expect(await read('/territories/ES')).toEqual(ofSpain);
    expect(await read('/territories/SE')).toEqual({ territories: [], count: 0 });
  });

  it('finds the territory of a postcode, and says whether it is decided', async () => {
    const [canary, madrid, livigno] = [
      await read('/territories?country=ES&postcode=35001'),
      await read('/territories?country=ES&postcode=28001'),
      await read('/territories?country=IT&postcode=23030'),
    ];

    expect(canary).toMatchObject({ territories: [{ code: 'ES-CN' }], count: 1, decided: true });
    expect(madrid).toEqual({ territories: [], count: 0, decided: true });
    expect(livigno).toMatchObject({ territories: [{ code: 'IT-LIV' }], decided: false });
  });

  it.each([
    ['/territories?country=FO&postcode=100', 'FO'],
    ['/territories/MC', 'MC'],
    ['/territories?country=CH&postcode=8238', 'DE-BUS'],
    ['/territories?country=CY&postcode=9900', 'CY-N'],
    ['/territories?country=CY&postcode=99%20300', 'CY-N'],
    ['/territories?country=GB&postcode=GX11%201AA', 'GI'],
  ])('%s is decided: %s', async (path, code) => {
    expect(await read(path)).toMatchObject({ territories: [{ code }], count: 1, decided: true });
  });

  it('has the standard rate of the Canary Islands from TEDB, which is no row of goods', async () => {
    const { territories } = await read('/territories/IC');
    const goods = await service().get('/rates/categories?country=ES&territories=include&limit=500');

    expect(territories).toMatchObject([
      {
        code: 'ES-CN',
        tedbRates: [{ kind: 'standard', treatment: 'rate', rate: 7, territory: 'Canary Islands' }],
      },
    ]);
    expect(goods.text).toContain('"country":"ES"');
    expect(goods.text).not.toContain('Canary');
  });

  it('shows the rates of TEDB beside those of law, and merges neither', async () => {
    const { territories } = await read('/territories/AT');

    expect(territories).toMatchObject([
      { code: 'AT-JUN', rates: { standard: 19 }, appliesTo: 'seller established there' },
      { code: 'AT-MIT', rates: { standard: 19 } },
    ]);
    for (const { tedbRates } of territories) {
      expect(tedbRates).toMatchObject([
        { kind: 'reduced', treatment: 'rate', rate: 19, territory: 'Jungholz, Mittelberg' },
      ]);
    }
  });

  it('answers before the first snapshot, without rates of TEDB', async () => {
    const own = await startService();
    const { text } = await own.get('/territories/AT');

    expect((JSON.parse(text) as Answer).territories.map(({ tedbRates }) => tedbRates)).toEqual([
      [],
      [],
    ]);
  });

  const country = "invalid 'country' — expected a Member State";
  const postcode = "invalid 'postcode' — expected 2 to 10 letters and digits, with a country";
  it.each([
    ['/territories?country=', country],
    ['/territories?country=UK', country],
    ['/territories?country=XX&postcode=35001', country],
    ['/territories?country=ES&country=IT', country],
    ['/territories/US', country],
    ['/territories?postcode=35001', postcode],
    ['/territories?country=ES&postcode=', postcode],
    ['/territories?country=ES&postcode=1&postcode=2', postcode],
    ['/territories?x=1', "unknown parameter 'x'"],
    ['/territories/ES?postcode=35001', "unknown parameter 'postcode'"],
  ])('refuses %s', async (path, error) => {
    const { status, text } = await service().get(path);

    expect([status, JSON.parse(text)]).toEqual([400, { error }]);
  });
});
