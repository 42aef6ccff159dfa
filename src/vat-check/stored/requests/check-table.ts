import type { CsvTable } from '../../../platform/csv/csv.ts';
import type { PrintedCheck } from '../print-check.ts';

type Cell = string | number | boolean | null;

/** The columns of checks as CSV, with the cell of each. Further ones are added behind the others only. */
const columns: Readonly<Record<string, (check: PrintedCheck) => Cell>> = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  countryCode: ({ countryCode }) => countryCode,
  vatNumber: ({ vatNumber }) => vatNumber,
  valid: ({ valid }) => valid,
  requestDate: ({ requestDate }) => requestDate,
  name: ({ name }) => name,
  address: ({ address }) => address,
  consultationNumber: ({ consultationNumber }) => consultationNumber,
  requesterCountryCode: ({ requester }) => requester?.countryCode ?? null,
  requesterVatNumber: ({ requester }) => requester?.vatNumber ?? null,
  traderName: ({ trader }) => trader?.name ?? null,
  traderStreet: ({ trader }) => trader?.street ?? null,
  traderPostcode: ({ trader }) => trader?.postcode ?? null,
  traderCity: ({ trader }) => trader?.city ?? null,
  traderCompanyType: ({ trader }) => trader?.companyType ?? null,
  traderNameMatch: ({ traderMatch }) => traderMatch?.name ?? null,
  traderStreetMatch: ({ traderMatch }) => traderMatch?.street ?? null,
  traderPostcodeMatch: ({ traderMatch }) => traderMatch?.postcode ?? null,
  traderCityMatch: ({ traderMatch }) => traderMatch?.city ?? null,
  traderCompanyTypeMatch: ({ traderMatch }) => traderMatch?.companyType ?? null,
  hint: ({ hint }) => hint,
  reference: ({ reference }) => reference,
  error: ({ error }) => error,
  attempts: ({ attempts }) => attempts,
  batchId: ({ batchId }) => batchId,
  createdAt: ({ createdAt }) => createdAt,
  answeredAt: ({ answeredAt }) => answeredAt,
  nextAttemptAt: ({ nextAttemptAt }) => nextAttemptAt,
  expiresAt: ({ expiresAt }) => expiresAt,
  queriedNumber: ({ queriedNumber }) => queriedNumber,
};

export const checkColumns: readonly string[] = Object.keys(columns);

/** Checks as a table, one row for each. */
export function toCheckTable(checks: readonly PrintedCheck[]): CsvTable {
  const cells = Object.values(columns);
  const rows = checks.map((check) => cells.map((cell) => cell(check)?.toString() ?? null));
  return { columns: checkColumns, rows };
}
