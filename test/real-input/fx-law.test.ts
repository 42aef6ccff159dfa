import { beforeAll, describe, expect, it } from 'vitest';
import { storeColumns, yearsOf } from '../../src/fx/columns.ts';
import { findDeciding } from '../../src/fx/law/deciding-publication.ts';
import { applyTaxPointRule } from '../../src/fx/law/rules.ts';
import type { CurrencyCode, FxSnapshot } from '../../src/fx/snapshot.ts';
import { insertSnapshots } from '../../src/fx/store.ts';
import { bumpRevision } from '../../src/platform/database/revisions.ts';
import { isoDate } from '../../src/platform/time.ts';
import { shareService } from '../support/start-service.ts';
import { hasCaptures, unlessAbsent } from './captures.ts';
import { readSeries } from './ecb-series.ts';
import { findNearest, lastDayOf, monthsTo, printDay, wednesdayBefore } from './fx-law-second.ts';

const dayMs = 86_400_000;
const newest = '2026-04-13';

function walk(days: ReadonlySet<string>, from: string, step: 1 | -1): string {
  return findNearest(days, from, step) ?? '';
}

describe.skipIf(!hasCaptures)(
  `rates by law from the real history of the ECB (legal-fx)${unlessAbsent}`,
  () => {
    const service = shareService({ at: `${newest}T16:00:00Z` });
    const bodies = new Map<string, Readonly<Record<string, string>>>();
    let days: ReadonlySet<string> = new Set();

    beforeAll(async () => {
      if (!hasCaptures) return;
      const series = readSeries().toReversed();
      for (const [date, rates] of series) bodies.set(date, rates);
      days = new Set(series.map(([date]) => date));
      const snapshots = series.map(([date, rates]): FxSnapshot => {
        const entries = Object.entries(rates) as [CurrencyCode, string][];
        return { date: isoDate(date), rates: new Map(entries) };
      });
      const { db, watch } = service().core;
      await db.transaction().execute(async (tx) => {
        await bumpRevision(tx, 'fx');
        await insertSnapshots(tx, snapshots, newest);
        await storeColumns(tx, yearsOf(snapshots.map(({ date }) => date)), snapshots);
      });
      await watch.poll();
    });

    /** The date of each answer, or its error. */
    const datesOf = async (paths: readonly string[]): Promise<Record<string, string>> => {
      const found: Record<string, string> = {};
      for (const path of paths) {
        const { text } = await service().get(path);
        const { date, error } = JSON.parse(text) as { readonly date?: string; error?: string };
        found[path] = date ?? error ?? '';
      }
      return found;
    };

    it.each([
      ['/fx/oss/2023-Q4', '2024-01-02', { USD: '1.0956', GBP: '0.86645', PLN: '4.3708' }],
      ['/fx/oss/2024-Q1', '2024-04-02', { USD: '1.0749', GBP: '0.8551', PLN: '4.2938' }],
      ['/fx/oss/2024-Q4', '2024-12-31', { USD: '1.0389', GBP: '0.82918', PLN: '4.275' }],
      ['/fx/ioss/2026-02', '2026-03-02', { USD: '1.1698', GBP: '0.8739', PLN: '4.244' }],
      ['/fx/customs/2026-01', '2025-12-24', { USD: '1.1787' }],
      ['/fx/vat/2026-03-01', '2026-02-27', { USD: '1.1805' }],
      ['/fx/vat/2026-03-02T10:00:00+01:00', '2026-02-27', { USD: '1.1805' }],
      ['/fx/vat/2026-03-02', '2026-03-02', { USD: '1.1698' }],
      ['/fx/vat/2026-03-03?country=PL', '2026-03-02', { USD: '1.1698', PLN: '4.244' }],
      ['/fx/oss/2022-Q4', '2023-01-02', { USD: '1.0683' }],
    ])('%s has %s, digit for digit', async (path, date, rates) => {
      const { text } = await service().get(path);
      const ofDate = (await service().get(`/fx/${date}`)).text;

      expect(text).toContain(`,${ofDate.slice(1, -1)},`);
      for (const [currency, rate] of Object.entries(rates)) {
        expect(text).toMatch(new RegExp(`"${currency}":${rate.replace('.', '\\.')}[,}]`));
        expect(bodies.get(date)?.[currency]).toBe(rate);
      }
    });

    it('every quarter since 1999 has the first publication from its last day on', async () => {
      const quarters = monthsTo(2026, 3).filter(([, month]) => month % 3 === 0);
      const expected = quarters.map(([year, month]) => [
        `/fx/oss/${year}-Q${month / 3}`,
        walk(days, lastDayOf(year, month), 1),
      ]);

      expect(expected).toHaveLength(109);
      expect(await datesOf(expected.map(([path = '']) => path))).toEqual(
        Object.fromEntries(expected),
      );
    });

    it('every month since 1999 has the first publication from its last day on', async () => {
      const expected = monthsTo(2026, 3).map(([year, month, text]) => [
        `/fx/ioss/${text}`,
        walk(days, lastDayOf(year, month), 1),
      ]);

      expect(expected).toHaveLength(327);
      expect(await datesOf(expected.map(([path = '']) => path))).toEqual(
        Object.fromEntries(expected),
      );
    });

    it('every customs month since 1999 has its penultimate Wednesday, which was never closed', async () => {
      const expected = monthsTo(2026, 4).map(([year, month, text]) => {
        const wednesday = wednesdayBefore(year, month);
        return [`/fx/customs/${text}`, text === '1999-01' ? 'fx snapshot not found' : wednesday];
      });

      expect(expected.slice(1).filter(([, day = '']) => !days.has(day))).toEqual([]);
      expect(await datesOf(expected.map(([path = '']) => path))).toEqual(
        Object.fromEntries(expected),
      );
    });

    it('no publication lies between any day since 1999 and the one of its tax point', () => {
      const dates = [...days].map(isoDate);
      const nowMs = Date.parse(`${newest}T16:00:00Z`);
      const wrong: string[] = [];
      let count = 0;
      for (let ms = Date.parse('1999-01-05'); ms <= Date.parse(newest); ms += dayMs) {
        const day = isoDate(printDay(ms));
        for (const country of [null, 'PL'] as const) {
          const { named } = applyTaxPointRule({
            taxPoint: { basis: 'day', day },
            country,
            issued: null,
          });
          const found = findDeciding(named, { dates, held: new Set() }, nowMs);
          const from = country === null ? day : printDay(ms - dayMs);
          const isRight = found.kind === 'certain' && found.date === walk(days, from, -1);
          if (!isRight) wrong.push(`${day} ${country} ${JSON.stringify(found)}`);
          count += 1;
        }
      }

      expect(wrong).toEqual([]);
      expect(count).toBe(2 * 9_961);
    });

    it('no publication lies between any hour of 2025 and the one of its instant', () => {
      const dates = [...days].map(isoDate);
      const nowMs = Date.parse(`${newest}T16:00:00Z`);
      const wrong: string[] = [];
      for (
        let ms = Date.parse('2025-01-01T00:00:00Z');
        ms < Date.parse('2026-01-01');
        ms += 1_800_000
      ) {
        const taxPoint = { basis: 'instant', atMs: ms } as const;
        const { named } = applyTaxPointRule({ taxPoint, country: null, issued: null });
        const found = findDeciding(named, { dates, held: new Set() }, nowMs);
        // Available are the days whose 16:00 in Frankfurt, 14:00 or 15:00 UTC, is not later.
        const isSummer =
          ms >= Date.parse('2025-03-30T01:00:00Z') && ms < Date.parse('2025-10-26T01:00:00Z');
        const from = printDay(ms - (isSummer ? 14 : 15) * 3_600_000);
        if (found.kind !== 'certain' || found.date !== walk(days, from, -1)) {
          wrong.push(`${new Date(ms).toISOString()} ${JSON.stringify(found)}`);
        }
      }

      expect(wrong).toEqual([]);
    });
  },
);
