import type { CsvTable } from '../../../platform/csv/csv.ts';
import type { PrintedCheck } from '../print-check.ts';

type Cell = string | number | boolean | null;
type Column = readonly [name: string, cell: (check: PrintedCheck) => Cell];

/** Columns with the names of the fields that they have. */
function named<Name extends keyof PrintedCheck>(
  ...names: readonly (PrintedCheck[Name] extends Cell ? Name : never)[]
): Column[] {
  return names.map((name) => [name, (check) => check[name] as Cell]);
}

const compared = ['name', 'street', 'postcode', 'city', 'companyType'] as const;

function ofTrader(field: 'trader' | 'traderMatch', end: '' | 'Match'): Column[] {
  return compared.map((name) => [
    `trader${name.charAt(0).toUpperCase()}${name.slice(1)}${end}`,
    (check) => check[field]?.[name] ?? null,
  ]);
}

/** The columns of checks as CSV, with the cell of each. Further ones are added behind the others only. */
const columns: readonly Column[] = [
  ...named('id', 'status', 'countryCode', 'vatNumber', 'valid', 'requestDate', 'name', 'address'),
  ...named('consultationNumber'),
  ['requesterCountryCode', ({ requester }) => requester?.countryCode ?? null],
  ['requesterVatNumber', ({ requester }) => requester?.vatNumber ?? null],
  ...ofTrader('trader', ''),
  ...ofTrader('traderMatch', 'Match'),
  ...named('hint', 'reference', 'error', 'attempts', 'batchId', 'createdAt', 'answeredAt'),
  ...named('nextAttemptAt', 'expiresAt', 'queriedNumber', 'registry', 'validFrom', 'validTo'),
];

export const checkColumns: readonly string[] = columns.map(([name]) => name);

/** Checks as a table, one row for each. */
export function toCheckTable(checks: readonly PrintedCheck[]): CsvTable {
  const rows = checks.map((check) => columns.map(([, cell]) => cell(check)?.toString() ?? null));
  return { columns: checkColumns, rows };
}
