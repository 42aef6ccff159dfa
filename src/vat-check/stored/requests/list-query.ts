import { invalidField } from '../../../platform/http/responses/api-errors.ts';
import { momentForm, parseMoment } from '../../../platform/http/routes/instant-parameter.ts';
import {
  matching,
  type Query,
  readCursor,
  readLimit,
  readParameter,
} from '../../../platform/http/routes/query-parameters.ts';
import { isPrintable } from '../../trader.ts';
import { parseVatNumber, toRegistryCode, type VatNumber } from '../../vat-number.ts';
import { vatNumberFormats } from '../../vat-number-formats.ts';
import type { CheckFilter } from './check-filter.ts';
import type { PageRequest } from './check-list.ts';
import { referenceMax } from './request-fields.ts';
import { checkStatuses, type CheckStatus } from '../stored-check.ts';

/** The number of checks on a page without `limit`, and the largest one (rule K11). */
export const checkPageLimits = { byDefault: 100, max: 500 } as const;

/** The query parameters of a list of checks. */
export const listParameters: readonly string[] = [
  'status',
  'valid',
  'countryCode',
  'vatNumber',
  'reference',
  'referencePrefix',
  'batchId',
  'since',
  'until',
  'cursor',
  'limit',
];

/** A page of checks that a caller requests. */
export type ListQuery = { readonly filter: CheckFilter; readonly page: PageRequest };

/**
 * Parses the parameters of `GET /vatchecks`, or throws the 400 (rule K11). A parameter that is empty or given twice is
 * malformed; a limit above 500 becomes 500 (contract C6).
 */
export function readListQuery(query: Query): ListQuery {
  const read = <T>(name: string, parse: (text: string) => T | undefined, expected: string) =>
    readParameter(query, name, parse, expected);
  const status = read('status', toStatus, 'pending, answered, rejected or expired');
  const valid = read('valid', toBoolean, 'true or false');
  const country = read('countryCode', toCountry, '2-letter ISO code');
  const toNumbers = (text: string) => readNumbers(text, country);
  const aReference = `at most ${referenceMax} printable characters`;
  const filter = {
    status,
    valid,
    registryCode: country,
    numbers: read('vatNumber', toNumbers, 'a VAT number'),
    reference: read('reference', toReference, aReference),
    referencePrefix: read('referencePrefix', toReference, aReference),
    batchId: read('batchId', matching(/^vb_[0-9a-f]{32}$/), 'a batchId'),
    sinceMs: read('since', toMs, momentForm),
    untilMs: read('until', toMs, momentForm),
  };
  const { sinceMs, untilMs } = filter;
  if (sinceMs !== undefined && untilMs !== undefined && untilMs < sinceMs) {
    throw invalidField('until', "a moment not before 'since'");
  }
  const cursor = readCursor(query, matching(/^vc_[0-9a-f]{32}$/));
  return { filter, page: { cursor, limit: readPageLimit(query) } };
}

/** Reads the number of checks or watches on a page, or throws the 400. */
export function readPageLimit(query: Query): number {
  return readLimit(query, checkPageLimits.max) ?? checkPageLimits.byDefault;
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

/**
 * Reads a number, in any spelling, as the registry of its country is queried for it; without a country, as each registry
 * is: a letter in front is a prefix of one Member State, and a 0 is added for another. Undefined if none could be.
 */
export function readNumbers(
  text: string,
  country: string | undefined,
): readonly VatNumber[] | undefined {
  const countries = country === undefined ? Object.keys(vatNumberFormats) : [country];
  const numbers = countries.flatMap((code) => parseVatNumber(code, text) ?? []);
  return numbers.length === 0 ? undefined : numbers;
}

function toReference(text: string): string | undefined {
  return isPrintable(text, referenceMax) ? text : undefined;
}

function toMs(text: string): number | undefined {
  const moment = parseMoment(text);
  return moment === undefined ? undefined : Date.parse(moment);
}
