import { describe, expect, it } from 'vitest';
import { type ErratumProof, haveCommonDay, holdsOn, programErrata } from './erratum.ts';
import { isoDate } from '../../platform/time/time.ts';
import { programGoodsErrata } from './goods-erratum.ts';

type Listed = ErratumProof & Parameters<typeof haveCommonDay>[0];

/** The pairs of entries that say of the same thing, on a common day, what is to be known. */
function overlapping<T extends Listed>(
  entries: readonly T[],
  isSame: (a: T, b: T) => boolean,
): string[] {
  return entries.flatMap((a, at) =>
    entries
      .slice(at + 1)
      .filter((b) => a.country === b.country && isSame(a, b) && haveCommonDay(a, b))
      .map((b) => `${a.id} ${b.id}`),
  );
}

describe.each([
  ['national rates', programErrata],
  ['goods', programGoodsErrata],
] as readonly (readonly [string, readonly Listed[]])[])(
  'the errata of %s of the program (rule X8)',
  (_, entries) => {
    it('each have an id, a law, a reference, and how the law was read', () => {
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      const lacking = entries.filter(
        ({ legalBasis, reference, seen, by }) =>
          legalBasis === '' || (reference ?? '') === '' || seen === null || by !== null,
      );
      expect(lacking).toEqual([]);
      const texts = entries.flatMap(({ legalBasis, reference, note }) => [
        legalBasis,
        reference ?? '',
        note ?? '',
      ]);
      expect(texts.filter((text) => text.length > 500 || /[\p{Cc}\p{Cf}]/u.test(text))).toEqual([]);
    });

    it('end on or after their first day', () => {
      const reversed = entries.filter(({ from, to }) => from !== null && to !== null && to < from);

      expect(reversed).toEqual([]);
    });
  },
);

it('no two errata are about the same rate on the same day (rule X8)', () => {
  const isReduced = (field: string): boolean => field.startsWith('reduced');

  expect(
    overlapping(
      programErrata,
      (a, b) => a.field === b.field || (isReduced(a.field) && isReduced(b.field)),
    ),
  ).toEqual([]);
  expect(
    overlapping(
      programGoodsErrata,
      (a, b) =>
        a.category === b.category &&
        a.codeKind === b.codeKind &&
        a.codes.some((code) => b.codes.includes(code)),
    ),
  ).toEqual([]);
});

it.each([
  [null, null, '2026-01-01', true],
  ['2026-01-01', null, '2025-12-31', false],
  ['2026-01-01', '2026-01-31', '2026-01-01', true],
  ['2026-01-01', '2026-01-31', '2026-01-31', true],
  [null, '2026-01-31', '2026-02-01', false],
])('an erratum from %s to %s holds on %s: %s', (from, to, date, expected) => {
  const days = {
    from: from === null ? null : isoDate(from),
    to: to === null ? null : isoDate(to),
  };

  expect(holdsOn(days, isoDate(date))).toBe(expected);
  expect(haveCommonDay(days, { from: isoDate(date), to: isoDate(date) })).toBe(expected);
});
