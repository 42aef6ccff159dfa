import { isoDate, type IsoDate } from '../../platform/time/time.ts';
import { stableId } from '../../platform/values/digest.ts';
import type { CategoryRow, Treatment } from '../categories/category-row.ts';
import type { ErratumProof } from './erratum.ts';
import table from './goods-errata.json' with { type: 'json' };

/** The treatment of a supply and its rate: a canonical decimal, `0` for `zero`, null for a treatment without a rate. */
export type Taxation = Pick<CategoryRow, 'treatment' | 'rate'>;

/** The two systems of codes: the Combined Nomenclature of goods, and the Classification of Products by Activity. */
export const codeKinds = ['cn', 'cpa'] as const;

export type CodeKind = (typeof codeKinds)[number];

/** A row by goods category that TEDB reports otherwise than the law, or not at all (rule X7). */
export type GoodsErratum = ErratumProof & {
  /** TEDB's identifier: `FOODSTUFFS`. */
  readonly category: string;
  readonly codeKind: CodeKind;
  /** The beginnings of the codes that are meant, as TEDB writes them. */
  readonly codes: readonly string[];
  /** How the comment of the row begins that is meant, if category, codes and rate do not suffice; else null. */
  readonly commentBegins: string | null;
  /** The first day; null if the error is as old as the service knows. */
  readonly from: IsoDate | null;
  /** What TEDB reports; null if it has no row whose codes meet these with the taxation of the law. */
  readonly source: Taxation | null;
  readonly law: Taxation;
  /** One sentence, for which supplies the law says so; null if for all. */
  readonly condition: string | null;
};

/** An erratum of goods, and whether TEDB has corrected it meanwhile. */
export type KnownGoodsErratum = GoodsErratum & { readonly fixedInSource: IsoDate | null };

/** The errata of goods of the program, by country, category and codes. `docs/accuracy.md` says what was compared. */
export const programGoodsErrata: readonly GoodsErratum[] = table.map((row) => {
  const { country, category, from, to, source, law } = row;
  const codeKind = row.codeKind as CodeKind;
  return {
    ...row,
    id: goodsErratumId({ ...row, codeKind }),
    country,
    category,
    codeKind,
    from: from === null ? null : isoDate(from),
    to: to === null ? null : isoDate(to),
    source: source === null ? null : toTaxation(source),
    law: toTaxation(law),
    seen: row.seen as GoodsErratum['seen'],
    by: null,
  };
});

function toTaxation(row: { readonly treatment: string; readonly rate: number | null }): Taxation {
  return {
    treatment: row.treatment as Treatment,
    rate: row.rate === null ? null : String(row.rate),
  };
}

/** The id of an erratum of goods, the same on each service. */
export function goodsErratumId(
  of: Pick<GoodsErratum, 'country' | 'category' | 'codeKind' | 'codes'> & {
    readonly from: string | null;
  },
): string {
  const { country, category, codeKind, codes, from } = of;
  return stableId('err', country, category, codeKind, codes.join(' '), from ?? '');
}
