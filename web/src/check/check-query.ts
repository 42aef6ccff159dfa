import { addDays, type IsoDate } from '../../../src/platform/time/time.ts';
import { parseVatNumber } from '../../../src/vat-check/numbers/vat-number.ts';
import { checkable } from '../countries.ts';

/** The filters of the list in the address; '' if there is none. */
export type CheckFilters = {
  readonly status: string;
  readonly valid: string;
  readonly country: string;
  /** As the visitor wrote it. */
  readonly number: string;
  /** The beginning of the reference. */
  readonly reference: string;
  /** The first and the last day, UTC. */
  readonly from: string;
  readonly to: string;
  /** The place where the page of the list begins; '' for the newest checks. */
  readonly cursor: string;
};

/** Checks on one page of the list. */
const pageSize = 50;

/** Parameters that the address has without filters. */
export const withoutFilters = {
  status: undefined,
  valid: undefined,
  country: undefined,
  number: undefined,
  reference: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
} as const satisfies Record<keyof CheckFilters, undefined>;

/** Results to choose from: the value, the name, and the parameters `status` and `valid` of the API. */
export const results = [
  ['', 'All', '', ''],
  ['valid', 'Valid', '', 'true'],
  ['invalid', 'Not registered', '', 'false'],
  ['pending', 'Pending', 'pending', ''],
  ['rejected', 'Refused', 'rejected', ''],
  ['expired', 'No answer in time', 'expired', ''],
] as const;

/** The result that is chosen in the address; '' if it is none of the list. */
export function resultOf({ status, valid }: CheckFilters): string {
  return results.find((one) => one[2] === status && one[3] === valid)?.[0] ?? '';
}

export function readFilters(params: URLSearchParams): CheckFilters {
  const read = (name: keyof CheckFilters): string => params.get(name) ?? '';
  return {
    status: read('status'),
    valid: read('valid'),
    country: read('country'),
    number: read('number'),
    reference: read('reference'),
    from: read('from'),
    to: read('to'),
    cursor: read('cursor'),
  };
}

export function isFiltered(filters: CheckFilters): boolean {
  return Object.entries(filters).some(([name, value]) => name !== 'cursor' && value !== '');
}

/** The path of a page of the list; undefined if the text cannot be a number of any country. */
export function listPathOf(filters: CheckFilters): string | undefined {
  const { status, valid, country, number, reference, from, to, cursor } = filters;
  const countries = country === '' ? Object.keys(checkable) : [country];
  if (number !== '' && !countries.some((code) => parseVatNumber(code, number) !== undefined)) {
    return undefined;
  }
  const query = new URLSearchParams();
  const fields = {
    status,
    valid,
    countryCode: country,
    vatNumber: number,
    referencePrefix: reference,
    since: from,
    // The service takes the moment before which checks were created.
    until: to === '' ? '' : addDays(to as IsoDate, 1),
    cursor,
  };
  for (const [name, value] of Object.entries(fields)) if (value !== '') query.set(name, value);
  query.set('limit', String(pageSize));
  return `/vatchecks?${query.toString()}`;
}
