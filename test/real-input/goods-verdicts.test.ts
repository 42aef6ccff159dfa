import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import type { CategorySet } from '../../src/rates/categories/category-sets.ts';
import { type Matches, matchRows } from '../../src/rates/categories/match-rows.ts';
import type { RowFilter } from '../../src/rates/categories/matched-row.ts';
import { holdsOn } from '../../src/rates/errata/erratum.ts';
import { programGoodsErrata } from '../../src/rates/errata/goods-erratum.ts';
import { reportFigure } from '../support/proof.ts';
import { hasCaptures, unlessAbsent } from './captures.ts';
import { dropImports, files, importHead, type RawRow, readRaw, readSets } from './raw-goods.ts';

const version = isoDate('2025-08-12');
const errata = programGoodsErrata.filter((erratum) => holdsOn(erratum, version));
const countries: CategorySet[] = [];
const raw: RawRow[] = [];

/** Reads the captures before the first question. */
async function load(): Promise<void> {
  if (raw.length > 0) return;
  for (const { file } of files) {
    countries.push(...(await readSets(file)));
    raw.push(...dropImports(readRaw(file)));
  }
}

/** Asks the service's rows; `DE cn=2202`. */
function ask(question: string): Matches {
  const [country = '', kind = '', code] = question.split(/[ =]/);
  const filter: RowFilter = {
    country: country === '' ? undefined : country,
    category: undefined,
    cn: kind === 'cn' ? code : undefined,
    cpa: kind === 'cpa' ? code?.replaceAll('.', '') : undefined,
    withTerritories: false,
    withUncoded: false,
  };
  return matchRows({ version, countries, errata }, filter);
}

/**
 * An answer as one text: the verdict with the errata that it is about, the rows without codes, and how many rows cover the
 * whole code: `depends 6 12 exempted rate | 3: 6 | 2 of 3`.
 */
function printAnswer(country: string, matches: Matches): string {
  const { uncoded, rows } = matches;
  const { rows: count = 0, rates = [] } = uncoded?.[country] ?? {};
  const national = rows.filter(({ scope }) => scope === null);
  const whole = national.filter(({ covers }) => covers === 'whole').length;
  const parts = [`${count}: ${rates.join(' ')}`, `${whole} of ${national.length}`];
  return [printVerdict(country, matches), ...parts].join(' | ');
}

function printVerdict(country: string, { verdicts, errata }: Matches): string {
  const verdict = verdicts[country];
  if (verdict?.kind === 'none') return `none ${verdict.uncoded}`;
  const { kind = '' } = verdict ?? {};
  const rates = verdict?.kind === 'one' ? [verdict.rate ?? ''] : (verdict?.rates ?? []);
  const found = verdict?.kind === 'one' ? [verdict.treatment] : (verdict?.treatments ?? []);
  return [kind, ...rates, ...found.toSorted(), ...errata].join(' ');
}

// The second reading: by the words of the rules on the raw rows, without any code of the service.

const isStart = (one: string, other: string): boolean =>
  other.indexOf(one) === 0 || one.indexOf(other) === 0;
const digitsOf = (codes: string): string[] =>
  codes
    .split(' ')
    .filter(Boolean)
    .map((code) => code.split('.').join(''));

/** The codes of a raw row by kind. */
function codesOf({ codes }: RawRow, kind: string): string[] {
  const [cn = '', cpa = ''] = codes.split('|');
  return digitsOf(kind === 'cn' ? cn : cpa);
}

/** The treatment and rate of a raw row: `rate 6`, `zero 0`, `exempted`. */
function valueOf({ rate, comment }: RawRow): string {
  const [type = '', value = ''] = rate.split(' ');
  if (type === 'EXEMPTED') return /zero rate|deduction right/.test(comment) ? 'zero 0' : 'exempted';
  return type.endsWith('_RATE') ? `rate ${value}` : type.toLowerCase();
}

