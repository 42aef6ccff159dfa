import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, isoDate, type IsoDate } from '../../platform/time/time.ts';
import type { Known } from '../absences/absence.ts';
import { ecb } from '../ecb/ecb.ts';
import { ecbDays } from '../ecb/calendar.ts';
import { findDeciding } from './deciding-publication.ts';
import type { NamedDay } from './rules.ts';

const begin = isoDate('2026-03-23');
/** Three weeks around Easter 2026: 3 and 6 April are closed. */
const span = Array.from({ length: 21 }, (_, at) => addDays(begin, at));
const openDays = span.filter((day) => ecbDays.isPublicationDay(day));
const later = Date.parse('2026-06-01T12:00:00Z');

function know(dates: readonly string[], held: readonly string[] = []): Known {
  return {
    series: ecb,
    dates: dates.map(isoDate).toSorted(),
    tables: [],
    held: Map.groupBy(
      held.map((date) => ({ date: isoDate(date) })),
      ({ date }) => date,
    ),
    completeThrough: undefined,
    earlierThrough: undefined,
    absences: new Map(),
  };
}

const previous = (date: string): NamedDay => ({ date: isoDate(date), otherwise: 'previous' });
const next = (date: string): NamedDay => ({ date: isoDate(date), otherwise: 'next' });
const certain = (date: string) => ({ kind: 'certain', date, isFinal: true });

it('before 2002 no calendar decides about a day before the newest stored one', () => {
  const known = know(['1999-01-05', '1999-01-08']);

  expect(findDeciding(previous('1999-01-07'), known, later)).toEqual(certain('1999-01-05'));
  expect(findDeciding(next('1999-01-06'), known, later)).toEqual(certain('1999-01-08'));
  expect(findDeciding(next('1999-01-11'), known, later).kind).toBe('notYet');
});

describe('findDeciding (legal-fx L4)', () => {
  const whole = know(openDays);

  it.each([
    ['a day with a publication', previous('2026-04-02'), '2026-04-02'],
    ['Good Friday to Easter Monday, backward', previous('2026-04-06'), '2026-04-02'],
    ['the last day of a period with a publication', next('2026-03-31'), '2026-03-31'],
    ['a period that ends on Good Friday, forward', next('2026-04-03'), '2026-04-07'],
  ])('finds the publication of %s', (_what, named, date) => {
    const beside = know(openDays, ['2026-04-01', '2026-04-08', '2026-04-12']);

    expect(findDeciding(named, whole, later)).toEqual(certain(date));
    // Publications that are held do not lie between.
    expect(findDeciding(named, beside, later)).toEqual(certain(date));
  });

  it('uses a publication on a day that the calendar calls closed', () => {
    const known = know([...openDays, '2026-04-06']);

    expect(findDeciding(previous('2026-04-06'), known, later)).toEqual(certain('2026-04-06'));
    expect(findDeciding(next('2026-04-03'), known, later)).toEqual(certain('2026-04-06'));
  });

  const missing = ['2026-03-27', '2026-04-01'];
  const incomplete = know(openDays.filter((day) => !missing.includes(day)));
  it.each([
    ['an open day that is missing', previous('2026-04-01'), incomplete],
    ['it, backward from the closed days after it', previous('2026-03-29'), incomplete],
    ['it, forward', next('2026-03-27'), incomplete],
    ['a closed day that is held', previous('2026-04-06'), know(openDays, ['2026-04-04'])],
    ['it, forward', next('2026-04-03'), know(openDays, ['2026-04-04'])],
  ])('finds none across %s', (_what, named, known) => {
    const availableMs = later + 3_600_000;

    expect(findDeciding(named, known, later)).toEqual({ kind: 'notYet', availableMs });
  });

  it.each([
    [previous('2001-12-20'), '2001-12-03'],
    [next('2001-12-04'), '2001-12-28'],
    [previous('2001-12-31'), '2001-12-28'],
    [previous('2002-01-01'), '2001-12-28'],
    [previous('2002-01-02'), undefined],
  ])('lets the stored history decide before 2002, then the calendar: %j', (named, date) => {
    const found = findDeciding(named, know(['2001-12-03', '2001-12-28']), later);

    expect(found).toMatchObject(date === undefined ? { kind: 'notYet' } : certain(date));
  });

  it('finds none before 2002 after the history or across a held publication', () => {
    const held = know(['2001-12-03', '2001-12-28'], ['2001-12-10']);

    expect(findDeciding(previous('2001-12-20'), know(['2001-12-03']), later).kind).toBe('notYet');
    expect(findDeciding(previous('2001-12-20'), held, later).kind).toBe('notYet');
    expect(findDeciding(previous('2001-12-07'), held, later)).toEqual(certain('2001-12-03'));
  });

  it.each([
    ['before the first stored publication', previous('2026-03-20'), whole],
    ['on a closed day just before it', next('2026-03-22'), whole],
    ['before the first publication of all, without data', previous('1999-01-03'), know([])],
  ])('reports a named day %s', (_what, named, known) => {
    expect(findDeciding(named, known, later)).toEqual({ kind: 'beforeData' });
  });

  it.each([
    ['the end of a period', next('2026-04-10'), '04-10T12:00Z', '04-10T22:00Z'],
    ['16:00 of the next open day', next('2026-04-12'), '04-12T12:00Z', '04-13T14:00Z'],
    ['16:00 of the day', previous('2026-04-14'), '04-13T20:00Z', '04-14T14:00Z'],
    ['16:00 in winter', previous('2026-12-24'), '12-24T14:59Z', '12-24T15:00Z'],
    ['the next run in the afternoon', previous('2026-04-14'), '04-14T14:00Z', '04-14T14:03Z'],
    ['the next run on a later day', previous('2026-04-14'), '04-15T06:00Z', '04-15T07:00Z'],
  ])('waits until %s', (_what, named, now, availableAt) => {
    expect(findDeciding(named, whole, Date.parse(`2026-${now}`))).toEqual({
      kind: 'notYet',
      availableMs: Date.parse(`2026-${availableAt}`),
    });
  });

  it('never returns a publication if another one can lie between, whatever is missing or held', () => {
    const anyDays = fc.subarray(span, { minLength: 1 });
    const anyNamed = fc.record({
      date: fc.constantFrom(...span),
      otherwise: fc.constantFrom('next' as const, 'previous' as const),
    });
    let certainCount = 0;

    fc.assert(
      fc.property(anyDays, fc.subarray(span, { maxLength: 3 }), anyNamed, (stored, held, named) => {
        const known = know(
          stored,
          held.filter((day) => !stored.includes(day)),
        );
        const found = findDeciding(named, known, later);
        const isNext = named.otherwise === 'next';
        const nearest = isNext
          ? stored.find((day) => day >= named.date)
          : stored.findLast((day) => day <= named.date);
        const between = span.filter((day) =>
          isNext
            ? day >= named.date && (nearest === undefined || day < nearest)
            : day <= named.date && (nearest === undefined || day > nearest),
        );
        const mayLieBetween = (day: IsoDate): boolean =>
          known.held.has(day) || ecbDays.isPublicationDay(day);
        const isCertain = nearest !== undefined && !between.some(mayLieBetween);
        const isBefore = named.date < (stored[0] ?? '');
        const kind = isBefore ? 'beforeData' : isCertain ? 'certain' : 'notYet';
        expect([found.kind, found.kind === 'certain' && found.date]).toEqual([
          kind,
          kind === 'certain' && nearest,
        ]);
        if (isCertain) certainCount += 1;
      }),
      { numRuns: 2_000 },
    );

    expect(certainCount).toBeGreaterThan(200);
  });
});
