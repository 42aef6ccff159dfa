import { describe, expect, it } from 'vitest';
import { isoDate } from '../../platform/time/time.ts';
import {
  isGapClosed,
  isRestedOn,
  judgeAbsence,
  type Known,
  listUnproved,
  type StoredAbsence,
} from './absence.ts';
import { seriesByName } from '../banks/banks.ts';

const at = (moment: string): number => Date.parse(`2026-${moment}Z`);
const later = Date.parse('2027-02-01T12:00:00Z');
const answers = (first: string, last: string): StoredAbsence => ({
  firstAtMs: at(first),
  lastAtMs: at(last),
  isClosed: false,
});
const once = answers('11-20T23:05', '11-20T23:05');
const twice = answers('11-20T23:05', '11-21T00:10');
const closed: StoredAbsence = { firstAtMs: undefined, lastAtMs: undefined, isClosed: true };

type Facts = {
  readonly bank?: 'nbp' | 'cnb' | 'ecb';
  /** Dates of stored publications, each of the NBP with its number behind it: `2026-11-19 224`. */
  readonly stored: string;
  readonly held?: string;
  readonly read?: string;
  readonly earlier?: string;
  readonly absences?: Readonly<Record<string, StoredAbsence>>;
};

function know({ bank = 'nbp', stored, held, read, earlier, absences = {} }: Facts): Known {
  const split = (text: string) => [...text.matchAll(/(\d{4})(-\d\d-\d\d)(?: (\d{3}))?/g)];
  const toDate = ([, year, day]: RegExpExecArray) => isoDate(`${year}${day}`);
  const toTable = ([, year, , number]: RegExpExecArray) => `${number}/A/NBP/${year}`;
  const unstored = split(held ?? '').map((one) => ({ date: toDate(one), table: toTable(one) }));
  return {
    series: seriesByName[bank],
    dates: split(stored).map(toDate),
    tables: bank === 'nbp' ? split(stored).map(toTable) : [],
    held: Map.groupBy(unstored, ({ date }) => date),
    completeThrough: read === undefined ? undefined : isoDate(read),
    earlierThrough: earlier === undefined ? undefined : isoDate(earlier),
    absences: new Map(Object.entries(absences)),
  };
}

/** `proved`, `provedByLess`, or why a day is open, with the moment of the second answer. */
function judge(day: string, facts: Facts, nowMs = later): string {
  const absence = judgeAbsence(isoDate(day), know(facts), nowMs);
  if (absence.kind !== 'open') return absence.kind;
  const { because, againMs } = absence;
  return againMs === undefined ? because : `${because} ${new Date(againMs).toISOString()}`;
}