/** Rules G5, G13 and X7 on the raw rows of a country, as `printAnswer` prints them. */
function readAnswer(country: string, kind: string, code: string): string {
  const rows = raw.filter((row) => row.country === country && !row.comment.startsWith(importHead));
  const matching = rows.flatMap((row) => {
    const met = codesOf(row, kind).filter((one) => isStart(one, code));
    const longest = met.reduce((best, one) => (one.length > best.length ? one : best), '');
    const isWhole = met.some((one) => code.startsWith(one));
    return met.length === 0 ? [] : [{ row, value: valueOf(row), longest, isWhole }];
  });
  const asked = errata.filter(
    (one) =>
      one.country === country &&
      one.codeKind === kind &&
      one.codes.some((own) => isStart(own.replaceAll('.', ''), code)),
  );
  const textOf = (of: { treatment: string; rate: string | null } | null): string =>
    of === null ? 'nothing' : of.rate === null ? of.treatment : `${of.treatment} ${of.rate}`;
  const meets = (row: RawRow, codes: readonly string[]): boolean =>
    codes.some((own) => codesOf(row, kind).some((one) => isStart(own.replaceAll('.', ''), one)));
  const concerned = (row: RawRow) =>
    asked.filter(
      ({ category, source, codes, commentBegins }) =>
        category === row.goods &&
        textOf(source) === valueOf(row) &&
        row.comment.startsWith(commentBegins ?? '') &&
        meets(row, codes),
    );
  const supplied = asked.filter(
    ({ source, law, codes }) =>
      source === null && !rows.some((row) => meets(row, codes) && valueOf(row) === textOf(law)),
  );
  const about = new Set([...matching.flatMap(({ row }) => concerned(row)), ...supplied]);
  const values = new Set(matching.map(({ value }) => value));
  const isOpen =
    values.size > 1 ||
    supplied.length > 0 ||
    matching.some(
      ({ row, value, longest, isWhole }) =>
        /[A-Za-zÀ-ž0-9]/.test(row.comment) ||
        longest.length < 4 ||
        value === 'not_applicable' ||
        concerned(row).length > 0 ||
        (!isWhole && !matching.some((other) => other.isWhole && other.value === value)),
    );
  const without = rows.filter(({ codes }) => codes === '|');
  const others = without.flatMap((row) => valueOf(row).split(' ')[1] ?? []);
  const ofUncoded = [...new Set(others)].sort((a, b) => Number(a) - Number(b));
  const whole = matching.filter(({ isWhole }) => isWhole).length;
  const ends = [`${without.length}: ${ofUncoded.join(' ')}`, `${whole} of ${matching.length}`].join(
    ' | ',
  );
  if (matching.length + supplied.length === 0) return `none ${without.length} | ${ends}`;
  for (const { law } of about) values.add(textOf(law));
  const parts = [...values].map((value) => value.split(' '));
  const rates = parts.flatMap(([, rate]) => rate ?? []).sort((a, b) => Number(a) - Number(b));
  const treatments = parts.map(([treatment = '']) => treatment).sort();
  const ids = [...about].map(({ id }) => id).sort();
  const kinds = [isOpen ? 'depends' : 'one', ...new Set(rates), ...new Set(treatments), ...ids];
  return `${kinds.join(' ')} | ${ends}`;
}

/** Whether 0.3 would have said that the rows agree: one rate that covers the whole code. */
function agreedIn03(country: string, kind: string, code: string): boolean {
  const matching = raw.filter(
    (row) =>
      row.country === country &&
      !row.comment.startsWith(importHead) &&
      codesOf(row, kind).some((one) => isStart(one, code)),
  );
  const isWhole = matching.some((row) => codesOf(row, kind).some((one) => code.startsWith(one)));
  return isWhole && new Set(matching.map(valueOf)).size === 1;
}

/** The id of an erratum of the program. */
const erratumOf = (country: string, code: string): string =>
  errata.find((one) => one.country === country && one.codes.includes(code))?.id ?? '';

