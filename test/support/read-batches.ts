import { ApiError } from '../../src/platform/http/responses/api-errors.ts';
import type { Encoding } from '../../src/vat-check/reading/encodings.ts';
import { splitCsvBatch } from '../../src/vat-check/stored/batches/batch-csv.ts';
import { readBatch, splitJsonBatch } from '../../src/vat-check/stored/batches/batch.ts';
import {
  type CheckDefaults,
  noDefaults,
} from '../../src/vat-check/stored/requests/check-request.ts';

export const none: CheckDefaults = noDefaults;
export const github = { registryCode: 'NL', number: '854265259B01' } as const;
export const asml = { registryCode: 'NL', number: '803441526B01' } as const;
export const number = { countryCode: 'DE', vatNumber: '811115368' };

/** The batch, or status and text of the refusal. */
async function resultOf(
  split: typeof splitJsonBatch,
  text: string | Buffer,
  defaults: CheckDefaults,
): Promise<unknown> {
  try {
    const rows = split(typeof text === 'string' ? Buffer.from(text) : text);
    return rows.kind === 'tooMany' ? rows : await readBatch(rows, defaults);
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.message}`;
    throw error;
  }
}

export const fromJson = async (text: string | Buffer, defaults = none) =>
  resultOf(splitJsonBatch, text, defaults);
export const fromChecks = async (...checks: readonly unknown[]) =>
  fromJson(JSON.stringify({ checks }));
export const fromCsv = async (text: string | Buffer, defaults = none, charset?: Encoding) =>
  resultOf((bytes) => splitCsvBatch(bytes, charset), text, defaults);

export const terms = {
  echo: number,
  requester: undefined,
  trader: {},
  maxAgeSeconds: 0,
  expiresInHours: 72,
  reference: null,
};
export const item = {
  ...terms,
  kind: 'check',
  registry: 'vies',
  vatNumber: { registryCode: 'DE', number: '811115368' },
  hint: null,
};
export const fullItem = {
  ...item,
  hint: 'prefix removed',
  echo: { countryCode: 'de', vatNumber: 'DE811115368' },
  requester: github,
  trader: { name: '=A, "B"', street: 'C 1', postcode: '28001', city: 'D', companyType: 'DE-1' },
  maxAgeSeconds: 60,
  expiresInHours: 1,
  reference: 'x;y',
};
