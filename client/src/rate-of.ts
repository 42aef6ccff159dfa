import type { CategoryRow, CategoryRows, GoodsErratum, RateVerdict } from './api-types.ts';
import { InvalidArgumentError, UnexpectedAnswerError } from './errors.ts';
import { datedPath, queryString } from './path.ts';
import { type CallOptions, type Transport, withRates } from './transport.ts';
import type { ErrataList } from './vat-rates.ts';

/** A country, and exactly one of `cn`, `cpa` and `category`. */
export type RateQuestion = {
  /** A Member State, in upper or lower case; `EL` is read as `GR`. */
  readonly country: string;
  /** The date of a snapshot; by default the latest. */
  readonly on?: string | undefined;
} & (
  | {
      /** A code of the Combined Nomenclature with 2, 4, 6, 8 or 10 digits: `4901 10 00`. */
      readonly cn: string;
      readonly cpa?: undefined;
      readonly category?: undefined;
    }
  | {
      /** A CPA code: `58.11.3`. */
      readonly cpa: string;
      readonly cn?: undefined;
      readonly category?: undefined;
    }
  | {
      /** An identifier of `categoryList()`, in any letter case. */
      readonly category: string;
      readonly cn?: undefined;
      readonly cpa?: undefined;
    }
);

/** The verdict on a question, with the rows and the errata that it follows from. Look at `kind` first. */
export type JudgedRate = RateVerdict & {
  /** ISO 3166-1 alpha-2; Greece is `GR`. */
  readonly country: string;
  /** The date of the snapshot. */
  readonly version: string;
  /** All rows that match, in the order of `categories()`; also those for imports, which the verdict leaves out. */
  readonly rows: readonly CategoryRow[];
  /** The known errors of TEDB that the question is about, with the law, in the order of `errata()`. */
  readonly errata: readonly GoodsErratum[];
};

/** Reads the verdict on a question, with all pages of its rows and the errata that it names. */
export async function readRateOf(
  transport: Transport,
  question: RateQuestion,
  options?: CallOptions,
): Promise<JudgedRate> {
  const { country: asked, on, cn, cpa, category } = question;
  assertComplete(question);
  const path = `${datedPath('/rates', on, 'on')}/categories`;
  const readPage = async (cursor?: string): Promise<CategoryRows> => {
    const query = queryString({ country: asked, cn, cpa, category, cursor });
    return transport.read(path + query, withRates('rows'), options);
  };
  const first = await readPage();
  const { version } = first;
  const [[country, verdict] = []] = Object.entries(first.verdict ?? {});
  // A service before 0.4 gives no verdict.
  if (country === undefined || verdict === undefined) {
    throw new UnexpectedAnswerError(200, "an answer without 'verdict'");
  }
  const rows = [...first.rows];
  let { nextCursor } = first;
  while (nextCursor !== null) {
    const page = await readPage(nextCursor);
    rows.push(...page.rows);
    ({ nextCursor } = page);
  }
  const errata = await readErrata(transport, { country, ids: first.errata }, options);
  return Object.freeze({ ...verdict, country, version, rows: Object.freeze(rows), errata });
}

/** Reads errata of a country by their ids. Those that the operator has removed meanwhile are left out. */
async function readErrata(
  transport: Transport,
  { country, ids }: { readonly country: string; readonly ids: readonly string[] },
  options: CallOptions | undefined,
): Promise<readonly GoodsErratum[]> {
  if (ids.length === 0) return Object.freeze([]);
  const { errata } = await transport.read<ErrataList<GoodsErratum>>(
    `/rates/errata${queryString({ kind: 'goods', country })}`,
    withRates('errata'),
    options,
  );
  return Object.freeze(errata.filter(({ id }) => ids.includes(id)));
}

/** Programs in JavaScript may leave a field out, and the service would then judge all countries, or none. */
function assertComplete({ country, cn, cpa, category }: RateQuestion): void {
  if (typeof country !== 'string') throw new InvalidArgumentError('country', 'a Member State');
  if ([cn, cpa, category].filter((one) => one !== undefined).length !== 1) {
    throw new InvalidArgumentError('cn', 'exactly one of cn, cpa, category');
  }
}
