import { ApiError, invalidField } from '../../../platform/http/responses/api-errors.ts';
import { mapPortions } from '../../../platform/database/portions.ts';
import { namedForm, objectOf, value } from '../../../platform/fields/field.ts';
import { integer, list, object, string, type ValueOf } from '../../../platform/fields/schema.ts';
import { decodeJson, parseJson } from '../../../platform/http/routes/json-body.ts';
import { type NameOf, readField } from '../../../platform/http/routes/read-request.ts';
import { hasMoreSigns } from '../../../platform/values/json-line.ts';
import {
  type CheckedNumber,
  type CheckTerms,
  readCheckedNumber,
  readTerms,
  type CheckDefaults,
} from '../requests/check-request.ts';
import {
  describeTooLong,
  isTooLong,
  batchedCheck,
  batchedFields,
  readWrittenNumber,
} from '../requests/request-fields.ts';

export const batchChecksMax = 1000;

/** The body of a batch as JSON; its checks are read one by one, behind the charge for them. */
export const newBatch = objectOf(
  {
    checks: value(
      list(batchedCheck.schema, { minItems: 1, maxItems: batchChecksMax }),
      'a list of checks',
      (given) => (Array.isArray(given) ? (given as readonly unknown[]) : undefined),
    ),
  },
  { $id: 'NewBatch' },
);

/** A check of a batch before its values are read. */
const row = namedForm(batchedFields);

export const skippedRow = object(
  {
    line: integer({
      minimum: 1,
      description: 'The line in a CSV file, or the place in the list; from 1.',
    }),
    reason: string(),
  },
  { $id: 'SkippedRow', description: 'A row that was not stored, or a column that is not read.' },
);

/** A row that is no check, or the columns of a file that are not read. */
export type SkippedRow = ValueOf<typeof skippedRow>;

/** Rows that are named if they are skipped; the others are counted (rule K12). */
export const reportedMax = 100;

/** Signs of JSON in a batch: one check has 35 with all its fields. */
const signsMax = 40 * batchChecksMax;

/** Rows that are read in one turn of the event loop: 5 ms at most. */
export const portionRows = 50;

/** A check of a batch; `rejected` if no registry can be queried for its number (rule K12). */
export type BatchItem =
  | ({ readonly kind: 'check' } & CheckTerms & CheckedNumber)
  | ({ readonly kind: 'rejected' } & CheckTerms);

export type ReadBatch =
  | {
      readonly kind: 'batch';
      readonly items: readonly BatchItem[];
      readonly skipped: readonly SkippedRow[];
    }
  /** The key has another requester than this check (403). `place` is `checks[3]` or `line 17`. */
  | { readonly kind: 'requesterNotAllowed'; readonly place: string };

/** One check as an object, with the names that errors use. */
export type Written = {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly nameOf: NameOf;
  /** `checks[3]` or `line 17`. */
  readonly place: string;
  readonly line: number;
};

/** The rows of a batch before they are read. At least one. */
export type BatchRows = {
  readonly count: number;
  /** Throws the 400 for a row that is no object, has an unknown field, or cannot be read. */
  readonly writtenAt: (index: number) => Written;
  /** The place of a row that is skipped if it is malformed; undefined if a malformed row refuses the batch. */
  readonly placeOf?: (index: number) => Pick<Written, 'line' | 'place'>;
  /** What of the file is not read, though it is no row. */
  readonly ignored?: readonly SkippedRow[];
};

export type SplitBatch =
  | ({ readonly kind: 'rows' } & BatchRows)
  /** More than 1000 checks (413), or more than the caller of this function allows. */
  | { readonly kind: 'tooMany' };

/**
 * Splits `{"checks":[…]}` into rows (rule K12), or throws the 400. Each check has the fields of rule K4 without
 * `waitSeconds`.
 *
 * Errors name the field with the place of its check from 0, `checks[3].vatNumber`, and malformed JSON with its line.
 */
