import { hasAtMost } from '../../../platform/values/characters.ts';
import { invalidField } from '../../../platform/http/responses/api-errors.ts';
import { readFields } from '../../../platform/http/routes/body-fields.ts';
import { vatNumberMax } from '../../impossible-number.ts';
import { parseRequester, type Requester } from '../../requester.ts';
import {
  isPrintable,
  parseTrader,
  type Trader,
  type TraderField,
  traderFields,
  traderTextMax,
} from '../../trader.ts';

/**
 * The name of a field in errors: `trader.name` is `checks[3].trader.name` in a batch. Without a field, the name of the whole
 * object.
 */
export type NameOf = (field?: string) => string;

/** Country and number as the caller wrote them. */
export type WrittenNumber = { readonly countryCode: string; readonly vatNumber: string };

/** Characters of a country as the caller writes it (rule K4). */
export const countryCodeMax = 8;

/** Characters of `reference`. */
export const referenceMax = 100;

/**
 * Reads `countryCode` and `vatNumber`, which are required texts. They may be a number that no registry can be queried for. NUL is
 * left out: PostgreSQL stores no text that has it.
 */
export function readWrittenNumber(
  { countryCode, vatNumber }: Readonly<Record<string, unknown>>,
  nameOf: NameOf,
): WrittenNumber {
  if (typeof countryCode !== 'string') {
    throw invalidField(nameOf('countryCode'), '2-letter ISO code');
  }
  if (typeof vatNumber !== 'string') throw invalidField(nameOf('vatNumber'), 'a VAT number');
  return { countryCode: withoutNul(countryCode), vatNumber: withoutNul(vatNumber) };
}

export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** Whether a country or a number has more characters than are stored (422, rule K4). */
export function isTooLong({ countryCode, vatNumber }: WrittenNumber): boolean {
  return !hasAtMost(countryCode, countryCodeMax) || !hasAtMost(vatNumber, vatNumberMax);
}

/** The reason why a row of a batch is skipped whose country or number is too long. */
export function describeTooLong({ countryCode }: WrittenNumber): string {
  return isTooLong({ countryCode, vatNumber: '' })
    ? `countryCode has more than ${countryCodeMax} characters`
    : `vatNumber has more than ${vatNumberMax} characters`;
}

/** Reads a requester; undefined if there is none. One that no registry can be queried for is a 400 as well. */
export function readRequester(given: unknown, nameOf: NameOf): Requester | undefined {
  if (given === undefined || given === null) return undefined;
  const ofRequester: NameOf = (field) => nameOf(within('requester', field));
  const fields = readFields(given, ['countryCode', 'vatNumber'], ofRequester);
  const written = readWrittenNumber(fields, ofRequester);
  const { countryCode, vatNumber } = written;
  const requester = isTooLong(written) ? undefined : parseRequester(countryCode, vatNumber);
  if (requester === undefined) throw invalidField(ofRequester(), 'a possible VAT number');
  return requester;
}

/** Reads a trader; `{}` if there is none. */
export function readTrader(given: unknown, nameOf: NameOf): Trader {
  if (given === undefined || given === null) return {};
  const ofTrader: NameOf = (field) => nameOf(within('trader', field));
  const fields = readFields(given, traderFields, ofTrader);
  const written: { [F in TraderField]?: string } = {};
  for (const field of traderFields) {
    const text = fields[field] ?? undefined;
    if (text === undefined) continue;
    if (typeof text !== 'string') throw malformed(field);
    written[field] = text;
  }
  const read = parseTrader(written);
  if (read.kind === 'malformed') throw malformed(read.field);
  return read.trader;

  function malformed(field: TraderField): Error {
    const expected =
      field === 'companyType'
        ? 'a company type such as DE-1'
        : `at most ${traderTextMax} printable characters`;
    return invalidField(ofTrader(field), expected);
  }
}

/** Reads a whole number within limits, or takes the default. */
export function readWhole(
  given: unknown,
  name: string,
  {
    min,
    max,
    byDefault,
  }: { readonly min: number; readonly max: number; readonly byDefault: number },
): number {
  if (given === undefined || given === null) return byDefault;
  if (typeof given === 'number' && Number.isInteger(given) && given >= min && given <= max) {
    return given;
  }
  throw invalidField(name, `a whole number from ${min} to ${max}`);
}

/** Reads the caller's own reference; null if there is none. Blanks are kept. */
export function readReference(given: unknown, name: string): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given === 'string' && isPrintable(given, referenceMax)) return given;
  throw invalidField(name, `at most ${referenceMax} printable characters`);
}

function within(object: string, field: string | undefined): string {
  return field === undefined ? object : `${object}.${field}`;
}
