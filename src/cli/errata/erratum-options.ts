import { type IsoDate } from '../../platform/time/time.ts';
import { parseDecimal } from '../../platform/values/decimal.ts';
import { type Treatment, treatments } from '../../rates/categories/category-row.ts';
import { parseCn, parseCpa } from '../../rates/categories/read-codes.ts';
import type { NewErratum } from '../../rates/errata/add-erratum.ts';
import type { NewGoodsErratum } from '../../rates/errata/add-goods-erratum.ts';
import { fieldPattern, type FieldValue, isSameValue } from '../../rates/errata/erratum.ts';
import type { CodeKind, Taxation } from '../../rates/errata/goods-erratum.ts';
import { parseMemberState } from '../../rates/read-member-state.ts';
import { sortRates } from '../../rates/snapshot.ts';
import type { ReasonOption } from '../operator.ts';
import { readDate } from '../options.ts';
import { UsageError } from '../report.ts';

/** The options of `errata add`. */
export type AddOptions = ReasonOption & {
  readonly country: string;
  readonly field?: string;
  readonly category?: string;
  readonly cn?: readonly string[];
  readonly cpa?: readonly string[];
  readonly from: string;
  readonly to?: string;
  readonly source: string;
  readonly law: string;
  readonly legalBasis: string;
  readonly reference?: string;
  readonly condition?: string;
};

/** Reads an erratum of a national rate, or throws the `UsageError`. */
export function readErratum(options: AddOptions, field: string): NewErratum {
  for (const name of ['category', 'cn', 'cpa', 'condition'] as const) {
    if (options[name] !== undefined) {
      throw new UsageError(`--${name} belongs to errata of goods, expected no --field beside it`);
    }
  }
  if (!fieldPattern.test(field)) {
    throw new UsageError(
      `--field is ${field}, expected standard, super_reduced, parking, reduced[0] or reduced`,
    );
  }
  const source = readValue('--source', options.source, field);
  const law = readValue('--law', options.law, field);
  if (isSameValue(source, law)) throw sameValue();
  return { ...readProof(options), field, source, law };
}

/** Reads an erratum of goods, or throws the `UsageError`. */
export function readGoodsErratum(options: AddOptions): NewGoodsErratum {
  const { category, condition } = options;
  if (category === undefined) {
    throw new UsageError(
      '--field and --category are missing, expected one of them: --field for a national rate, --category for goods',
    );
  }
  const source = options.source === 'none' ? null : readTaxation('--source', options.source);
  const law = readTaxation('--law', options.law);
  if (JSON.stringify(source) === JSON.stringify(law)) throw sameValue();
  return {
    ...readProof(options),
    category: category.toUpperCase(),
    ...readCodes(options),
    source,
    law,
    condition: condition === undefined ? null : readText('--condition', condition),
  };
}

/** The facts that both kinds have. */
function readProof(options: AddOptions): {
  readonly country: string;
  readonly from: IsoDate;
  readonly to: IsoDate | null;
  readonly legalBasis: string;
  readonly reference: string | null;
} {
  const { reference } = options;
  const from = readDate('--from', options.from);
  const to = options.to === undefined ? null : readDate('--to', options.to);
  if (to !== null && to < from) throw new UsageError(`--to is ${to}, expected a day after --from`);
  return {
    country: readCountry(options.country),
    from,
    to,
    legalBasis: readText('--legal-basis', options.legalBasis),
    reference: reference === undefined ? null : readText('--reference', reference),
  };
}

/** Reads a Member State; Greece is `GR` or `EL`. */
export function readCountry(text: string): string {
  const country = parseMemberState(text);
  if (country === undefined) {
    throw new UsageError(`--country is ${text}, expected the code of a Member State such as DE`);
  }
  return country;
}

function sameValue(): UsageError {
  return new UsageError('--law is the value of --source, expected another one');
}

/** Reads a rate or `none`; for the field `reduced` several rates, in any order. */
function readValue(name: string, text: string, field: string): FieldValue {
  const isList = field === 'reduced';
  if (text === 'none') return isList ? [] : null;
  const form = isList ? 'rates such as 5,10' : 'a rate such as 5.5';
  const decimals = (isList ? text.split(',') : [text]).map((one) =>
    readRate(one, `${name} is ${text}, expected ${form}, or none`),
  );
  return isList ? sortRates(decimals) : (decimals[0] ?? null);
}

/** Reads a rate, or a treatment without one by its name; the rate 0 is `zero`. */
function readTaxation(name: string, text: string): Taxation {
  const named = treatments.find((one) => one === text);
  const withoutRate: readonly Treatment[] = ['exempted', 'out_of_scope', 'not_applicable'];
  if (named !== undefined && withoutRate.includes(named)) return { treatment: named, rate: null };
  const others = `zero, ${withoutRate.join(', ')}${name === '--source' ? ', or none for no row' : ''}`;
  const expected = `${name} is ${text}, expected a rate such as 5.5, or ${others}`;
  const rate = named === 'zero' ? '0' : readRate(text, expected);
  return { treatment: rate === '0' ? 'zero' : 'rate', rate };
}

function readRate(text: string, otherwise: string): string {
  const decimal = parseDecimal(text.trim());
  if (decimal === undefined || Number(decimal) > 100) throw new UsageError(otherwise);
  return decimal;
}

/** Reads `--cn` or `--cpa`: one of them, as often as there are codes. */
function readCodes({ cn, cpa }: AddOptions): {
  readonly codeKind: CodeKind;
  readonly codes: readonly string[];
} {
  if ((cn === undefined) === (cpa === undefined)) {
    throw new UsageError(
      `--cn and --cpa are ${cn === undefined ? 'missing' : 'both given'}, expected one of them`,
    );
  }
  const read = (codes: readonly string[], kind: CodeKind, expected: string): readonly string[] => {
    const parsed = codes.map((text) => {
      const digits = kind === 'cn' ? parseCn(text) : parseCpa(text);
      if (digits !== undefined) return kind === 'cn' ? digits : printCpa(digits);
      throw new UsageError(`--${kind} is ${text}, expected ${expected}`);
    });
    return [...new Set(parsed)].sort();
  };
  return cpa === undefined
    ? { codeKind: 'cn', codes: read(cn ?? [], 'cn', '2, 4, 6, 8 or 10 digits') }
    : { codeKind: 'cpa', codes: read(cpa, 'cpa', 'a CPA code such as 49.3') };
}

/** Digits as TEDB prints a CPA code: `58113` is `58.11.3`. */
function printCpa(digits: string): string {
  return (digits.match(/.{1,2}/g) ?? []).join('.');
}

const textMax = 500;

/** Reads a text that callers see: without characters that break a line or turn the direction of text (rule X8). */
function readText(name: string, text: string): string {
  const trimmed = text.trim();
  const isOneLine = !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(trimmed);
  if (trimmed === '' || Array.from(trimmed).length > textMax || !isOneLine) {
    throw new UsageError(
      `${name} is empty, longer than ${textMax} characters, or has a line break or another invisible sign, expected a sentence`,
    );
  }
  return trimmed;
}