export function splitJsonBatch(bytes: Uint8Array): SplitBatch {
  const text = decodeJson(bytes, invalidJson);
  if (hasMoreSigns(text, signsMax)) return { kind: 'tooMany' };
  const { checks } = readField(newBatch, parseJson(text, invalidJson));
  const writtenAt = (index: number): Written => {
    const place = `checks[${index}]`;
    const nameOf: NameOf = (path) => (path === undefined ? place : `${place}.${path}`);
    const fields = readField(row, checks[index], { nameOf });
    return { fields, nameOf, place, line: index + 1 };
  };
  return limitRows({ count: checks.length, writtenAt }, 'checks');
}

/** Judges the number of rows, or throws the 400 for none. `list` is the name of all rows in errors. */
export function limitRows(rows: BatchRows, list: string, checksMax = batchChecksMax): SplitBatch {
  if (rows.count > checksMax) return { kind: 'tooMany' };
  if (rows.count === 0) throw invalidField(list, `1 to ${checksMax} checks`);
  return { kind: 'rows', ...rows };
}

type ReadRow =
  | { readonly kind: 'item'; readonly item: BatchItem }
  | { readonly kind: 'skipped'; readonly row: SkippedRow; readonly place: string };

/**
 * Reads the rows of a batch in portions. A row whose country or number is too long is skipped; so is a malformed row of CSV,
 * while one of JSON throws its 400. If no row is left, the 400 has the faults of up to 100 rows.
 */
export async function readBatch(
  { count, writtenAt, placeOf, ignored = [] }: BatchRows,
  defaults: CheckDefaults,
): Promise<ReadBatch> {
  let refusedAt: string | undefined;
  const indexes = Array.from({ length: count }, (_, index) => index);
  const rows = await mapPortions(indexes, portionRows, (portion) =>
    portion.flatMap((index): readonly ReadRow[] => {
      if (refusedAt !== undefined) return [];
      try {
        const written = writtenAt(index);
        const row = readRow(written, defaults);
        if (row === undefined) refusedAt = written.place;
        return row === undefined ? [] : [row];
      } catch (error) {
        if (!(error instanceof ApiError) || placeOf === undefined) throw error;
        const { line, place } = placeOf(index);
        return [{ kind: 'skipped', row: { line, reason: error.message }, place }];
      }
    }),
  );
  if (refusedAt !== undefined) return { kind: 'requesterNotAllowed', place: refusedAt };
  const items = rows.flatMap((row) => (row.kind === 'item' ? [row.item] : []));
  const skipped = rows.filter((row) => row.kind === 'skipped');
  if (items.length === 0) {
    const faults = skipped.map(({ place, row }) => `${place}: ${row.reason}`);
    const more = faults.length > reportedMax ? `; ${faults.length - reportedMax} more` : '';
    throw new ApiError(
      'invalidField',
      {},
      { text: faults.slice(0, reportedMax).join('; ') + more },
    );
  }
  return { kind: 'batch', items, skipped: [...ignored, ...skipped.map(({ row }) => row)] };
}

/** Reads a row; undefined if the key may not name its requester. */
function readRow(
  { fields, nameOf, place, line }: Written,
  defaults: CheckDefaults,
): ReadRow | undefined {
  const written = readWrittenNumber(fields, nameOf);
  if (isTooLong(written)) {
    return { kind: 'skipped', row: { line, reason: describeTooLong(written) }, place };
  }
  const { terms, isRequesterAllowed } = readTerms(fields, defaults, nameOf);
  return isRequesterAllowed ? { kind: 'item', item: toItem(terms, defaults) } : undefined;
}

function toItem(terms: CheckTerms, defaults: CheckDefaults): BatchItem {
  const number = readCheckedNumber(terms, defaults);
  if (number !== undefined) return { kind: 'check', ...terms, ...number };
  const { countryCode, vatNumber } = terms.echo;
  // Half of a surrogate pair cannot be stored as text.
  const echo = { countryCode: countryCode.toWellFormed(), vatNumber: vatNumber.toWellFormed() };
  return { kind: 'rejected', ...terms, echo };
}

function invalidJson(findLine: () => number): ApiError {
  return onLine(findLine(), new ApiError('invalidJson'));
}

/** An error with the line that it is about: `line 17: invalid JSON body`. */
export function onLine(line: number, error: ApiError): ApiError {
  return new ApiError(error.code, {}, { text: `line ${line}: ${error.message}` });
}
