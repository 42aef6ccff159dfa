import { describe, expect, it } from 'vitest';
import { setNow } from '../support/sandbox/scripts.ts';
import type { Answer } from '../support/send-request.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';

const fxBanks = ['nbp', 'cnb'] as const;
/** Both banks have published on 3 March; on the next day they are read after midnight. */
const lived = ['2026-03-02T15:00:00Z', '2026-03-03T15:00:00Z', '2026-03-04T00:10:00Z'];
const march = { at: '2026-03-02T15:00:00Z', fxFrom: '2025-12-01', config: { fxBanks } };

type Rates = Readonly<Record<string, { readonly units: number; readonly rate: number }>>;
type BankAnswer = Readonly<Record<string, unknown>> & { readonly rates: Rates };

const parse = ({ text }: Answer): BankAnswer => JSON.parse(text) as BankAnswer;
const errorOf = ({ status, text }: Answer) => [
  status,
  (JSON.parse(text) as { readonly error: string }).error,
];

/** The status with the date and table, or with the error and the seconds of `Retry-After`. */
async function ask(service: TestService, path: string): Promise<readonly unknown[]> {
  const answer = await service.get(path);
  if (answer.status === 200) return [200, parse(answer)['date'], parse(answer)['table']];
  const after = answer.headers['retry-after'];
  return [...errorOf(answer), ...(after === undefined ? [] : [Number(after)])];
}

const notPublished = 'fx rate not published yet';
const minutes = (count: number): number => count * 60;

