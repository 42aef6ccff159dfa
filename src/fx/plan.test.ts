import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, isoDate } from '../platform/time.ts';
import { isPublicationDay } from './calendar.ts';
import { type FxPlan, type Offer, planPublications } from './plan.ts';
import type { CurrencyCode, FxSnapshot } from './snapshot.ts';

const today = isoDate('2026-11-27');

/** A publication of one currency. */
function day(date: string, usd: string): FxSnapshot {
  return { date: isoDate(date), rates: new Map([['USD' as CurrencyCode, usd]]) };
}

const past = (date: string, usd: string): Offer => ({
  snapshot: day(date, usd),
  isFromHistory: true,
});
const daily = (date: string, usd: string): Offer => ({
  snapshot: day(date, usd),
  isFromHistory: false,
});

/** A plan as text. */
function show(plan: FxPlan): string[] {
  return [
    ...plan.accepted.map(({ date }) => `accept ${date}`),
    ...plan.doubted.map(({ snapshot, reasons }) => `doubt ${snapshot.date}: ${reasons.join('; ')}`),
    ...plan.corrected.map(
      ({ date, differences }) =>
        `correct ${date}: ${differences.map((d) => `${d.currency} ${d.stored} → ${d.upstream}`).join()}`,
    ),
  ];
}

describe('planPublications (contract C19, C20)', () => {
  it.each<[string, Offer[], FxSnapshot[], string[]]>([
    ['accepts the first of all', [daily('2026-11-20', '1.1')], [], ['accept 2026-11-20']],
    ['has nothing to do for nothing', [], [day('2026-11-20', '1.1')], []],
    ['does nothing for a stored day', [daily('2026-11-20', '1.1')], [day('2026-11-20', '1.1')], []],
    [
      'accepts a newer day',
      [daily('2026-11-23', '1.2')],
      [day('2026-11-20', '1.1')],
      ['accept 2026-11-23'],
    ],
    [
      'doubts a day that repeats the day before',
      [daily('2026-11-23', '1.1')],
      [day('2026-11-20', '1.1')],
      ['doubt 2026-11-23: 1 of 1 values are those of 2026-11-20'],
    ],
    [
      'doubts a daily file that goes back',
      [daily('2026-11-18', '1.1')],
      [day('2026-11-17', '1'), day('2026-11-20', '1.2')],
      ['doubt 2026-11-18: 2026-11-18 is not newer than the latest, 2026-11-20'],
    ],
    [
      'fills a gap from a file of past days',
      [past('2026-11-18', '1.1')],
      [day('2026-11-17', '1'), day('2026-11-20', '1.2')],
      ['accept 2026-11-18'],
    ],
    [
      'records a correction of a stored day',
      [past('2026-11-18', '1.2')],
      [day('2026-11-17', '1'), day('2026-11-18', '1.1')],
      ['correct 2026-11-18: USD 1.1 → 1.2'],
    ],
    [
      'does not judge a stored day',
      [past('2026-11-18', '9')],
      [day('2026-11-18', '1')],
      ['correct 2026-11-18: USD 1 → 9'],
    ],
    [
      'doubts a future day',
      [daily('2026-11-30', '1.1')],
      [],
      ['doubt 2026-11-30: 2026-11-30 is in the future, today is 2026-11-27'],
    ],
  ])('%s', (_, offered, stored, expected) => {
    expect(show(planPublications(offered, stored, today))).toEqual(expected);
  });

  it('judges each new day against the new day before it', () => {
    const offered = [
      past('2026-11-18', '1.5'),
      past('2026-11-19', '2.2'),
      past('2026-11-20', '3.3'),
    ];

    expect(show(planPublications(offered, [day('2026-11-17', '1')], today))).toEqual([
      'accept 2026-11-18',
      'accept 2026-11-19',
      'accept 2026-11-20',
    ]);
  });

  it('judges a new day against the stored day before it, not against an older one', () => {
    const stored = [day('2026-11-17', '1'), day('2026-11-18', '1.5'), day('2026-11-19', '2.2')];

    expect(show(planPublications([past('2026-11-20', '3.3')], stored, today))).toEqual([
      'accept 2026-11-20',
    ]);
    expect(show(planPublications([past('2026-11-20', '1.05')], stored, today))).toEqual([
      'doubt 2026-11-20: USD 2.2 → 1.05, a factor of 2 or more',
    ]);
  });

  it('judges the first day of a gap against the day before it, and does not judge the stored day', () => {
    const stored = [day('2026-11-17', '1'), day('2026-11-20', '50')];
    const offered = [past('2026-11-18', '1.1'), past('2026-11-19', '60'), past('2026-11-20', '50')];

    expect(show(planPublications(offered, stored, today))).toEqual([
      'accept 2026-11-18',
      'doubt 2026-11-19: USD 1.1 → 60, a factor of 2 or more',
    ]);
  });

  it('judges the day after a doubted one against the last accepted one', () => {
    const offered = [past('2026-11-18', '9'), past('2026-11-19', '1.1')];

    expect(show(planPublications(offered, [day('2026-11-17', '1')], today))).toEqual([
      'accept 2026-11-19',
      'doubt 2026-11-18: USD 1 → 9, a factor of 2 or more',
    ]);
  });

  it('treats each offered day once, changes no stored day, and finds nothing to do if it is repeated', () => {
    const from = isoDate('2026-10-01');
    const days = Array.from({ length: 50 }, (_, at) => addDays(from, at)).filter(isPublicationDay);
    const anySeries = fc.tuple(
      fc.array(fc.integer({ min: 100, max: 400 }), {
        minLength: days.length,
        maxLength: days.length,
      }),
      fc.array(fc.boolean(), { minLength: days.length, maxLength: days.length }),
    );
    fc.assert(
      fc.property(anySeries, ([values, isStored]) => {
        const series = days.map((date, at) => day(date, String((values[at] ?? 0) / 100)));
        const offers = series.map((snapshot) => ({ snapshot, isFromHistory: true }));
        const stored = series.filter((_, at) => isStored[at]);

        const plan = planPublications(offers, stored, today);

        const dates = [...plan.accepted, ...plan.doubted.map((d) => d.snapshot), ...stored].map(
          (s) => s.date,
        );
        expect(dates.sort()).toEqual(days);
        expect(plan.corrected).toEqual([]);
        const next = [...stored, ...plan.accepted].sort((a, b) => (a.date < b.date ? -1 : 1));
        expect(planPublications(offers, next, today).accepted).toEqual([]);
        const all = planPublications(offers, series, today);
        expect(show(all)).toEqual([]);
      }),
    );
  });
});
