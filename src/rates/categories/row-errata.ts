import { concernsRow, suppliesRow } from '../errata/erratum-rows.ts';
import type { GoodsErratum } from '../errata/goods-erratum.ts';
import type { CategoryRow } from './category-row.ts';
import { matchCodes, type WantedCode } from './match-codes.ts';
import type { RowFilter } from './matched-row.ts';

/** The codes and the category of a request; the CPA code also as it is compared with rows (rule G4). */
type Request = Pick<RowFilter, 'category' | 'cn' | 'cpa'> & {
  readonly wantedCpa: WantedCode | undefined;
};

/**
 * The errata, of those of a country and a day, whose codes meet the requested ones, so that they may concern rows of the
 * answer: those with most digits in common first, then by id (rule X7). All of them if no code was requested.
 */
export function askedErrata(
  errata: readonly GoodsErratum[],
  { cn, cpa }: Pick<RowFilter, 'cn' | 'cpa'>,
): readonly GoodsErratum[] {
  return errata
    .flatMap((erratum) => {
      if (cn === undefined && cpa === undefined) return [{ erratum, length: 0 }];
      const requested = erratum.codeKind === 'cn' ? cn : cpa;
      const match = requested === undefined ? undefined : matchCodes(erratum.codes, requested);
      return match === undefined ? [] : [{ erratum, length: match.length }];
    })
    .sort((a, b) => b.length - a.length || (a.erratum.id < b.erratum.id ? -1 : 1))
    .map(({ erratum }) => erratum);
}

/** The errata among `asked` that concern a row, in their order. */
export function errataOf(
  row: CategoryRow,
  asked: readonly GoodsErratum[],
): readonly GoodsErratum[] {
  return asked.filter((erratum) => concernsRow(erratum, row));
}

/** The errata that supply a row which a request is about and TEDB lacks. `rows` are all rows of the country. */
export function suppliedBy(
  errata: readonly GoodsErratum[],
  rows: readonly CategoryRow[],
  { category, cn, cpa, wantedCpa }: Request,
): readonly GoodsErratum[] {
  return errata.filter((erratum) => {
    if (category !== undefined && erratum.category.toUpperCase() !== category) return false;
    if (cn !== undefined || cpa !== undefined) {
      const requested = erratum.codeKind === 'cn' ? cn : wantedCpa?.digits;
      if (requested === undefined || matchCodes(erratum.codes, requested) === undefined) {
        return false;
      }
    }
    return suppliesRow(erratum, rows);
  });
}
