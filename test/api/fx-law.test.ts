import { describe, expect, it } from 'vitest';
import { errorForm, formOf } from '../support/error-form.ts';
import { publishValue, setLateDays } from '../support/sandbox/scripts.ts';
import type { Answer } from '../support/send-request.ts';
import { shareService, startService, type TestService } from '../support/start-service.ts';

/** 17:00 in Frankfurt; the publication of that day is stored. */
const friday = '2026-11-20T16:00:00Z';

/** All currencies that became the euro until 2026, with the digits of the regulations. */
const allFixed =
  '{"BGN":{"rate":1.95583,"since":"2026-01-01"},"CYP":{"rate":0.585274,"since":"2008-01-01"},' +
  '"EEK":{"rate":15.6466,"since":"2011-01-01"},"GRD":{"rate":340.75,"since":"2001-01-01"},' +
  '"HRK":{"rate":7.5345,"since":"2023-01-01"},"LTL":{"rate":3.4528,"since":"2015-01-01"},' +
  '"LVL":{"rate":0.702804,"since":"2014-01-01"},"MTL":{"rate":0.4293,"since":"2008-01-01"},' +
  '"SIT":{"rate":239.64,"since":"2007-01-01"},"SKK":{"rate":30.126,"since":"2009-01-01"}}';

type LawAnswer = Readonly<Record<string, unknown>> & { readonly date: string };

function parse({ text }: Answer): LawAnswer {
  return JSON.parse(text) as LawAnswer;
}

/** The status, and the date of a publication or the error with the seconds of `Retry-After`. */
async function ask(service: TestService, path: string): Promise<readonly unknown[]> {
  const answer = await service.get(path);
  if (answer.status === 200) return [200, parse(answer).date];
  const { error } = JSON.parse(answer.text) as { readonly error: string };
  return [answer.status, error, Number(answer.headers['retry-after'])];
}

const notPublished = 'fx rate not published yet';
const hour = 3_600;

describe('the exchange rates that laws mean (legal-fx L1, L2)', () => {
  const service = shareService({ lived: [friday] });
  const ratesOf = async (date: string): Promise<string> =>
    (await service().get(`/fx/${date}`)).text.slice(1, -1);

  const oss = 'Directive 2006/112/EC, art. 369h(2) (Union scheme), art. 366(2) (non-Union scheme)';
  it.each([
    // The last day of the quarter, the next publication after a Saturday, the penultimate Wednesday of the month before.
    ['oss', '2026-Q3', '"periodEnd":"2026-09-30"', '2026-09-30', '{}', oss, '2015-01-01'],
    [
      'ioss',
      '2026-10',
      '"periodEnd":"2026-10-31"',
      '2026-11-02',
      '{}',
      'Directive 2006/112/EC, art. 369u(2)',
      '2021-07-01',
    ],
    [
      'customs',
      '2026-12',
      '"decidedOn":"2026-11-18"',
      '2026-11-18',
      allFixed,
      'Implementing Regulation (EU) 2015/2447, art. 146',
      '2016-05-01',
    ],
  ])('/fx/%s/%s has %s', async (rule, period, day, date, fixed, law, since) => {
    const { status, text } = await service().get(`/fx/${rule}/${period}`);

    expect([status, text]).toEqual([
      200,
      `{"rule":"${rule}","period":"${period}",${day},${await ratesOf(date)},` +
        `"fixed":${fixed},"legalBasis":"${law}","inForceSince":"${since}"}`,
    ]);
  });

  it.each([
    ['2026-11-18', 'day', null, '2026-11-18'],
    ['2026-11-15', 'day', null, '2026-11-13'],
    ['2026-11-18T15:59:59+01:00', 'instant', null, '2026-11-17'],
    ['2026-11-18T16:00:00+01:00', 'instant', null, '2026-11-18'],
    ['2026-11-18T14:59:59.999Z', 'instant', null, '2026-11-17'],
    ['2026-10-14T16:00:00+02:00', 'instant', null, '2026-10-14'],
    ['2026-10-14T13:59:59Z', 'instant', null, '2026-10-13'],
    ['2026-11-16', 'day', 'PL', '2026-11-13'],
    ['2026-11-18', 'day', 'PL', '2026-11-17'],
    ['2026-11-17T22:59:59Z', 'instant', 'PL', '2026-11-16'],
    ['2026-11-17T23:00:00Z', 'instant', 'PL', '2026-11-17'],
  ])('/fx/vat/%s (%s, country %s) has %s', async (taxPoint, basis, country, date) => {
    const query = country === null ? '' : `?country=${country}`;
    const { status, text } = await service().get(`/fx/vat/${taxPoint}${query}`);

    const law =
      country === null
        ? 'Directive 2006/112/EC, art. 91(2)'
        : 'Polish VAT act, art. 31a(1), second sentence';
    expect([status, text]).toEqual([
      200,
      `{"rule":"vat","taxPoint":"${taxPoint}","basis":"${basis}","country":${JSON.stringify(country)},` +
        `${await ratesOf(date)},"fixed":${allFixed},"legalBasis":"${law}","inForceSince":"2013-01-01"}`,
    ]);
  });

  it.each([
    ['2026-11-13', '2026-11-12', 'Polish VAT act, art. 31a(2)'],
    ['2026-11-18', '2026-11-17', 'Polish VAT act, art. 31a(1), second sentence'],
    ['2026-11-20', '2026-11-17', 'Polish VAT act, art. 31a(1), second sentence'],
  ])('/fx/vat/2026-11-18 in Poland, issued on %s, has %s', async (issued, date, law) => {
    const answer = await service().get(`/fx/vat/2026-11-18?country=PL&issued=${issued}`);

    expect(Object.keys(parse(answer)).slice(0, 5).join(' ')).toBe(
      'rule taxPoint issued basis country',
    );
    expect(parse(answer)).toMatchObject({ issued, date, legalBasis: law });
  });

  it.each(['/fx/oss/2026-Q3', '/fx/ioss/2026-10', '/fx/customs/2026-12', '/fx/vat/2026-11-15'])(
    '%s is immutable, with a strong ETag of its own',
    async (path) => {
      const { headers, text } = await service().get(path);
      const again = await service().get(path, { 'if-none-match': String(headers['etag']) });

      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['etag']).toMatch(/^"[\w-]{27}"$/);
      expect(headers['etag']).not.toBe(
        (await service().get(`/fx/${(JSON.parse(text) as LawAnswer).date}`)).headers['etag'],
      );
      expect([again.status, again.text]).toEqual([304, '']);
    },
  );
});

