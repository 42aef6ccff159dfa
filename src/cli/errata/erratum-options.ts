import { type Form, textForm } from '../../platform/fields/field.ts';
import { parseDecimal } from '../../platform/values/decimal.ts';
import { type Treatment, treatments } from '../../rates/categories/category-row.ts';
import { parseCn, parseCpa } from '../../rates/categories/read-codes.ts';
import type { NewErratum } from '../../rates/errata/add-erratum.ts';
import type { NewGoodsErratum } from '../../rates/errata/add-goods-erratum.ts';
import { fieldPattern, type FieldValue, isSameValue } from '../../rates/errata/erratum.ts';
import type { CodeKind, Taxation } from '../../rates/errata/goods-erratum.ts';
import { parseMemberState } from '../../rates/read-member-state.ts';
import { sortRates } from '../../rates/snapshot.ts';
import { anyText, type Given, option, repeated, required } from '../command/command.ts';
import { dateField } from '../../platform/fields/dates.ts';
import { UsageError } from '../command/report.ts';

/** Greece is `GR` or `EL`. */
export const memberState = textForm('the code of a Member State such as DE', parseMemberState);

const textMax = 500;

/** A text that callers see, without characters that break a line or turn the direction of text (rule X8). */
const sentence: Form<string> = {
  expected: 'a sentence',
  read: (given, { path }) => {
    const text = String(given).trim();
    const isOneLine = !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);
    if (text !== '' && Array.from(text).length <= textMax && isOneLine) return text;
    throw new UsageError(
      `${path} is empty, longer than ${textMax} characters, or has a line break or another invisible sign, expected a sentence`,
    );
  },
};

/** The options of `errata add`. What `source` and `law` may be follows from `field`. */
export const addOptions = {
  country: required('<code>', 'two letters, such as DE', memberState),
  field: option(
    '<field>',
    'standard, super_reduced, parking, reduced[0] for the lowest reduced rate, or reduced for all of them',
    textForm('standard, super_reduced, parking, reduced[0] or reduced', (text) =>
      fieldPattern.test(text) ? text : undefined,
    ),
  ),
  category: option(
    '<name>',
    "TEDB's category of goods, such as FOODSTUFFS",
    textForm('', (text) => text.toUpperCase()),
  ),
  cn: repeated(
    '<code>',
    'the beginning of a CN code that is meant; may be repeated',
    codesForm('2, 4, 6, 8 or 10 digits', parseCn),
  ),
  cpa: repeated(
    '<code>',
    'the same of a CPA code',
    codesForm('a CPA code such as 49.3', (text) => {
      const digits = parseCpa(text);
      return digits && printCpa(digits);
    }),
  ),
  from: required('<date>', 'first day', dateField),
  to: option('<date>', 'last day; if left out, it is not known yet', dateField),
  source: required(
    '<value>',
    'the value that TEDB reports: a rate such as 5.5, or none; for the field reduced a list such as 5,10; of goods also zero, exempted, out_of_scope or not_applicable, and none for no row',
    anyText,
  ),
  law: required('<value>', 'the value that the law says, in the same form', anyText),
  legalBasis: required('<text>', 'the law, with its article', sentence),
  reference: option('<text>', 'where it is published', sentence),
  condition: option('<text>', 'of goods: for which supplies the law says so', sentence),
};

type Addition = Given<typeof addOptions>;

/** Reads an erratum of a national rate, or throws the `UsageError`. */
export function readErratum(options: Addition, field: string): NewErratum {
  for (const name of ['category', 'cn', 'cpa', 'condition'] as const) {
    if (options[name] !== undefined) {
      throw new UsageError(`--${name} belongs to errata of goods, expected no --field beside it`);
    }
  }
  const source = readValue('--source', options.source, field);
  const law = readValue('--law', options.law, field);
  if (isSameValue(source, law)) throw sameValue();
  return { ...proofOf(options), field, source, law };
}

/** Reads an erratum of goods, or throws the `UsageError`. */
export function readGoodsErratum(options: Addition): NewGoodsErratum {
  const { category, condition = null } = options;
  if (category === undefined) {
    throw new UsageError(
      '--field and --category are missing, expected one of them: --field for a national rate, --category for goods',
    );
  }
  const source = options.source === 'none' ? null : readTaxation('--source', options.source);
  const law = readTaxation('--law', options.law);
  if (JSON.stringify(source) === JSON.stringify(law)) throw sameValue();
  return {
    ...proofOf(options),
    category,
    ...codesOf(options),
    source,
    law,
    condition,
  };
}

/** The facts that both kinds have. */
function proofOf({ country, from, to, legalBasis, reference }: Addition) {
  if (to !== undefined && to < from) {
    throw new UsageError(`--to is ${to}, expected a day after --from`);
  }
  return { country, from, to: to ?? null, legalBasis, reference: reference ?? null };
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

/** The codes of `--cn` or `--cpa`: there is one of them. */
function codesOf({ cn, cpa }: Addition): {
  readonly codeKind: CodeKind;
  readonly codes: readonly string[];
} {
  if (cn !== undefined && cpa === undefined) return { codeKind: 'cn', codes: cn };
  if (cpa !== undefined && cn === undefined) return { codeKind: 'cpa', codes: cpa };
  throw new UsageError(
    `--cn and --cpa are ${cn === undefined ? 'missing' : 'both given'}, expected one of them`,
  );
}

function codesForm(
  expected: string,
  parse: (text: string) => string | undefined,
): Form<readonly string[]> {
  const one = textForm(expected, parse);
  return {
    expected,
    read: (given, at) => {
      const codes = (given as readonly string[]).flatMap((text) => one.read(text, at) ?? []);
      return [...new Set(codes)].sort();
    },
  };
}

/** Digits as TEDB prints a CPA code: `58113` is `58.11.3`. */
function printCpa(digits: string): string {
  return (digits.match(/.{1,2}/g) ?? []).join('.');
}
