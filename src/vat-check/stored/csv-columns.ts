/** The columns of rule K12, each with the field of rule K4 that it holds. */
export const fieldOfColumn = {
  countryCode: 'countryCode',
  vatNumber: 'vatNumber',
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

type Column = keyof typeof fieldOfColumn;

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

/** A heading without the differences that do not count. */
export function toHeading(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_-]/g, '');
}
