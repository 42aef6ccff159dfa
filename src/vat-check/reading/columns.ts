/** The columns of rule K12, each with the field of rule K4 that it holds. */
export const fieldOfColumn = {
  countryCode: 'countryCode',
  vatNumber: 'vatNumber',
  registry: 'registry',
  requesterCountryCode: 'requester.countryCode',
  requesterVatNumber: 'requester.vatNumber',
  traderName: 'trader.name',
  traderStreet: 'trader.street',
  traderPostcode: 'trader.postcode',
  traderCity: 'trader.city',
  traderCompanyType: 'trader.companyType',
  maxAgeSeconds: 'maxAgeSeconds',
  expiresInHours: 'expiresInHours',
  reference: 'reference',
} as const;

export type Column = keyof typeof fieldOfColumn;

/** Where the columns of a table stand, from 0. */
export type Columns = Readonly<Partial<Record<Column, number>>>;

/** The columns that can be guessed and chosen for a table with headings of its own, with their names for people. */
export const choosableColumns = {
  vatNumber: 'VAT number',
  countryCode: 'Country',
  traderName: 'Name of the customer',
  traderStreet: 'Street',
  traderPostcode: 'Postcode',
  traderCity: 'City',
  reference: 'Your reference',
} as const satisfies Partial<Record<Column, string>>;

export type ChoosableColumn = keyof typeof choosableColumns;

/** Headings of the Commission's own template for batches. */
const ofTemplate = { mscode: 'countryCode', requestermscode: 'requesterCountryCode' } as const;

const columnOfHeading: ReadonlyMap<string, Column> = new Map([
  ...(Object.keys(fieldOfColumn) as Column[]).map((column) => [toHeading(column), column] as const),
  ...Object.entries(ofTemplate),
]);

/** The column that a heading names, in any letter case, with or without blanks, hyphens and underscores. */
export function findColumn(heading: string): Column | undefined {
  return columnOfHeading.get(toHeading(heading));
}

/** The columns that headings of the service name; of equal ones the first. */
export function columnsOfHeadings(headings: readonly string[]): Columns {
  const places = headings.flatMap((heading, at) => {
    const column = findColumn(heading);
    return column === undefined ? [] : [[column, at] as const];
  });
  return Object.fromEntries(places.toReversed());
}

/** A heading without the differences that do not count. */
export function toHeading(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '');
}
