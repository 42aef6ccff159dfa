import { ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import { readFields } from '../../platform/http/routes/body-fields.ts';
import { lineOfJsonError } from '../../platform/json-line.ts';
import { decodeUtf8 } from '../../platform/utf8.ts';
import {
  batchedFields,
  type CheckedNumber,
  type CheckTerms,
  readCheckedNumber,
  readTerms,
  type RequesterDefaults,
} from './check-request.ts';
import type { NameOf } from './request-fields.ts';

export const batchChecksMax = 1000;

/** A check of a batch; `rejected` if no registry can be queried for its number (rule K12). */
export type BatchItem =
  | ({ readonly kind: 'check' } & CheckTerms & CheckedNumber)
  | ({ readonly kind: 'rejected' } & CheckTerms);

export type ReadBatch =
  | { readonly kind: 'batch'; readonly items: readonly BatchItem[] }
  /** More than 1000 checks (413), or more than the caller of this function allows. */
  | { readonly kind: 'tooMany' }
  /** The key has another requester than this check (403). `place` is `checks[3]` or `line 17`. */
  | { readonly kind: 'requesterNotAllowed'; readonly place: string };

/** One check as an object, with the names that errors use. */
export type Written = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly nameOf: NameOf;
  readonly place: string;
};

/**
 * Reads `{"checks":[…]}` (rule K12), or throws the 400. Each check has the fields of rule K4 without `waitSeconds`.
 *
 * Errors name the field with the place of its check from 0, `checks[3].vatNumber`, and malformed JSON with its line.
 */
export function readJsonBatch(bytes: Uint8Array, defaults: RequesterDefaults): ReadBatch {
  const { checks } = readFields(parseBody(bytes), ['checks']);
  if (!Array.isArray(checks)) throw invalidField('checks', 'a list of checks');
  return readChecks(checks.length, 'checks', defaults, (at) => {
    const place = `checks[${at}]`;
    const nameOf: NameOf = (field) => (field === undefined ? place : `${place}.${field}`);
    return { fields: readFields(checks[at], batchedFields, nameOf), nameOf, place };
  });
}

/** Reads `count` checks, or throws the 400. `list` is the name of the whole list in errors. */
export function readChecks(
  count: number,
  list: string,
  defaults: RequesterDefaults,
  written: (at: number) => Written,
  checksMax = batchChecksMax,
): ReadBatch {
  if (count > checksMax) return { kind: 'tooMany' };
  if (count === 0) throw invalidField(list, `1 to ${checksMax} checks`);
  const items: BatchItem[] = [];
  for (let at = 0; at < count; at += 1) {
    const { fields, nameOf, place } = written(at);
    const { terms, isRequesterAllowed } = readTerms(fields, defaults, nameOf);
    if (!isRequesterAllowed) return { kind: 'requesterNotAllowed', place };
    items.push(toItem(terms));
  }
  return { kind: 'batch', items };
}

function toItem(terms: CheckTerms): BatchItem {
  const number = readCheckedNumber(terms.echo);
  if (number !== undefined) return { kind: 'check', ...terms, ...number };
  const { countryCode, vatNumber } = terms.echo;
  const echo = { countryCode: toStorable(countryCode), vatNumber: toStorable(vatNumber) };
  return { kind: 'rejected', ...terms, echo };
}

/** Half of a surrogate pair or a NUL cannot be stored as text. */
function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

function parseBody(bytes: Uint8Array): unknown {
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === 'invalid') throw invalidJson(decoded.line);
  try {
    return JSON.parse(decoded.text);
  } catch {
    throw invalidJson(lineOfJsonError(decoded.text) ?? 1);
  }
}

function invalidJson(line: number): ApiError {
  return onLine(line, new ApiError('invalidJson'));
}

/** An error with the line that it is about: `line 17: invalid JSON body`. */
export function onLine(line: number, error: ApiError): ApiError {
  return new ApiError(error.code, {}, { text: `line ${line}: ${error.message}` });
}
