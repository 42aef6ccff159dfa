import { instant } from '../../../platform/fields/dates.ts';
import { anyText } from '../../../platform/fields/field.ts';
import {
  integer,
  list,
  object,
  orNull,
  string,
  type ValueOf,
} from '../../../platform/fields/schema.ts';
import { defineRoute, type RouteError } from '../../../platform/http/routes/define-route.ts';
import { countOf } from '../../../platform/http/routes/list-parameters.ts';
import { unsupportedEncoding } from '../../reading/encodings.ts';
import { idForms } from '../ids.ts';
import { cacheControl, idempotencyHeader, tag } from '../requests/definitions.ts';
import { newBatch, reportedMax, skippedRow } from './batch.ts';

const batchId = string({ pattern: idForms.vb.source });
const checks = countOf('checks that it was created with');
const ofStatus = integer({ minimum: 0 });

/** A 400 for the whole batch. Its text names the check or the line, so the documented text is an example. */
function refused(text: string, when: string): RouteError {
  return { error: 'invalidField', text, when, isOneOfMany: true };
}

export const createBatch = defineRoute({
  operation: 'createBatch',
  tag,
  summary: 'Create a batch of checks',
  description:
    'Stores 1 to 1,000 checks together, all or none; the registry is queried for them in the background. The body is JSON, or with `Content-Type: text/csv` a CSV file as spreadsheets save it, separated by commas, semicolons, tabs or pipes. Its encoding is that of a byte order mark, or the declared `charset` (utf-8, utf-16, windows-1250 to -1254, -1257, iso-8859-1, -2, -15), or UTF-8 if its cells are; else rows with a byte beyond ASCII are skipped, until you declare the charset. A row with a byte that the encoding does not have is skipped, and its column is named. Its headings are `vatNumber` and any of `countryCode, requesterCountryCode, requesterVatNumber, traderName, traderStreet, traderPostcode, traderCity, traderCompanyType, maxAgeSeconds, expiresInHours, reference`, in any letter case and with or without blanks, or those of the batch template of the Commission; other columns are ignored and named. A country is a code or a name, and words before a number (`CIF B83891812`) are left out. A number that no registry can be queried for is stored as rejected. A row with a country of more than 8 or a number of more than 64 characters is skipped and named, and so is any malformed row of CSV; in JSON a malformed value refuses the batch, and the error names the check, counted from 0. Each ten rows, or part of ten, count as one request against the rate limit, whatever becomes of them; each check that leads to a query counts against the quota. Equal checks of a batch (number, requester, trader) are queried once and share the answer; each counts. At most 1 MB.',
  headers: idempotencyHeader('batch'),
  body: {
    schema: newBatch.schema,
    example: {
      checks: [
        { countryCode: 'AT', vatNumber: 'U99999901', reference: 'cust_1' },
        { countryCode: 'DE', vatNumber: '999999901', reference: 'cust_2' },
      ],
    },
    csv: 'countryCode;vatNumber;reference\r\nAT;U99999901;cust_1\r\nDE;999999901;cust_2\r\n',
  },
  answer: {
    status: 202,
    description: 'The checks are stored.',
    schema: object(
      {
        batchId,
        count: checks,
        skipped: list(skippedRow, {
          maxItems: reportedMax,
          description:
            'The first 100 rows that are not stored and not in `count`; and the columns of a CSV file that are not read, with the line of its heading.',
        }),
        skippedCount: countOf('such rows in all'),
        estimatedDoneAt: orNull(
          instant,
          'When the checks of your key that wait now will have been queried once, at the present pace and daily budget of the service; null if none waits. A registry that is down takes longer.',
        ),
      },
      { $id: 'CreatedBatch' },
    ),
    cacheControl,
    hasLocation: true,
  },
  errors: [
    refused("invalid 'checks[1].vatNumber' — expected a VAT number", 'A field is malformed.'),
    refused(
      'line 2: it has no VAT number; line 3: it has no VAT number',
      'No row is left, because all are skipped.',
    ),
    refused("line 1: missing column 'vatNumber'", 'The CSV file has no column of VAT numbers.'),
    refused('line 2: invalid CSV — a quoted cell without an end', 'The body is not CSV.'),
    refused(
      'the file is a workbook (.xlsx) — expected CSV or JSON',
      'The body is a file of another kind, whatever its Content-Type says.',
    ),
    refused(
      'the body is JSON — expected CSV, or Content-Type: application/json',
      'The Content-Type is `text/csv`, and the body is JSON.',
    ),
    'Idempotency-Key',
    {
      error: 'invalidJson',
      text: 'line 1: invalid JSON body',
      when: 'The body is not JSON in UTF-8.',
      isOneOfMany: true,
    },
    {
      error: 'requesterNotAllowed',
      text: 'checks[1]: requester not allowed',
      when: 'Your key has a requester, and a check names another one.',
      isOneOfMany: true,
    },
    {
      error: 'idempotencyKeyReused',
      when: 'Another body came with this `Idempotency-Key` within 24 hours.',
    },
    { error: 'tooManyChecks', when: 'The batch has more than 1,000 checks.' },
    {
      error: 'batchTooLarge',
      text: 'batch needs 6 requests, the key has 5 a minute',
      isOneOfMany: true,
      when: 'The rate limit of the key, or this replica’s share of it, is below what the rows cost, however long you wait.',
    },
    {
      error: 'batchTooLarge',
      text: 'batch needs 600 checks, the key has 500 a month',
      isOneOfMany: true,
      when: 'The quota of the key is below the number of checks that are queried.',
    },
    { error: 'bodyTooLarge', when: 'The body is larger than 1 MB.' },
    {
      error: 'unsupportedCharset',
      when: 'The Content-Type of a JSON body declares another `charset` than UTF-8.',
      isOneOfMany: true,
    },
    {
      error: 'unsupportedCharset',
      text: unsupportedEncoding,
      when: 'The Content-Type of a CSV file declares a `charset` that is not read.',
      isOneOfMany: true,
    },
  ],
});

const batch = object(
  {
    batchId,
    count: checks,
    pending: ofStatus,
    answered: ofStatus,
    rejected: ofStatus,
    expired: ofStatus,
    createdAt: instant,
  },
  { $id: 'Batch' },
);

/** A batch with the count of its checks in each status (rule K12); `count` has deleted ones as well. */
export type BatchCounts = ValueOf<typeof batch>;

export const getBatch = defineRoute({
  operation: 'getBatch',
  tag,
  summary: 'One batch',
  description:
    'The number of its checks in each status. `/vatchecks?batchId=…` lists the checks themselves.',
  access: 'limited',
  path: {
    id: {
      field: anyText(string()),
      description: 'The id of a batch.',
      example: 'vb_019f8d2c6c0000001f3c5e4fb2a1d0c9',
    },
  },
  answer: {
    description: 'The batch. Checks that were deleted are in `count` only.',
    schema: batch,
    cacheControl,
  },
  errors: [{ error: 'notFound', when: 'Your key has no batch with this id.' }],
});