describe('a rate that is not certain (legal-fx L4)', () => {
  const onFriday = shareService({ lived: [friday] });

  it.each([
    // Until midnight in Frankfurt of the last day of November, a Monday with a publication at 16:00.
    ['a month that has not ended', '/fx/ioss/2026-11', 10 * 24 * hour + 7 * hour],
    ['a quarter that has not ended', '/fx/oss/2026-Q4', 41 * 24 * hour + 7 * hour],
    ['a month that ends on a Sunday', '/fx/ioss/2027-01', 73 * 24 * hour - hour],
    ['a later Wednesday', '/fx/customs/2027-01', 33 * 24 * hour - hour],
    ['a later day', '/fx/vat/2026-11-23', 3 * 24 * hour - hour],
    ['a later day of Poland', '/fx/vat/2026-11-24?country=PL', 3 * 24 * hour - hour],
    ['a later instant', '/fx/vat/2026-11-23T16:00:00+01:00', 3 * 24 * hour - hour],
  ])('is a 404 for %s: %s', async (_what, path, seconds) => {
    expect(await ask(onFriday(), path)).toEqual([404, notPublished, seconds]);
    expect(formOf(await onFriday().get(path))).toEqual(errorForm(404, notPublished));
  });

  it.each([
    '/fx/oss/9999-Q4',
    '/fx/ioss/9999-12',
    '/fx/customs/9999-12',
    '/fx/vat/9999-12-31',
    '/fx/vat/9999-12-31T23:59:59-23:59',
  ])('is a 404 in the last year of all: %s', async (path) => {
    const [status, error, seconds] = await ask(onFriday(), path);

    expect([status, error]).toEqual([404, notPublished]);
    expect(seconds).toBeGreaterThan(7_900 * 365 * 24 * hour);
  });

  it.each([
    ['Saturday and Sunday, because the calendar calls them closed', '/fx/vat/2026-11-22'],
    ['Monday before 16:00', '/fx/vat/2026-11-23T15:59:59+01:00'],
    ['Monday in Poland', '/fx/vat/2026-11-23?country=PL'],
  ])('is certain on Friday evening for %s', async (_what, path) => {
    expect(await ask(onFriday(), path)).toEqual([200, '2026-11-20']);
  });

  it('of today is a 404 until its publication is stored, 404s are not kept', async () => {
    const service = await startService({
      at: '2026-11-20T14:00:00Z',
      lived: ['2026-11-20T14:00:00Z'],
    });
    const path = '/fx/vat/2026-11-20';

    expect(await ask(service, path)).toEqual([404, notPublished, hour]);
    setLateDays(service.scenario, 1);
    await service.liveAt('2026-11-20T15:00:00Z');
    expect(await ask(service, path)).toEqual([404, notPublished, 180]);
    setLateDays(service.scenario, 0);
    await service.liveAt('2026-11-20T15:05:00Z');
    expect(await ask(service, path)).toEqual([200, '2026-11-20']);
  });

  it('of a period is a 404 until its last day has ended, though its publication is stored', async () => {
    const service = await startService({
      at: '2026-09-30T21:59:00Z',
      lived: ['2026-09-30T21:59:00Z'],
    });

    expect(await ask(service, '/fx/oss/2026-Q3')).toEqual([404, notPublished, 60]);
    expect(await ask(service, '/fx/vat/2026-09-30')).toEqual([200, '2026-09-30']);
    await service.liveAt('2026-09-30T22:00:00Z');
    expect(await ask(service, '/fx/oss/2026-Q3')).toEqual([200, '2026-09-30']);
  });

  it('of a day whose publication is held is a 404 until a decision', async () => {
    const service = await startService({
      at: '2026-11-19T16:00:00Z',
      lived: ['2026-11-19T16:00:00Z'],
    });
    publishValue(service.scenario, '2026-11-20', 'USD', '11.4');
    await service.liveAt(friday);
    await service.liveAt('2026-11-23T16:00:00Z');

    expect(await ask(service, '/fx')).toEqual([200, '2026-11-23']);
    expect(await ask(service, '/fx/vat/2026-11-20')).toEqual([404, notPublished, hour]);
    expect(await ask(service, '/fx/vat/2026-11-22')).toEqual([404, notPublished, hour]);
    expect(await ask(service, '/fx/vat/2026-11-19')).toEqual([200, '2026-11-19']);
    expect(await ask(service, '/fx/vat/2026-11-23')).toEqual([200, '2026-11-23']);
  });

  it('is a 404 while nothing is stored', async () => {
    const service = await startService();

    for (const path of ['/fx/oss/2023-Q4', '/fx/customs/2023-01', '/fx/vat/2023-01-02']) {
      // The job runs every three minutes.
      expect(await ask(service, path)).toEqual([404, notPublished, 180]);
    }
    expect((await ask(service, '/fx/oss/1998-Q4')).slice(0, 2)).toEqual([
      404,
      'fx snapshot not found',
    ]);
  });
});