describe('what proves that a day has no publication (rule N7b, legal-fx L4)', () => {
  // 2026-11-20 is a Friday, 11-21 a Saturday.
  const thursday = '2026-11-19 224';
  const friday = '2026-11-20';
  const monday = `${thursday}, 2026-11-23 225`;
  const ofYear = '2026-12-30 252';
  it.each<[string, day: string, Facts, string, nowMs?: number]>([
    ['a closed day, not read', '2026-11-21', { stored: thursday }, 'unread'],
    ['a closed day, read', '2026-11-21', { stored: thursday, read: '2026-11-21' }, 'proved'],
    ['a closed day, read before', '2026-11-21', { stored: thursday, read: friday }, 'unread'],
    ['an open day, read', friday, { stored: thursday, read: friday }, 'unread', at('11-21T12:00')],
    [
      'an open day with one answer',
      friday,
      { stored: thursday, absences: { [friday]: once } },
      'once read 2026-11-21T00:10:00.000Z',
      at('11-21T00:00'),
    ],
    [
      'an open day with two answers within an hour',
      friday,
      { stored: thursday, absences: { [friday]: answers('11-20T23:05', '11-21T00:04:59.999') } },
      'once read 2026-11-21T00:10:00.000Z',
      at('11-21T00:06'),
    ],
    [
      'an open day with two answers',
      friday,
      { stored: thursday, absences: { [friday]: twice } },
      'proved',
      at('11-21T12:00'),
    ],
    ['an open day before the next number', friday, { stored: monday }, 'proved'],
    [
      'a day between missing numbers',
      friday,
      { stored: `${thursday}, 2026-11-23 226` },
      'number missing',
    ],
    [
      'it, after two answers',
      friday,
      { stored: `${thursday}, 2026-11-23 226`, absences: { [friday]: twice } },
      'number missing',
    ],
    [
      'a closed day between missing numbers',
      '2026-11-21',
      { stored: `${thursday}, 2026-11-23 226`, read: '2026-11-30' },
      'number missing',
    ],
    [
      'it, if an operator has closed the open day',
      '2026-11-21',
      { stored: `${thursday}, 2026-11-23 226`, read: '2026-11-30', absences: { [friday]: closed } },
      'proved',
    ],
    [
      'a day that an operator has closed',
      friday,
      { stored: thursday, absences: { [friday]: closed } },
      'proved',
    ],
    ['a held day', friday, { stored: thursday, held: '2026-11-20 225' }, 'held'],
    [
      'a day before a held table behind a missing number',
      friday,
      { stored: thursday, held: '2026-11-23 226' },
      'number missing',
    ],
    [
      'a day between tables with a held one in between',
      friday,
      { stored: `${thursday}, 2026-11-24 226`, held: '2026-11-23 225' },
      'number missing',
    ],
    ['the last open day of a year', '2026-12-31', { stored: ofYear }, 'end of year'],
    ['it, with table 001', '2026-12-31', { stored: `${ofYear}, 2027-01-04 001` }, 'end of year'],
    ['a closed day there', '2027-01-02', { stored: `${ofYear}, 2027-01-04 001` }, 'proved'],
    [
      'an open day before table 002',
      '2027-01-04',
      { stored: `${ofYear}, 2027-01-05 002` },
      'number missing',
    ],
    [
      'a working day before, in the year',
      '2026-12-30',
      { stored: '2026-12-29 251' },
      'unread',
      at('12-31T00:06'),
    ],
    ['it, after the year', '2026-12-30', { stored: '2026-12-29 251' }, 'end of year'],
    [
      'a day that 0.3 has answered',
      friday,
      { stored: thursday, earlier: friday },
      'provedByLess',
      at('11-21T12:00'),
    ],
    [
      'a day after those',
      friday,
      { stored: thursday, earlier: '2026-11-19' },
      'unread',
      at('11-21T12:00'),
    ],
    [
      'the end of a year that 0.3 has answered',
      '2026-12-31',
      { stored: ofYear, earlier: '2026-12-31' },
      'provedByLess',
    ],
    [
      'it, after two answers',
      '2026-12-31',
      { stored: ofYear, earlier: '2026-12-31', absences: { '2026-12-31': twice } },
      'end of year',
    ],
    ['a weekend in Czechia', '2026-11-21', { bank: 'cnb', stored: friday }, 'proved'],
    ['a public holiday there', '2026-11-17', { bank: 'cnb', stored: '2026-11-16' }, 'proved'],
    [
      'a working day there',
      friday,
      { bank: 'cnb', stored: '2026-11-19, 2026-11-23', read: '2026-11-30' },
      'unread',
    ],
    [
      'it, after two answers',
      friday,
      { bank: 'cnb', stored: '2026-11-19', absences: { [friday]: twice } },
      'proved',
    ],
    [
      'the last one of a year there',
      '2026-12-31',
      { bank: 'cnb', stored: '2026-12-30', absences: { '2026-12-31': twice } },
      'proved',
    ],
    ['a weekend of TARGET', '2026-11-21', { bank: 'ecb', stored: friday }, 'proved'],
    ['an open day of TARGET', friday, { bank: 'ecb', stored: '2026-11-19, 2026-11-23' }, 'hole'],
    ['one before 2002', '2001-12-04', { bank: 'ecb', stored: '2001-12-03, 2001-12-05' }, 'proved'],
    [
      'one before 2002 after the history',
      '2001-12-06',
      { bank: 'ecb', stored: '2001-12-05' },
      'hole',
    ],
  ])('%s: %s', (_, day, facts, expected, nowMs) => {
    expect(judge(day, facts, nowMs)).toBe(expected);
  });

  it('lists the days that are not proved, between and after the stored ones', () => {
    const known = know({ stored: `${thursday}, 2026-11-24 226`, read: '2026-11-26' });

    expect(listUnproved(known, isoDate('2026-11-25'), later)).toEqual([
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
      '2026-11-23',
      '2026-11-25',
    ]);
  });
});

describe('whether answers rest on an absence', () => {
  const friday = isoDate('2026-11-20');
  it.each<[string, Facts, boolean]>([
    ['nothing is stored before', { stored: '2026-11-23 225' }, false],
    ['it was read once', { stored: '2026-11-19 224', absences: { [friday]: once } }, false],
    ['it was read twice', { stored: '2026-11-19 224', absences: { [friday]: twice } }, true],
    [
      'it was read twice, and a number is missing since',
      { stored: '2026-11-19 224, 2026-11-23 226', absences: { [friday]: twice } },
      true,
    ],
    [
      'it is held now',
      { stored: '2026-11-19 224', held: '2026-11-20 225', absences: { [friday]: twice } },
      true,
    ],
    ['0.3 has answered', { stored: '2026-11-19 224', earlier: friday }, true],
    ['the day before is open', { stored: '2026-11-18 223', absences: { [friday]: twice } }, false],
  ])('%s', (_, facts, expected) => {
    expect(isRestedOn(friday, know(facts), at('11-24T12:00'))).toBe(expected);
  });
});

it.each<[string, Readonly<Record<string, StoredAbsence>>, boolean]>([
  ['no day is closed', {}, false],
  ['one of two open days is closed', { '2026-11-20': closed }, false],
  ['both are closed', { '2026-11-20': closed, '2026-11-23': closed }, true],
])('an operator explains missing numbers, or not: %s', (_, absences, expected) => {
  const span = { from: isoDate('2026-11-19'), to: isoDate('2026-11-24') };
  expect(isGapClosed(span, know({ stored: '', absences }))).toBe(expected);
});
