import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';
import { datesFrom } from './support/days.ts';
import { type Diary, keepDiary } from './support/diary.ts';
import { fieldsOf, foldChanges } from './support/fold.ts';

/** The months around each real change of the last year, and the weekdays on which TARGET was closed. */
const windows = [
  {
    name: 'Finland and Lithuania, 1 January 2026',
    from: '2025-12-16',
    to: '2026-01-16',
    changes: ['2026-01-01 FI reduced[1] 14 → 13.5', '2026-01-01 LT reduced[1] 9 → 12'],
    closedWeekdays: ['2025-12-25', '2025-12-26', '2026-01-01'],
  },
];

describe.each(windows)('a simulated month, day by day: $name', (window) => {
  const { from, to } = window;
  let written: Promise<Diary> | undefined;
  // The first test simulates the month; the others only read the diary.
  const live = async (): Promise<Diary> => {
    written ??= (async () => {
      const service = await startService({ at: `${from}T05:00:00Z`, fxFrom: from });
      return keepDiary(service, { from, to });
    })();
    return written;
  };

  it('lists exactly the real changes (interface 4.2, contract C13, C16)', async () => {
    const diary = await live();

    expect(diary.facts.changes.map(({ row }) => row)).toEqual(window.changes);
    expect(diary.changes.map(({ id }) => id).sort()).toEqual(
      diary.facts.changes.map(({ id }) => id).sort(),
    );
  });

  it('writes one event for each date with changes (interface 6, contract C31)', async () => {
    const diary = await live();

    const dates = new Set(window.changes.map((row) => row.slice(0, 10)));
    expect(diary.facts.events).toEqual([...dates]);
  });

  it('detects all rows of a date at one moment, that of the daily run (interface 4.3)', async () => {
    const diary = await live();

    for (const { snapshotDate, detectedAt } of diary.changes) {
      expect(detectedAt).toBe(`${snapshotDate}T07:00:00.000Z`);
    }
  });

  it('has rows that lead from the first snapshot to the last', async () => {
    const diary = await live();

    const folded = foldChanges(fieldsOf(diary.firstRates), diary.changes.toReversed());
    expect(Object.fromEntries(folded)).toEqual(Object.fromEntries(fieldsOf(diary.lastRates)));
    expect(JSON.parse(diary.lastRates)).toMatchObject({ version: to });
  });

  it('never changes a body that was answered as immutable (contract C8)', async () => {
    const diary = await live();

    expect(diary.contradictions).toEqual([]);
    expect(diary.immutableCount).toBeGreaterThan(80);
  });

  it('publishes rates every day, and the latest never goes back (contract C12)', async () => {
    const diary = await live();

    expect(diary.facts.versions).toEqual(datesFrom(from, to));
    expect(diary.latestRates).toEqual(diary.latestRates.toSorted());
    expect(new Set(diary.latestRates)).toEqual(new Set(datesFrom(from, to)));
  });

  it('publishes exchange rates on each TARGET day by 16:10 (interface 4.4)', async () => {
    const diary = await live();

    const open = datesFrom(from, to).filter(
      (date) => !isWeekend(date) && !window.closedWeekdays.includes(date),
    );
    expect(diary.facts.fxDates.filter((date) => date >= from)).toEqual(open);
    expect(diary.fxOnTheDay).toEqual(open);
    expect(diary.latestFx).toEqual(diary.latestFx.toSorted());
  });

  it('answers 404 for the other days, with links to both neighbours (contract C10)', async () => {
    const { facts, fxMissing } = await live();

    for (const { date, link } of fxMissing) {
      const before = facts.fxDates.findLast((published) => published < date);
      const after = facts.fxDates.find((published) => published > date);
      const links = [
        ...(before === undefined ? [] : [`</fx/${before}>; rel="prev"`]),
        ...(after === undefined ? [] : [`</fx/${after}>; rel="next"`]),
      ];
      expect(link).toBe(links.join(', '));
    }
    expect(fxMissing.map(({ date }) => date)).toEqual(
      datesFrom(from, to).filter((date) => !facts.fxDates.includes(date)),
    );
  });
});

function isWeekend(date: string): boolean {
  return [0, 6].includes(new Date(date).getUTCDay());
}
