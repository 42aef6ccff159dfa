import { describe, expect, it } from 'vitest';
import { backfill } from '../support/backfill.ts';
import { shareService, startService } from '../support/start-service.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

/** The service of tests that only read. */
const onFriday = shareService({ lived: [friday] });

type Snapshot = {
  readonly version: string;
  readonly source: string;
  readonly rates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

function parse(text: string): Snapshot {
  return JSON.parse(text) as Snapshot;
}

describe('GET /rates (interface 4.1)', () => {
  it('answers 404 while the daily job has never run, also beside backfilled snapshots', async () => {
    const service = await startService();
    const none = await service.get('/rates/2026-11-20');
    await backfill(service, '2026-11-10', '2026-11-12');

    const dated = await service.get('/rates/2026-11-11');
    const latest = await service.get('/rates');

    expect([none.status, none.headers['link']]).toEqual([404, undefined]);
    expect([dated.status, parse(dated.text).version]).toEqual([200, '2026-11-11']);
    expect([latest.status, latest.text]).toEqual([404, '{"error":"no data yet"}']);
  });
});

describe('a rate snapshot (interface 2.1)', () => {
  it('is one line of JSON with its fields in the order of the table', async () => {
    const { text } = await onFriday().get('/rates');

    const head =
      '{"version":"2026-11-20",' +
      '"source":"Taxes in Europe Database (TEDB), European Commission",' +
      '"rates":{"AT":{"country":"Austria",';
    expect(text.slice(0, head.length)).toBe(head);
    expect(text).toContain(
      '"LU":{"country":"Luxembourg","currency":"EUR","flag":"https://flagcdn.com/lu.svg",' +
        '"standard":17,"reduced":[8,14],"super_reduced":3,"parking":14},',
    );
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
  });

  it('has the EU-27 by ISO code in alphabetical order, Greece as GR', async () => {
    const { rates } = parse((await onFriday().get('/rates')).text);

    expect(Object.keys(rates).join(' ')).toBe(
      'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK',
    );
    expect(rates['GR']).toMatchObject({ country: 'Greece', standard: 24 });
    expect(rates['DK']).toMatchObject({ reduced: [], super_reduced: null, parking: null });
  });

  it('has rates by value, as the upstream printed them, and no country without a standard rate (contract C11)', async () => {
    const service = await startService();
    changeRate(service.scenario, 'HU', 'standard', [], '2026-11-01');
    changeRate(service.scenario, 'FR', 'standard', ['25.50'], '2026-11-01');
    changeRate(service.scenario, 'SE', 'standard', ['19.123456789012345'], '2026-11-01');
    changeRate(service.scenario, 'CZ', 'reduced', ['18', '5', '9.5', '10'], '2026-11-01');
    await service.liveAt(friday);

    const { text } = await service.get('/rates');

    expect(Object.keys(parse(text).rates)).toHaveLength(26);
    expect(text).not.toContain('"HU":');
    expect(text).toMatch(/"FR":[^}]*"standard":25\.5,/);
    expect(text).toMatch(/"SE":[^}]*"standard":19\.123456789012345,/);
    expect(text).toMatch(/"CZ":[^}]*"reduced":\[5,9\.5,10,18\]/);
  });

  it.each([
    ['2022-12-31', 'HRK'],
    ['2023-01-01', 'EUR'],
  ])(
    'of %s has the currency of that day for Croatia: %s (contract C14)',
    async (date, currency) => {
      const service = await startService({ lived: [`${date}T12:00:00Z`] });

      const { version, rates } = parse((await service.get('/rates')).text);

      expect([version, rates['HR']?.['currency']]).toEqual([date, currency]);
    },
  );

  it('has the URLs of flags of the configured host', async () => {
    const config = { flagCdnUrl: 'https://flags.example/svg' };
    const service = await startService({ config, lived: [friday] });

    const { rates } = parse((await service.get('/rates')).text);

    expect(rates['GR']?.['flag']).toBe('https://flags.example/svg/gr.svg');
  });
});

describe('GET /rates/YYYY-MM-DD (interface 4.1)', () => {
  it('answers the snapshot whose version is the date, which is immutable', async () => {
    const latest = await onFriday().get('/rates');
    const dated = await onFriday().get('/rates/2026-11-20');

    expect([dated.status, dated.text]).toEqual([200, latest.text]);
    expect(dated.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it.each(['2015-12-31', '2026-11-21', '9999-12-31', '0001-01-01'])(
    'answers 404 for %s, which has no snapshot',
    async (date) => {
      const { status, text } = await onFriday().get(`/rates/${date}`);

      expect([status, text]).toEqual([404, '{"error":"snapshot not found"}']);
    },
  );

  it.each([
    ['before the first', '2026-11-09', '</rates/2026-11-10>; rel="next"'],
    ['in a gap', '2026-11-15', '</rates/2026-11-12>; rel="prev", </rates/2026-11-20>; rel="next"'],
    ['after the newest', '2027-01-01', '</rates/2026-11-20>; rel="prev"'],
  ])('links a 404 %s to its neighbours (contract C10)', async (_where, date, link) => {
    await backfill(onFriday(), '2026-11-10', '2026-11-12');

    const { status, headers } = await onFriday().get(`/rates/${date}`);

    expect([status, headers['link']]).toEqual([404, link]);
  });
});
