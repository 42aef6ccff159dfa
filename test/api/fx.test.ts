import { describe, expect, it } from 'vitest';
import { shareService, startService } from '../support/start-service.ts';
import { publishValue } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';

/** The service of tests that only read. */
const onFriday = shareService({ lived: [friday] });

type Snapshot = { readonly date: string; readonly rates: Readonly<Record<string, number>> };

function parse(text: string): Snapshot {
  return JSON.parse(text) as Snapshot;
}

describe('GET /fx (interface 4.4)', () => {
  it('names no neighbour of a date while the job has never run', async () => {
    const service = await startService();

    const { status, headers } = await service.get('/fx/2026-11-20');

    expect(status).toBe(404);
    expect(headers).not.toHaveProperty('link');
  });

  it('answers the newest publication, from 16:00 in Frankfurt on', async () => {
    const service = await startService({ lived: ['2026-11-19T16:00:00Z'] });
    const dates: string[] = [];
    // Until 16:00 on Friday, from then on, on Saturday, and on Monday.
    for (const moment of ['20T14:59:59', '20T15:00:00', '21T16:00:00', '23T15:00:00']) {
      await service.liveAt(`2026-11-${moment}Z`);
      dates.push(parse((await service.get('/fx')).text).date);
    }

    expect(dates).toEqual(['2026-11-19', '2026-11-20', '2026-11-20', '2026-11-23']);
  });
});

describe('an exchange-rate snapshot (interface 2.3)', () => {
  it('is one line of JSON: date, base EUR, rates', async () => {
    const { text } = await onFriday().get('/fx');

    expect(text).toMatch(/^\{"date":"2026-11-20","base":"EUR","rates":\{"AUD":\d+\.\d+,.*\}\}$/);
    expect(text).not.toMatch(/\s/);
  });

  it('has the whole list, its currencies in alphabetical order', async () => {
    const { rates } = parse((await onFriday().get('/fx')).text);

    expect(Object.keys(rates).join(' ')).toBe(
      'AUD BRL CAD CHF CNY CZK DKK GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN ' +
        'RON SEK SGD THB TRY USD ZAR',
    );
  });

  it('has a value of a currency from the day on which the ECB begins to publish it', async () => {
    const service = await startService({
      script: (scenario) => publishValue(scenario, '2026-11-20', 'AED', '4.26'),
      lived: [friday],
    });

    const before = parse((await service.get('/fx/2026-11-19')).text);
    const after = parse((await service.get('/fx/2026-11-20')).text);

    expect(before.rates).not.toHaveProperty('AED');
    expect(Object.entries(after.rates)[0]).toEqual(['AED', 4.26]);
  });

  it('has each value as the ECB wrote it, without superfluous zeros (contract C11)', async () => {
    const values = { USD: '1.1790', XTA: '7', XTB: '0.000000123', XTC: '1234.000000000000019' };
    const service = await startService({
      script: (scenario) => {
        for (const [currency, value] of Object.entries(values)) {
          publishValue(scenario, '2026-11-20', currency, value);
        }
      },
      lived: [friday],
    });

    const file = await fetch(`${service.sandbox.ecbUrl}eurofxref-daily.xml`);
    const { text } = await service.get('/fx');

    expect(await file.text()).toContain(`currency='USD' rate='1.1790'`);
    const { XTA, XTB, XTC } = values;
    expect(text).toContain(`"USD":1.179,"XTA":${XTA},"XTB":${XTB},"XTC":${XTC},`);
  });
});

describe('GET /fx/YYYY-MM-DD (interface 4.4)', () => {
  it('answers the newest date with the bytes of /fx, and an earlier one, both immutable', async () => {
    const latest = await onFriday().get('/fx');
    const dated = await onFriday().get('/fx/2026-11-20');
    const earlier = await onFriday().get('/fx/2026-09-01');

    expect([dated.status, dated.text]).toEqual([200, latest.text]);
    expect([earlier.status, parse(earlier.text).date]).toEqual([200, '2026-09-01']);
    for (const { headers } of [dated, earlier]) {
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    }
  });

  it.each(['1999-01-03', '2026-08-21', '2026-11-21', '2026-11-23', '9999-12-31'])(
    'answers 404 for %s, which has no publication',
    async (date) => {
      const { status, text } = await onFriday().get(`/fx/${date}`);

      expect([status, text]).toEqual([404, '{"error":"fx snapshot not found"}']);
    },
  );
});

describe('days without a publication (interface 4.4, contract C10)', () => {
  const christmas = shareService({
    at: '2027-01-04T16:00:00Z',
    fxFrom: '2026-12-21',
    lived: ['2027-01-04T16:00:00Z'],
  });

  it.each([
    ['Christmas Day', '2026-12-25', '2026-12-24', '2026-12-28'],
    ['1 January', '2027-01-01', '2026-12-31', '2027-01-04'],
    ['a Saturday', '2027-01-02', '2026-12-31', '2027-01-04'],
  ])('links the 404 of %s to its neighbours', async (_day, date, previous, next) => {
    const { status, headers, text } = await christmas().get(`/fx/${date}`);

    expect([status, text]).toEqual([404, '{"error":"fx snapshot not found"}']);
    expect(headers['link']).toBe(`</fx/${previous}>; rel="prev", </fx/${next}>; rel="next"`);
  });

  it.each([
    ['before the first publication', '2026-10-06', '</fx/2026-10-07>; rel="next"'],
    ['after the newest', '2027-01-05', '</fx/2027-01-04>; rel="prev"'],
  ])('links a 404 %s to its only neighbour', async (_where, date, link) => {
    const { status, headers } = await christmas().get(`/fx/${date}`);

    expect([status, headers['link']]).toEqual([404, link]);
  });
});
