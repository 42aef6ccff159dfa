import { invalidField } from '../../platform/http/responses/api-errors.ts';
import { momentForm, parseMoment } from '../../platform/http/routes/instant-parameter.ts';
import { parsePageLimit } from '../../platform/page-limit.ts';
import { isPrintable } from '../trader.ts';
import { parseVatNumber, readVatNumber, toRegistryCode } from '../vat-number.ts';
import type { CheckFilter } from './check-list.ts';
import { referenceMax } from './request-fields.ts';
import type { CheckStatus } from './stored-check.ts';

export const checkStatuses = [
  'pending',
  'answered',
  'rejected',
  'expired',
] as const satisfies readonly CheckStatus[];

/** The number of checks on a page without `limit`, and the largest one (rule K11). */
export const checkPageLimits = { byDefault: 100, max: 500 } as const;

/** The query parameters of a list of checks. */
export const listParameters: readonly string[] = [
  'status',
  'valid',
  'countryCode',
  'vatNumber',
  'reference',
  'batchId',
  'since',
  'until',
  'cursor',
  'limit',
];

/** A page of checks that a caller requests. */
export type ListQuery = {
  readonly filter: CheckFilter;
  readonly page: { readonly limit: number; readonly cursor?: string };
};

/**
 * Parses the parameters of `GET /vatchecks`, or throws the 400 (rule K11). A parameter that is empty or given twice is
 * malformed; a limit above 500 becomes 500 (contract C6).
 */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const read = <T>(
    name: string,
    parse: (text: string) => T | undefined,
    expected: string,
  ): T | undefined => {
    const given = query[name];
    if (given === undefined) return undefined;
    const parsed = typeof given === 'string' && given !== '' ? parse(given) : undefined;
    if (parsed === undefined) throw invalidField(name, expected);
    return parsed;
  };
  const status = read('status', toStatus, 'pending, answered, rejected or expired');
  const valid = read('valid', toBoolean, 'true or false');
  const country = read('countryCode', toCountry, '2-letter ISO code');
  const toNumber = (text: string) => parseNumber(text, country);
  const vatNumber = read('vatNumber', toNumber, 'a VAT number, with its country or countryCode');
  const reference = read('reference', toReference, `at most ${referenceMax} printable characters`);
  const batchId = read('batchId', (text) => matching(/^vb_[0-9a-f]{32}$/, text), 'a batchId');
  const sinceMs = read('since', toMs, momentForm);
  const untilMs = read('until', toMs, momentForm);
  const isCursor = (text: string) => matching(/^vc_[0-9a-f]{32}$/, text);
  const cursor = read('cursor', isCursor, 'the nextCursor of the page before');
  const toLimit = (text: string) => parsePageLimit(text, checkPageLimits.max);
  const limit = read('limit', toLimit, 'positive integer') ?? checkPageLimits.byDefault;
  const registryCode = vatNumber?.registryCode ?? country;
  const filter = withoutUndefined({
    status,
    valid,
    registryCode,
    number: vatNumber?.number,
    reference,
    batchId,
    sinceMs,
    untilMs,
  });
  return { filter, page: { limit, ...withoutUndefined({ cursor }) } };
}

function toStatus(text: string): CheckStatus | undefined {
  return checkStatuses.find((one) => one === text);
}

function toBoolean(text: string): boolean | undefined {
  return { true: true, false: false }[text];
}

/** A registry code, or the code of a country that has no registry: no check has one. */
function toCountry(text: string): string | undefined {
  return /^[A-Za-z]{2}$/.test(text) ? (toRegistryCode(text) ?? text.toUpperCase()) : undefined;
}

/** The number as the registry is queried for it, from any spelling of it. */
function parseNumber(
  text: string,
  country: string | undefined,
): { readonly registryCode: string; readonly number: string } | undefined {
  if (country !== undefined) return parseVatNumber(country, text);
  const read = readVatNumber(text);
  return read === undefined ? undefined : parseVatNumber(read.countryCode, read.vatNumber);
}

function toReference(text: string): string | undefined {
  return isPrintable(text, referenceMax) ? text : undefined;
}

function toMs(text: string): number | undefined {
  const moment = parseMoment(text);
  return moment === undefined ? undefined : Date.parse(moment);
}

function matching(form: RegExp, text: string): string | undefined {
  return form.test(text) ? text : undefined;
}

/** The object without the members that are undefined. */
function withoutUndefined<T extends object>(
  given: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
