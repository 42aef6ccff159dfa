import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, isoDate } from '../../platform/time/time.ts';
import { bankSeries } from '../banks/banks.ts';
import { ecb } from '../ecb/ecb.ts';
import { type Hole, type Offer, type Planning, planPublications } from './plan.ts';
import type { CurrencyCode, FxSnapshot } from '../snapshot.ts';
import { ecbDays } from '../ecb/calendar.ts';

const begunOn = isoDate('2026-01-01');
const judging = { series: ecb, today: isoDate('2026-11-27'), begunOn };

/** A publication of one currency. */
function day(date: string, usd: string): FxSnapshot {
  return { date: isoDate(date), rates: new Map([['USD' as CurrencyCode, usd]]) };
}

/** Publications that are written `2026-11-20 1.1, 2026-11-23 1.2`. */
const days = (text: string): FxSnapshot[] =>
  text === '' ? [] : text.split(', ').map((one) => day(one.slice(0, 10), one.slice(11)));
const offer = (publications: readonly FxSnapshot[], isFromHistory: boolean): Offer[] =>
  publications.map((snapshot) => ({ snapshot, isFromHistory }));

/** Writes days of November 2026 in full. */
const full = (text: string): string => text.replaceAll(/(?<=^|, )(?=\d\d )/g, '2026-11-');

/** A plan as text, with its days of November 2026 as two digits. */
function plan(
  offered: readonly Offer[],
  stored: readonly FxSnapshot[],
  planning: Planning = judging,
): string[] {
  const { accepted, doubted, corrected, hole } = planPublications(offered, stored, planning);
  return [
    ...accepted.map(({ date }) => `accept ${date}`),
    ...doubted.map(({ snapshot, reasons }) => `doubt ${snapshot.date}: ${reasons.join('; ')}`),
    ...corrected.map(
      ({ date, differences }) =>
        `correct ${date}: ${differences.map((d) => `${d.currency} ${d.stored} → ${d.upstream}`).join()}`,
    ),
    ...(hole === undefined ? [] : [`hole after ${hole.after.date}`]),
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
    expect(plan(offer(days(full(offered)), false), days(full(stored)))).toEqual(expected);
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
    expect(plan(offer(days(full(offered)), true), days(full(stored)))).toEqual(expected);
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
        const offered = offer(series, true);
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

describe('planPublications of a bank that numbers its tables (rule N7)', () => {
  const numbered = { series: bankSeries.nbp, today: isoDate('2026-11-27'), begunOn };
  /** Tables of 2026 that are written `220 of 20 4.1, 221 of 23 4.2`. */
  const tables = (text: string): FxSnapshot[] =>
    [...text.matchAll(/(\d+) of (\d+) ([\d.]+)/g)].map(([, number, date, eur = '']) => ({
      date: isoDate(`2026-11-${date}`),
      rates: new Map([['EUR' as CurrencyCode, eur]]),
      table: `${number}/A/NBP/2026`,
    }));

  it.each([
    ['accepts the first of all', '220 of 20 4.1', '', ['accept 20']],
    ['accepts the next number', '221 of 23 4.2', '220 of 20 4.1', ['accept 23']],
    [
      'doubts a number that does not follow, and those behind it',
      '222 of 23 4.2, 223 of 24 4.3',
      '220 of 20 4.1',
      ['doubt 23: 222 does not follow 220', 'doubt 24: 223 does not follow 220', 'hole after 20'],
    ],
    [
      'accepts what follows a doubted number, which is doubted alone',
      '221 of 23 9.9, 222 of 24 4.2',
      '220 of 20 4.1',
      ['accept 24', 'doubt 23: EUR 4.1 → 9.9, a factor of 2 or more'],
    ],
    [
      'finds the first hole of several',
      '218 of 19 4.2, 222 of 23 4.3',
      '216 of 18 4.1, 220 of 20 4.15',
      ['doubt 19: 218 does not follow 216', 'doubt 23: 222 does not follow 220', 'hole after 18'],
    ],
    [
      'accepts what follows a stored number behind a doubted one',
      '217 of 19 9.9, 221 of 23 4.3',
      '216 of 18 4.1, 220 of 20 4.15',
      ['accept 23', 'doubt 19: EUR 4.1 → 9.9, a factor of 2 or more'],
    ],
    ['records a correction', '220 of 20 4.2', '220 of 20 4.1', ['correct 20: EUR 4.1 → 4.2']],
    [
      'doubts a stored number with another date',
      '220 of 23 4.1',
      '220 of 20 4.1',
      ['doubt 23: 220 is stored with the date 20'],
    ],
    ['fills a hole', '221 of 23 4.2', '220 of 20 4.1, 222 of 24 4.3', ['accept 23']],
    [
      'fills no hole with a date that is not between',
      '221 of 24 4.2',
      '220 of 20 4.1, 222 of 24 4.3',
      ['doubt 24: 221 of 24 is not older than 222 of 24'],
    ],
  ])('%s', (_, offered, stored, expected) => {
    const lines = plan(offer(tables(offered), true), tables(stored), numbered);
    expect(lines.map((line) => line.replaceAll('/A/NBP/2026', ''))).toEqual(expected);
  });

  it('doubts a publication if answers may rest on its absence, and it alone', () => {
    const isRestedOn = (date: string): boolean => date === '2026-11-20';
    const found = plan(offer(tables('220 of 20 4.1, 221 of 23 4.2'), true), [], {
      ...numbered,
      isRestedOn,
    });
    const sentence = '20 was read without a publication before, and answers may rest on that';
    expect(found).toEqual(['accept 23', `doubt 20: ${sentence}`]);
  });

  it('misses no number between two publications if an operator has explained it', () => {
    const offered = offer(tables('222 of 24 4.2'), true);
    const isExplained = ({ after, before }: Hole): boolean =>
      `${after.table} ${before.table}` === '220/A/NBP/2026 222/A/NBP/2026';

    expect(plan(offered, tables('220 of 20 4.1'), { ...numbered, isExplained })).toEqual([
      'accept 24',
    ]);
  });
});
