import { beforeAll, describe, expect, it } from 'vitest';
import { bankSeries } from '../../src/fx/banks/banks.ts';
import { joinValue } from '../../src/fx/banks/body.ts';
import { cnb } from '../../src/fx/banks/cnb/cnb.ts';
import { nbp } from '../../src/fx/banks/nbp/nbp.ts';
import { storeCompleteThrough } from '../../src/fx/absences/completeness.ts';
import { planPublications } from '../../src/fx/publishing/plan.ts';
import type { CurrencyCode, FxSnapshot } from '../../src/fx/snapshot.ts';
import { insertSnapshots } from '../../src/fx/store.ts';
import { bumpRevision } from '../../src/platform/database/replicas/revisions.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { parseDecimal } from '../../src/platform/values/decimal.ts';
import { parseTypedJson } from '../../src/platform/values/exact-json.ts';
import { isFull, reportFigure } from '../support/proof.ts';
import { shareService } from '../support/start-service.ts';
import { datesFrom } from '../journeys/support/days.ts';
import { hasCaptures, readCapture, unlessAbsent } from './captures.ts';
import { type ArchivedTable, readArchive } from './nbp-archive.ts';

const read = (path: string): unknown =>
  parseTypedJson(readCapture(`national-banks/${path}`).toString());

const tables = hasCaptures ? [2016, 2017, 2018, 2019, 2020].flatMap(readArchive) : [];

function toSnapshot({ date, number, rates }: ArchivedTable): FxSnapshot {
  const values = Object.entries(rates).map(([code, [units, rate]]) => {
    return [code as CurrencyCode, joinValue(parseDecimal(rate) ?? '', units)] as const;
  });
  return { date: isoDate(date), table: number, rates: new Map(values) };
}

describe.skipIf(!hasCaptures)(`real answers of national banks${unlessAbsent}`, () => {
  const snapshots = tables.map(toSnapshot);
  const offers = (given: readonly FxSnapshot[]) =>
    given.map((snapshot) => ({ snapshot, isFromHistory: true }));

  it('of the NBP are read with all their digits', () => {
    const span = { from: isoDate('2026-03-02'), to: isoDate('2026-03-05') };
    const found = nbp.client.read(read('nbp_table-a_2026-03-02_to_2026-03-05.json'), span);
    if (typeof found === 'string') throw new Error(found);

    expect(found.map(({ table, date, rates }) => `${table} ${date} ${rates.size}`)).toEqual(
      ['2', '3', '4', '5'].map((day) => `04${Number(day) - 1}/A/NBP/2026 2026-03-0${day} 32`),
    );
    const codes = ['EUR', 'CAD', 'HUF', 'IDR', 'RON'];
    expect(codes.map((code) => found[0]?.rates.get(code as CurrencyCode))).toEqual([
      '4.2304',
      '2.641',
      '0.011155',
      '0.00021385',
      '0.83',
    ]);
  });

  it('of the CNB are read with their amounts, and pass the gate', () => {
    const span = { from: isoDate('2026-01-01'), to: isoDate('2026-04-02') };
    const found = cnb.client.read(read('cnb_daily-year_2026-01-02_to_2026-04-02.json'), span);
    if (typeof found === 'string') throw new Error(found);
    const planning = { series: bankSeries.cnb, today: span.to, begunOn: span.from };

    expect([found.length, found[0]?.rates.size]).toEqual([65, 30]);
    expect(found[0]?.rates.get('HUF' as CurrencyCode)).toBe('6.304/100');
    expect(planPublications(offers(found), [], planning)).toMatchObject({ doubted: [] });
    const days = found.map(({ date }) => date);
    expect(days.every((date) => cnb.timetable.days.isPublicationDay(date))).toBe(true);
  });

  it('of five years pass the gate, and have the days of the calendar', () => {
    const begunOn = isoDate('2016-01-01');
    const planning = { series: bankSeries.nbp, today: isoDate('2021-01-01'), begunOn };
    const { accepted, doubted, hole } = planPublications(offers(snapshots), [], planning);

    expect([accepted.length, doubted, hole]).toEqual([tables.length, [], undefined]);
    const { countPublicationDays } = nbp.timetable.days;
    expect(countPublicationDays(isoDate('2015-12-31'), isoDate('2020-12-31'))).toBe(tables.length);
    expect(tables.length).toBe(1_261);
  });
});

describe.skipIf(!hasCaptures)(
  `Polish tax points beside a second computation from the NBP's archive (rule N7, reliability R38)${unlessAbsent}`,
  () => {
    const at = '2021-01-01T16:00:00Z';
    const service = shareService({ at, fxFrom: '2020-12-01', config: { fxBanks: ['nbp'] } });

    beforeAll(async () => {
      const { db, watch } = service().core;
      const publications = tables.map(toSnapshot);
      await db.transaction().execute(async (tx) => {
        await bumpRevision(tx, 'nbp');
        await insertSnapshots(tx, bankSeries.nbp, { publications, at });
        await storeCompleteThrough(tx, 'nbp', { through: isoDate('2020-12-31'), at });
      });
      await watch.poll();
    });

    /** The newest archived table before a day, found day by day. */
    const findBefore = (day: string) => {
      for (let ms = Date.parse(day) - 86_400_000; ; ms -= 86_400_000) {
        const date = new Date(ms).toISOString().slice(0, 10);
        const found = tables.find((table) => table.date === date);
        if (found !== undefined) return found;
      }
    };
    // Before a commit those of one year, which has the day that cannot be decided.
    const days = isFull
      ? datesFrom('2016-01-05', '2020-12-31')
      : datesFrom('2018-01-01', '2018-12-31');

    it.each([
      ['without a day of issue', ''],
      ['with a day of issue a week before', 'week'],
      ['with a day of issue on the day after', 'after'],
    ])('are all decided by the same table, %s', async (what, issue) => {
      const wrong: string[] = [];
      const undecided: string[] = [];
      for (const day of days) {
        const ms = Date.parse(day) + (issue === 'week' ? -7 : 1) * 86_400_000;
        const issued = new Date(ms).toISOString().slice(0, 10);
        if (issue === 'week' && issued < '2016-01-05') continue;
        const decided = findBefore(issue === 'week' ? issued : day);
        const query = issue === '' ? '' : `&issued=${issued}`;
        const { status, text } = await service().get(`/fx/vat/${day}?country=PL&bank=nbp${query}`);
        const [units, rate] = decided.rates['HUF'] ?? [];
        const isRight =
          text.includes(`"date":"${decided.date}","table":"${decided.number}"`) &&
          text.includes(`"HUF":{"units":${units},"rate":${Number(rate)}}`);
        if (status !== 200) undecided.push(`${day}: ${text}`);
        else if (!isRight) wrong.push(`${day}: ${text.slice(0, 200)}`);
      }

      reportFigure(
        'R38',
        `${days.length} tax points of an archive of the NBP by a second computation, ${what}: ` +
          `${wrong.length} with another table, ${undecided.length} without an answer`,
      );
      expect(wrong).toEqual([]);
      const day = issue === 'week' ? '2018-11-20' : '2018-11-13';
      const expected = [`${day}: {"error":"not decidable"}`];
      expect(undecided).toEqual(expected);
    });
  },
);
