import fc from 'fast-check';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { countOf, reportFigure, seedOf } from '../../../test/support/proof.ts';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { decideHeld, listHeld } from '../../platform/publication/held-store.ts';
import {
  addDays,
  dayOfWeek,
  formatInstant,
  isoDate,
  type IsoDate,
} from '../../platform/time/time.ts';
import { KnownPublications } from '../follow.ts';
import { findDeciding } from '../law/deciding-publication.ts';
import { publishOffers, storePublications } from '../publish.ts';
import type { CurrencyCode, FxSnapshot } from '../snapshot.ts';
import { bankSeries } from './banks.ts';

const histories = countOf({ full: 200, perCommit: 8 });
const seed = seedOf(20_261_214);
const first = isoDate('2026-12-14');
const days = Array.from({ length: 30 }, (_, at) => addDays(first, at));

/** What happens on a day at a bank, and with its job. */
const anyDay = fc.record({
  isClosed: fc.nat(5).map((n) => n === 0),
  /** The hour of publication, UTC; both zones are an hour ahead. */
  hour: fc.integer({ min: 10, max: 22 }),
  /** The table is missing from answers for so many days more. */
  hiddenDays: fc.nat(12).map((n) => (n > 9 ? n - 9 : 0)),
  isDoubtful: fc.nat(8).map((n) => n === 0),
  isCorrected: fc.nat(8).map((n) => n === 0),
  /** Whether the job runs after midnight, at noon and late in the evening. */
  runs: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  decision: fc.constantFrom('none', 'none', 'approved', 'rejected'),
});
type Day = typeof anyDay extends fc.Arbitrary<infer T> ? T : never;

type Publication = { readonly snapshot: FxSnapshot; readonly visibleMs: number; readonly day: Day };

/** The publications of a bank. Only one whose number is missed on the next day can be hidden without a wrong answer. */
function publish(plan: readonly Day[], isNumbered: boolean): readonly Publication[] {
  const isOpen = (at: number): boolean =>
    plan[at]?.isClosed === false && dayOfWeek(days[at] ?? first) <= 5;
  const count = { '2026': 240, '2027': 0 };
  return days.flatMap((date, at) => {
    const day = plan[at];
    if (day === undefined || !isOpen(at)) return [];
    const year = date.slice(0, 4) as keyof typeof count;
    count[year] += 1;
    const table = `${String(count[year]).padStart(3, '0')}/A/NBP/${year}`;
    // The first one is never in doubt, so that there is something to begin with.
    const rate = (1 + at / 1_000) * (day.isDoubtful && at > 0 ? 3 : 1);
    const rates = new Map([['EUR' as CurrencyCode, rate.toFixed(3)]]);
    const isYearEnd = days[at + 1]?.slice(0, 4) !== year;
    const hidden = isNumbered && isOpen(at + 1) && !isYearEnd ? day.hiddenDays : 0;
    const visibleMs = Date.parse(addDays(date, hidden)) + day.hour * 3_600_000;
    return [{ snapshot: { date, rates, ...(isNumbered ? { table } : {}) }, visibleMs, day }];
  });
}

/** Whether the absence of a publication could be taken for a day without one: a hidden day has ended, and none follows. */
function isMisleading(all: readonly Publication[], nowMs: number, today: IsoDate): boolean {
  const visible = all.filter(({ visibleMs }) => visibleMs <= nowMs);
  const newest =
    visible
      .map(({ snapshot }) => snapshot.date)
      .toSorted()
      .at(-1) ?? '';
  return all.some(
    ({ snapshot, visibleMs }) =>
      visibleMs > nowMs && snapshot.date < today && snapshot.date > newest,
  );
}

it.each([
  ['nbp', (dates: readonly IsoDate[], day: IsoDate) => dates.filter((date) => date < day).at(-1)],
  ['cnb', (dates: readonly IsoDate[], day: IsoDate) => dates.filter((date) => date <= day).at(-1)],
] as const)(
  'the proof of %s finds the right publication or none, whatever is missing, late, held or corrected (rule N7, reliability R38)',
  async (bank, decidedBy) => {
    const series = bankSeries[bank];
    const log = pino({ level: 'silent' });
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyDay, { minLength: 30, maxLength: 30 }), async (plan) => {
        const db = await openTemporaryDatabase();
        const all = publish(plan, bank === 'nbp');
        const dates = all.map(({ snapshot }) => snapshot.date);
        const known = new KnownPublications(series);
        const times = days.flatMap((date, at) => {
          const hours = [-50 / 60, 12, 22.5];
          return hours.map((hour, n) => {
            const nowMs = Date.parse(date) + hour * 3_600_000;
            return { at, nowMs, hasRun: plan[at]?.runs[n] === true };
          });
        });
        for (const { at, nowMs, hasRun } of times) {
          const today = series.timetable.today(nowMs);
          if (hasRun && !isMisleading(all, nowMs, today)) await runJob(at, nowMs, today);
          // Also while there was no run: what is known then is old.
          for (const day of days) {
            const named =
              bank === 'nbp' ? { date: addDays(day, -1), mustEnd: true } : { date: day };
            const found = findDeciding({ ...named, otherwise: 'previous' }, known, nowMs);
            if (found.kind !== 'certain') continue;
            answered += 1;
            expect([day, found.date, day <= today]).toEqual([day, decidedBy(dates, day), true]);
          }
        }
        await db.destroy();

        async function runJob(at: number, nowMs: number, today: IsoDate): Promise<void> {
          const offers = all
            .filter(({ visibleMs }) => visibleMs <= nowMs)
            .map(({ snapshot, day }) => {
              const corrected = new Map([['EUR' as CurrencyCode, '1.0001']]);
              const isNow = day.isCorrected && nowMs > Date.parse(addDays(snapshot.date, 3));
              const rates = isNow ? corrected : snapshot.rates;
              return { snapshot: { ...snapshot, rates }, isFromHistory: true };
            });
          const run = { at: formatInstant(nowMs), finish: async () => {} };
          const parts = { db, log, series, clock: { now: () => nowMs }, gate: 'hold' } as const;
          const span = { from: first, judge: () => addDays(today, -1) };
          await publishOffers(parts, run, { offers, inputDigest: 'x', span });
          const state = plan[at]?.decision ?? 'none';
          const waiting = await listHeld(db, series.kind);
          // An operator who approves the newest one approves over a hole.
          const held = state === 'approved' ? waiting.at(-1) : waiting[0];
          const newest = (await series.snapshots.findLatest(db))?.date ?? '';
          if (held !== undefined && state !== 'none' && held.version > newest) {
            const decision = { id: held.id, state, at: run.at };
            const snapshots = state === 'approved' ? [series.parse(held.candidate)] : [];
            await db.transaction().execute(async (tx) => {
              await decideHeld(tx, decision);
              await storePublications(tx, series, { snapshots, at: run.at });
            });
          }
          await known.refresh(db);
        }
      }),
      { numRuns: histories, seed },
    );
    reportFigure(
      'R38',
      `${histories} random histories of the ${bank} (seed ${seed}): ${answered} answers, 0 contradicted`,
    );
    expect(answered).toBeGreaterThan(40 * histories);
  },
  600_000,
);