describe('rates of national banks, by their real publications (national-fx, acceptance)', () => {
  const service = shareService({ ...march, lived });

  it.each([
    [
      '2026-03-03?country=PL&bank=nbp',
      '2026-03-02',
      '041/A/NBP/2026',
      '1 4.2304',
      '1 3.6056',
      '1 0.011155',
    ],
    ['2026-01-03?country=CZ&bank=cnb', '2026-01-02', null, '1 24.17', '1 20.611', '100 6.304'],
    ['2026-03-03?country=CZ&bank=cnb', '2026-03-03', null, '1 24.38', '1 21.01', '100 6.279'],
  ])('/fx/vat/%s is %s', async (path, date, table, ...values) => {
    const answer = await service().get(`/fx/vat/${path}`);
    const { rates, ...found } = parse(answer);

    expect(found).toMatchObject({ date, table, issued: null, basis: 'day' });
    expect(['EUR', 'USD', 'HUF'].map((c) => `${rates[c]?.units} ${rates[c]?.rate}`)).toEqual(
      values,
    );
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      etag: expect.stringMatching(/^"/),
    });
  });

  it('has the fields of rule N6 around the publication, byte for byte', async () => {
    const { text: body } = await service().get('/fx/nbp/2026-03-02');
    const { text } = await service().get('/fx/vat/2026-03-03?country=PL&bank=nbp');

    expect(body).toMatch(
      /^\{"bank":"nbp","date":"2026-03-02","table":"041\/A\/NBP\/2026","quote":"PLN","rates":\{"AUD":\{"units":1,"rate":2.5522\},/,
    );
    expect(text).toBe(
      `{"rule":"vat","taxPoint":"2026-03-03","issued":null,"basis":"day","country":"PL",${body.slice(1, -1)},` +
        '"legalBasis":"Polish VAT act, art. 31a(1)","inForceSince":null}',
    );
  });

  it.each([
    // The issue decides in Poland if it is before the day of the tax point.
    [
      '2026-03-03?country=PL&bank=nbp&issued=2026-02-27',
      '2026-02-26',
      'Polish VAT act, art. 31a(2)',
    ],
    [
      '2026-03-03?country=PL&bank=nbp&issued=2026-03-03',
      '2026-03-02',
      'Polish VAT act, art. 31a(1)',
    ],
    [
      '2026-03-03?country=PL&bank=nbp&issued=2026-03-09',
      '2026-03-02',
      'Polish VAT act, art. 31a(1)',
    ],
    ['2026-03-02?country=PL&bank=nbp', '2026-02-27', 'Polish VAT act, art. 31a(1)'],
    // Midnight in Warsaw and in Prague.
    ['2026-03-02T22:59:59Z?country=PL&bank=nbp', '2026-02-27', 'Polish VAT act, art. 31a(1)'],
    ['2026-03-02T23:00:00Z?country=PL&bank=nbp', '2026-03-02', 'Polish VAT act, art. 31a(1)'],
    ['2026-03-02T22:59:59Z?country=CZ&bank=cnb', '2026-03-02', 'Act No 235/2004 Coll., § 4'],
    ['2026-03-02T23:00:00Z?country=CZ&bank=cnb', '2026-03-03', 'Act No 235/2004 Coll., § 4'],
    [
      '2026-03-03?country=PL&bank=ecb',
      '2026-03-02',
      'Polish VAT act, art. 31a(1), second sentence',
    ],
    ['2026-03-03?country=CZ&bank=ecb', '2026-03-03', 'Act No 235/2004 Coll., § 4, second letter'],
  ])('/fx/vat/%s is %s by %s', async (path, date, legalBasis) => {
    expect(parse(await service().get(`/fx/vat/${path}`))).toMatchObject({ date, legalBasis });
  });

  it.each([
    ['country=PL&bank=nbp', null],
    ['country=PL&bank=nbp&issued=2026-02-27', null],
    ['country=PL&bank=ecb', '2013-01-01'],
    ['country=PL&bank=ecb&issued=2026-02-27', '2013-01-01'],
    ['country=CZ&bank=cnb', '2004-05-01'],
    ['country=CZ&bank=ecb', null],
  ])(
    '%s holds since %s; null is a day that is not known (rule N6)',
    async (query, inForceSince) => {
      const answer = await service().get(`/fx/vat/2026-03-03?${query}`);

      expect(parse(answer)).toMatchObject({ inForceSince });
    },
  );

  it('with bank=ecb has the body of the question without a bank', async () => {
    const of = async (query: string) => (await service().get(`/fx/vat/2026-03-03?${query}`)).text;

    expect(await of('country=PL&bank=ecb')).toBe(await of('country=PL'));
  });

  it.each([
    ['/fx/nbp/2026-03-02.csv', 'fx-nbp-2026-03-02.csv', 'CAD,1,2.641'],
    ['/fx/cnb/2026-03-03.csv', 'fx-cnb-2026-03-03.csv', 'HUF,100,6.279'],
    [
      '/fx/vat/2026-03-03.csv?country=PL&bank=nbp',
      'fx-vat-2026-03-03-PL-nbp.csv',
      'HUF,1,0.011155',
    ],
  ])('%s is a table of currencies, units and rates', async (path, name, row) => {
    const { text, headers } = await service().get(path);
    const rows = text.split('\r\n');

    expect([rows[0], rows.includes(row)]).toEqual(['currency,units,rate', true]);
    expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
  });

  it.each([
    ['/fx/nbp', 'public, max-age=3600, stale-while-revalidate=86400'],
    ['/fx/nbp/2026-03-03', 'public, max-age=31536000, immutable'],
    [
      '/fx/cnb/dates?from=2026-02-27&to=2026-03-02',
      'public, max-age=300, stale-while-revalidate=86400',
    ],
  ])('%s is cached like the ECB’s (rule N3), and strict', async (path, policy) => {
    const { headers, status } = await service().get(path);
    const again = await service().get(path, { 'if-none-match': String(headers['etag']) });
    const unknown = await service().get(`${path}${path.includes('?') ? '&' : '?'}x=1`);

    expect([status, headers['cache-control'], again.status]).toEqual([200, policy, 304]);
    expect(errorOf(unknown)).toEqual([400, "unknown parameter 'x'"]);
  });

  it('lists dates, and links to the publications around a day that has none', async () => {
    const dates = await service().get('/fx/cnb/dates?from=2026-02-26&to=2026-03-02');
    const none = await service().get('/fx/nbp/2026-03-01.csv');

    expect(dates.text).toBe('{"dates":["2026-02-26","2026-02-27","2026-03-02"],"count":3}');
    expect([...errorOf(none), none.headers['link']]).toEqual([
      404,
      'fx snapshot not found',
      '</fx/nbp/2026-02-27.csv>; rel="prev", </fx/nbp/2026-03-02.csv>; rel="next"',
    ]);
  });

  const ofCountry = "invalid 'bank' — expected a bank of that country";
  it.each([
    ['country=DE&bank=nbp', 400, ofCountry],
    ['country=CZ&bank=nbp', 400, ofCountry],
    ['country=DE&bank=ecb', 400, ofCountry],
    ['bank=nbp', 400, "invalid 'country' — expected PL for bank nbp"],
    ['bank=cnb', 400, "invalid 'country' — expected CZ for bank cnb"],
    ['bank=ecb', 400, "invalid 'country' — expected PL or CZ for bank ecb"],
    ['country=&bank=nbp', 400, "invalid 'country' — expected PL for bank nbp"],
    ['country=PL&bank=xyz', 400, "invalid 'bank' — expected nbp, cnb or ecb"],
    ['country=PL&bank=nbp&bank=nbp', 400, "invalid 'bank' — expected nbp, cnb or ecb"],
    ['country=HU&bank=cnb', 400, ofCountry],
    ['country=PL&bank=nbp&issued=2026-02-30', 400, "invalid 'issued' — expected YYYY-MM-DD"],
    ['country=CZ&bank=cnb&issued=2026-03-01', 400, "unknown parameter 'issued'"],
    ['country=CZ&bank=ecb&issued=2026-03-01', 400, "unknown parameter 'issued'"],
  ])('refuses %s (rule N13)', async (query, status, error) => {
    const answer = await service().get(`/fx/vat/2026-03-03?${query}`);
    expect(errorOf(answer)).toEqual([status, error]);
  });

  it('has no rate for a day before the history, and none for the future', async () => {
    for (const query of ['country=PL&bank=nbp', 'country=CZ&bank=cnb']) {
      expect(await ask(service(), `/fx/vat/2025-11-30?${query}`)).toEqual([
        404,
        'fx snapshot not found',
      ]);
      const [status, error] = await ask(service(), `/fx/vat/2026-03-05?${query}`);
      expect([status, error]).toEqual([404, notPublished]);
    }
  });
});

describe('a rate of a national bank that is not certain (rule N7)', () => {
  it('is a 404 until the bank proves which publication it is', async () => {
    const service = await startService({ ...march, lived: lived.slice(0, 1) });
    const poland = '/fx/vat/2026-03-03?country=PL&bank=nbp';
    const czechia = '/fx/vat/2026-03-03?country=CZ&bank=cnb';

    // The day of the tax point has not begun, and it has no fixing yet.
    expect(await ask(service, poland)).toEqual([404, notPublished, minutes(8 * 60)]);
    await service.liveAt('2026-03-03T09:00:00Z');
    expect(await ask(service, czechia)).toEqual([404, notPublished, minutes(4 * 60 + 45)]);
    expect((await service.get(czechia)).headers['cache-control']).toBe('no-store');
    // The bank was asked after midnight, so the table of the day before is the newest one.
    expect(await ask(service, poland)).toEqual([200, '2026-03-02', '041/A/NBP/2026']);
    await service.liveAt('2026-03-03T14:00:00Z');
    expect(await ask(service, czechia)).toEqual([200, '2026-03-03', null]);
  });

  it('of a Saturday or Sunday in Czechia is that of Friday, from the beginning of that day on', async () => {
    const service = await startService({ ...march, lived: ['2026-03-06T14:00:00Z'] });
    const of = async (day: string) => ask(service, `/fx/vat/${day}?country=CZ&bank=cnb`);

    expect(await of('2026-03-07')).toEqual([404, notPublished, minutes(9 * 60)]);
    setNow(service.scenario, '2026-03-06T23:00:00Z');
    expect(await of('2026-03-07')).toEqual([200, '2026-03-06', null]);
    expect(await of('2026-03-08')).toEqual([404, notPublished, minutes(24 * 60)]);
  });

  it.each([
    ['2026-03-28T23:04:00Z', '2026-03-28T23:05:00Z', '2026-03-29'],
    ['2026-10-24T22:04:00Z', '2026-10-24T22:05:00Z', '2026-10-25'],
  ])(
    'is read five minutes after midnight on the nights on which clocks change: %s',
    async (before, after, day) => {
      const at = before.replace(/-\d\dT.*/, '-20T16:00:00Z');
      const service = await startService({
        ...march,
        at,
        fxFrom: `${at.slice(0, 7)}-01`,
        lived: [at],
      });
      const path = `/fx/vat/${day}?country=PL&bank=nbp`;

      await service.liveAt(new Date(Date.parse(before) - 86_400_000).toISOString());
      await service.liveAt(before);
      expect((await ask(service, path))[1]).toBe(notPublished);
      await service.liveAt(after);
      expect((await ask(service, path))[0]).toBe(200);
    },
  );

  it('cannot be decided after a table of a day that was declared a holiday', async () => {
    const moments = ['2018-11-13T16:00:00Z', '2018-11-14T16:00:00Z'];
    const service = await startService({
      ...march,
      at: moments[0] ?? '',
      fxFrom: '2018-10-15',
      lived: moments,
    });
    const answer = await service.get('/fx/vat/2018-11-13?country=PL&bank=nbp');

    expect([...errorOf(answer), answer.headers['link']]).toEqual([
      404,
      'not decidable',
      '</fx/nbp/2018-11-09>; rel="prev", </fx/nbp/2018-11-12>; rel="next"',
    ]);
    expect(await ask(service, '/fx/vat/2018-11-12?country=PL&bank=nbp')).toEqual([
      200,
      '2018-11-09',
      '218/A/NBP/2018',
    ]);
    expect(await ask(service, '/fx/vat/2018-11-14?country=PL&bank=nbp')).toEqual([
      200,
      '2018-11-13',
      '220/A/NBP/2018',
    ]);
  });
});
