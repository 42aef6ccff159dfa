import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, isoDate } from '../platform/time/time.ts';
import { ecb } from './ecb-series.ts';
import { type Offer, planPublications } from './plan.ts';
import type { CurrencyCode, FxSnapshot } from './snapshot.ts';
import { ecbDays } from './target-calendar.ts';

const judging = { series: ecb, today: isoDate('2026-11-27') };

/** A publication of one currency. */
function day(date: string, usd: string): FxSnapshot {
  return { date: isoDate(date), rates: new Map([['USD' as CurrencyCode, usd]]) };
}

/** Publications that are written `2026-11-20 1.1, 2026-11-23 1.2`. */
const days = (text: string): FxSnapshot[] =>
  text === '' ? [] : text.split(', ').map((one) => day(one.slice(0, 10), one.slice(11)));
const offers = (text: string, isFromHistory: boolean): Offer[] =>
  days(text).map((snapshot) => ({ snapshot, isFromHistory }));

/** Writes days of November 2026 in full. */
const full = (text: string): string => text.replaceAll(/(?<=^|, )(?=\d\d )/g, '2026-11-');

/** A plan as text, with its days of November 2026 as two digits. */
function plan(offered: readonly Offer[], stored: readonly FxSnapshot[]): string[] {
  const { accepted, doubted, corrected } = planPublications(offered, stored, judging);
  return [
    ...accepted.map(({ date }) => `accept ${date}`),
    ...doubted.map(({ snapshot, reasons }) => `doubt ${snapshot.date}: ${reasons.join('; ')}`),
    ...corrected.map(
      ({ date, differences }) =>
        `correct ${date}: ${differences.map((d) => `${d.currency} ${d.stored} → ${d.upstream}`).join()}`,
    ),
  ].map((line) => line.replaceAll('2026-11-', ''));
}

describe('planPublications (contract C19, C20)', () => {
  it.each([
    ['accepts the first of all', '20 1.1', '', ['accept 20']],
    ['has nothing to do for nothing', '', '20 1.1', []],
    ['does nothing for a stored day', '20 1.1', '20 1.1', []],
    ['accepts a newer day', '23 1.2', '20 1.1', ['accept 23']],
    [
      'doubts a day that repeats the day before',
      '23 1.1',
      '20 1.1',
      ['doubt 23: 1 of 1 values are those of 20'],
    ],
    [
      'doubts a day of the past',
      '18 1.1',
      '17 1, 20 1.2',
      ['doubt 18: 18 is not newer than the latest, 20'],
    ],
    ['doubts a future day', '30 1.1', '', ['doubt 30: 30 is in the future, today is 27']],
  ])('%s of a daily file', (_, offered, stored, expected) => {
    expect(plan(offers(full(offered), false), days(full(stored)))).toEqual(expected);
  });

  it.each([
    ['fills a gap', '18 1.1', '17 1, 20 1.2', ['accept 18']],
    ['records a correction', '18 1.2', '17 1, 18 1.1', ['correct 18: USD 1.1 → 1.2']],
    ['does not judge a stored day', '18 9', '18 1', ['correct 18: USD 1 → 9']],
    [
      'judges each new day against the new day before it',
      '18 1.5, 19 2.2, 20 3.3',
      '17 1',
      ['accept 18', 'accept 19', 'accept 20'],
    ],
    [
      'judges a new day against the stored day before it, not against an older one',
      '20 1.05',
      '17 1, 18 1.5, 19 2.2',
      ['doubt 20: USD 2.2 → 1.05, a factor of 2 or more'],
    ],
    [
      'judges a gap against the day before it, and not the stored day after it',
      '18 1.1, 19 60, 20 50',
      '17 1, 20 50',
      ['accept 18', 'doubt 19: USD 1.1 → 60, a factor of 2 or more'],
    ],
    [
      'judges the day after a doubted one against the last accepted one',
      '18 9, 19 1.1',
      '17 1',
      ['accept 19', 'doubt 18: USD 1 → 9, a factor of 2 or more'],
    ],
  ])('with a file of past days %s', (_, offered, stored, expected) => {
    expect(plan(offers(full(offered), true), days(full(stored)))).toEqual(expected);
  });

  it('treats each offered day once, changes no stored day, and finds nothing to do if it is repeated', () => {
    const from = isoDate('2026-10-01');
    const open = Array.from({ length: 50 }, (_, at) => addDays(from, at)).filter(
      ecbDays.isPublicationDay,
    );
    const length = { minLength: open.length, maxLength: open.length };
    const anyValues = fc.array(fc.integer({ min: 100, max: 400 }), length);
    fc.assert(
      fc.property(anyValues, fc.array(fc.boolean(), length), (values, isStored) => {
        const series = open.map((date, at) => day(date, String((values[at] ?? 0) / 100)));
        const offered = series.map((snapshot) => ({ snapshot, isFromHistory: true }));
        const stored = series.filter((_, at) => isStored[at]);

        const { accepted, doubted, corrected } = planPublications(offered, stored, judging);

        const treated = [...accepted, ...doubted.map(({ snapshot }) => snapshot), ...stored];
        expect(treated.map(({ date }) => date).sort()).toEqual(open);
        expect(corrected).toEqual([]);
        const next = [...stored, ...accepted].sort((a, b) => (a.date < b.date ? -1 : 1));
        expect(planPublications(offered, next, judging).accepted).toEqual([]);
        expect(plan(offered, series)).toEqual([]);
      }),
    );
  });
});
