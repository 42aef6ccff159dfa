import { describe, expect, it } from 'vitest';
import { openSandbox } from '../../../test/support/sandbox/open-sandbox.ts';
import type { Script } from '../scenario/script.ts';

/** Tuesday 3 March 2026, after both publications. */
const at = '2026-03-03T15:00:00Z';

async function open(script: Script = {}, now = at) {
  const { sandbox } = await openSandbox({ at: now });
  sandbox.scenario.apply(script);
  const get = async (path: string) => {
    const response = await fetch(`${sandbox.url}${path}`);
    return { status: response.status, text: await response.text() };
  };
  return {
    sandbox,
    tables: async (from: string, to: string) =>
      get(`/nbp/api/exchangerates/tables/A/${from}/${to}/?format=json`),
    year: async (year: number) => get(`/cnb/cnbapi/exrates/daily-year?year=${year}&lang=EN`),
  };
}

const numbersIn = (text: string): string[] =>
  [...text.matchAll(/"no":"(\d+)\/A\/NBP\/(\d+)","effectiveDate":"([\d-]+)"/g)].map(
    ([, number, year, date]) => `${number}/${year} ${date}`,
  );

describe('the simulated NBP (rule N15)', () => {
  it('has the real tables of two days, with the digits and the form of the bank', async () => {
    const { text } = await (await open()).tables('2026-03-02', '2026-03-03');

    expect(numbersIn(text)).toEqual(['041/2026 2026-03-02', '042/2026 2026-03-03']);
    expect(text).toContain('{"currency":"dolar kanadyjski","code":"CAD","mid":2.6410}');
    expect(text).toMatch(/^\[\{"table":"A","no":/);
  });

  it.each([
    ['2026-02-28', '2026-03-01', 404, '404 NotFound - Not Found - Brak danych'],
    ['2025-12-01', '2026-03-03', 200, '['],
    ['2025-11-30', '2026-03-03', 400, 'Limit of 93 days has been exceeded'],
    ['2026-03-02', '2026-03-04', 400, 'Invalid date range'],
    ['2026-03-03', '2026-03-02', 400, 'Invalid date range'],
    ['2026-02-30', '2026-03-02', 404, '404 NotFound'],
  ])('answers %s to %s with %i', async (from, to, status, part) => {
    const answer = await (await open()).tables(from, to);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(part)]);
  });

  it('begins with 001 in each year, and knows the holidays and the hour of publication', async () => {
    const { tables } = await open({}, '2027-01-05T10:50:00Z');
    const { text } = await tables('2026-12-22', '2027-01-05');

    expect(numbersIn(text)).toEqual([
      '248/2026 2026-12-22',
      '249/2026 2026-12-23',
      '250/2026 2026-12-28',
      '251/2026 2026-12-29',
      '252/2026 2026-12-30',
      '253/2026 2026-12-31',
      '001/2027 2027-01-04',
    ]);
  });

  it('leaves out the number of a missing table, and is late from a day on', async () => {
    const missing = await open({ nbp: { missing: ['2026-03-02' as never] } });
    expect(numbersIn((await missing.tables('2026-02-27', '2026-03-03')).text)).toEqual([
      '040/2026 2026-02-27',
      '042/2026 2026-03-03',
    ]);

    const late = await open({ nbp: { lateDays: 1, lateFrom: '2026-03-03' as never } });
    expect(numbersIn((await late.tables('2026-03-02', '2026-03-03')).text)).toHaveLength(1);
  });
});

describe('the simulated CNB (rule N15)', () => {
  it('has a row for each currency and day, with its amount', async () => {
    const { text } = await (await open()).year(2026);

    expect(text).toContain(
      '{"currencyCode":"HUF","amount":100,"validFor":"2026-01-02","rate":6.304}',
    );
    expect(text).toContain('{"currencyCode":"IDR","amount":1000,"validFor":"2026-03-03"');
    expect(new Set(text.match(/2026-\d\d-\d\d/g)).size).toBe(43);
  });

  it('has an empty list before the first fixing of a year, and changed amounts', async () => {
    const empty = await (await open({}, '2026-01-01T12:00:00Z')).year(2026);
    const lira = await (await open()).year(2023);
    const changed = await open({
      cnb: { amounts: [{ currency: 'HUF', amount: 1, from: '2026-03-03' as never }] },
    });

    expect(empty).toEqual({ status: 200, text: '{"rates":[]}' });
    expect(lira.text).toContain('{"currencyCode":"TRY","amount":1,');
    expect((await changed.year(2026)).text).toContain(
      '{"currencyCode":"HUF","amount":1,"validFor":"2026-03-03","rate":0.063}',
    );
  });

  it('is scripted by sentences as well, and answers with a home page and status 200', async () => {
    const { sandbox, year } = await open();
    const say = async (sentence: string) =>
      fetch(`${sandbox.url}/_scenario`, {
        method: 'POST',
        body: JSON.stringify({ say: sentence }),
      });

    expect((await say('the CNB answers with a web page')).status).toBe(200);
    expect(await year(2026)).toMatchObject({ status: 200, text: expect.stringContaining('<html') });
    expect((await say('the CNB is a day late')).status).toBe(200);
    expect(sandbox.scenario.state.cnb).toMatchObject({ lateDays: 1, lateFrom: '2026-03-03' });
    expect((await say('the NBP is down for 2 answers')).status).toBe(200);
    expect(sandbox.scenario.state.nbp).toMatchObject({ fault: 'unavailable-503', times: 2 });
  });
});
