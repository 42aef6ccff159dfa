import { beforeAll, describe, expect, it } from 'vitest';
import { ecb } from '../../src/fx/ecb/ecb.ts';
import { storeColumns, yearsOf } from '../../src/fx/range/columns.ts';
import type { CurrencyCode, FxSnapshot } from '../../src/fx/snapshot.ts';
import { insertSnapshots } from '../../src/fx/store.ts';
import { bumpRevision } from '../../src/platform/database/replicas/revisions.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { Dice } from '../support/dice.ts';
import type { EcbFileDay } from '../support/print-ecb-file.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';
import { shareService, type TestService } from '../support/start-service.ts';
import { hasCaptures, unlessAbsent } from './captures.ts';
import { bodyOf, readSeries } from './ecb-series.ts';
import { endOfAnswer, everyPeriod, findNearest, type Question, taxPoint } from './fx-law-second.ts';

const newest = '2026-04-13';
const tomorrowMs = Date.parse('2026-04-14');
const seed = seedOf(20_261_123);
const taxPoints = countOf({ full: 10_000, perCommit: 300 });
/** From 2002 on the calendar decides which days have a publication; before, the stored history does (legal-fx L4). */
const decidesFrom = '2002-01-01';

async function store({ core: { db, watch } }: TestService, days: readonly EcbFileDay[]) {
  const snapshots = days.map(([date, rates]): FxSnapshot => {
    const entries = Object.entries(rates) as [CurrencyCode, string][];
    return { date: isoDate(date), rates: new Map(entries) };
  });
  await db.transaction().execute(async (tx) => {
    await bumpRevision(tx, 'fx');
    await insertSnapshots(tx, ecb, { publications: snapshots, at: newest });
    await storeColumns(tx, yearsOf(snapshots.map(({ date }) => date)), snapshots);
  });
  await watch.poll();
}

/** Every period since 1999, and random tax points of the same time in equal parts. */
function makeQuestions(): readonly Question[] {
  const dice = new Dice(seed);
  const beginMs = Date.parse('1999-01-06');
  const points = Array.from({ length: taxPoints }, (_, at) => {
    const kind = (['day', 'Poland', 'instant'] as const)[at % 3]!;
    return taxPoint(kind, beginMs + dice.below(tomorrowMs - beginMs));
  });
  return [...everyPeriod(2026, 3), ...points];
}

describe.skipIf(!hasCaptures)(
  `rates by law beside a second computation from the ECB's file (legal-fx, reliability R32)${unlessAbsent}`,
  () => {
    const whole = shareService({ at: `${newest}T16:00:00Z` });
    const withHoles = shareService({ at: `${newest}T16:00:00Z` });
    const series = hasCaptures ? readSeries().toReversed() : [];
    const bodies = new Map(series.map((day) => [day[0], bodyOf(day).slice(1, -1)]));
    const all = new Set(bodies.keys());
    const questions = makeQuestions();
    const dice = new Dice(seed);
    const kept = series.filter(([date]) => date < decidesFrom || !dice.happens(0.05));
    const stored = new Set(kept.map(([date]) => date));

    beforeAll(async () => {
      await store(whole(), series);
      await store(withHoles(), kept);
    });

    it('has the same date, digits, fixed rates and beginning of the law for every period and random tax points', async () => {
      const wrong: string[] = [];
      for (const question of questions) {
        const { path, named, step } = question;
        const { text } = await whole().get(path);
        const day = findNearest(all, named, step) ?? '';
        const isRight =
          text.includes(`,${bodies.get(day)},`) && endOfAnswer(question, day).test(text);
        if (!isRight) wrong.push(`${path} is not ${day}: ${text}`);
      }

      reportFigure(
        'R32',
        `${questions.length - taxPoints} periods since 1999 and ${taxPoints} tax points (seed ${seed}) by a second ` +
          `computation from the file of the ECB: ${wrong.length} with another date, digit, fixed rate or beginning of the law`,
      );
      expect(wrong).toEqual([]);
    }, 900_000);

    it('has no answer if the deciding publication is missing', async () => {
      let missing = 0;
      const wrong: string[] = [];
      for (const { path, named, step } of questions) {
        const { status, text } = await withHoles().get(path);
        const day = findNearest(all, named, step) ?? '';
        if (!stored.has(day)) missing += 1;
        const isRight = stored.has(day)
          ? text.includes(`,${bodies.get(day)},`)
          : status === 404 && text === '{"error":"fx rate not published yet"}';
        if (!isRight) wrong.push(`${path} of ${day}: ${status} ${text.slice(0, 90)}`);
      }

      expect(missing).toBeGreaterThan(0);
      reportFigure(
        'R32',
        `without ${series.length - kept.length} publications since 2002: ${missing} questions whose deciding ` +
          `publication is missing, ${wrong.length} answered nevertheless or otherwise wrong`,
      );
      expect(wrong).toEqual([]);
    }, 900_000);
  },
);