describe.skipIf(!hasCaptures)(
  `answers from the real goods of TEDB of 2025-08-12 (rules G5, G13)${unlessAbsent}`,
  () => {
    it.each([
      ['DE', 'cn', 'one 0, depends 116', 116],
      ['ES', 'cn', 'one 1, depends 141', 142],
      ['ES', 'cpa', 'one 4, depends 12', 16],
      ['IT', 'cn', 'one 0, depends 778', 676],
      ['IT', 'cpa', 'one 0, depends 36', 25],
      ['BE', 'cn', 'one 0, depends 239', 225],
      ['BE', 'cpa', 'one 0, depends 68', 52],
      ['NL', 'cn', 'one 0, depends 409', 409],
      ['NL', 'cpa', 'one 0, depends 31', 29],
    ])(
      'are the same in a second reading for every listed code: %s %s: %s',
      async (country, kind, counts, agreedBefore) => {
        await load();
        const own = raw.filter((row) => row.country === country);
        const listed = new Set(own.flatMap((row) => codesOf(row, kind)));
        const codes = [...listed].filter((code) => code !== 'F');

        const found = codes.map((code) => printAnswer(country, ask(`${country} ${kind}=${code}`)));

        const expected = codes.map((code) => readAnswer(country, kind, code));
        const count = (word: string) => found.filter((text) => text.startsWith(word)).length;
        const before = codes.filter((code) => agreedIn03(country, kind, code)).length;
        reportFigure(
          'R37',
          `${codes.length} listed ${kind.toUpperCase()} codes of ${country} by a second reading: one rate ${count('one')}, ` +
            `depends ${count('depends')}; 0.3 called ${before} not ambiguous; ` +
            `${found.filter((text, at) => text !== expected[at]).length} otherwise read`,
        );
        expect(found).toEqual(expected);
        expect(`one ${count('one')}, depends ${count('depends')}`).toBe(counts);
        expect(before).toBe(agreedBefore);
      },
    );

    // Goods of the standard rate that 0.3 answered with one lower rate, and what the condition is.
    it.each([
      ['BE cn=6109', 'T-shirts', 'depends 6 rate'],
      ['BE cn=9102', 'watches, for the blind', 'depends 6 rate'],
      ['NL cn=9102', 'watches, for the blind', 'depends 9 rate'],
      ['NL cpa=95.22', 'repair of household appliances', 'depends 9 rate'],
      ['IT cn=8415', 'air conditioning', 'depends 5 rate'],
      ['DE cn=2202', 'cola', `depends 7 19 rate ${erratumOf('DE', '2202')}`],
      ['ES cn=1509', 'olive oil', `depends 4 10 rate ${erratumOf('ES', '1509')}`],
      ['ES cn=4901', 'books', `depends 4 rate ${erratumOf('ES', '4901')}`],
      ['ES cn=3004', 'medicines', `depends 4 rate ${erratumOf('ES', '3004')}`],
      ['BE cn=4902', 'newspapers', 'depends 0 6 rate zero'],
      ['BE cpa=49.31', 'buses', 'depends 6 rate'],
      ['DE cn=8517', 'telephones', 'none 8'],
      ['DE cpa=49.31', 'buses', 'none 8'],
      ['BE cn=8517', 'telephones', 'none 3'],
    ])('say of %s (%s): %s', async (question, _, expected) => {
      await load();
      const matches = ask(question);

      expect(printVerdict(question.slice(0, 2), matches)).toBe(expected);
      expect(matches.ambiguous).toBe(expected.startsWith('none') ? null : true);
    });

    it('count only rows without any code, and say which States have no code of a kind', async () => {
      await load();

      expect(ask('BE cpa=49.31')).toMatchObject({
        uncoded: { BE: { rows: 3, rates: ['6'] } },
        withoutCodes: [],
      });
      expect(ask('DE cpa=49.31').withoutCodes).toEqual(['DE']);
      expect(ask('DE cn=8517').withoutCodes).toEqual([]);
    });
  },
);
