/** One day of a file: its date, and its rates in their order. */
export type EcbFileDay = readonly [date: string, rates: Readonly<Record<string, string>>];

/**
 * Prints days as `eurofxref-hist.xml` and `eurofxref-hist-90d.xml` do: double quotes, no indentation, a
 * line feed between days and none at the end.
 */
export function printFile(days: readonly EcbFileDay[]): string {
  const cubes = days.map(([date, rates]) => {
    const inner = Object.entries(rates).map(
      ([currency, rate]) => `<Cube currency="${currency}" rate="${rate}"/>`,
    );
    return `<Cube time="${date}">${inner.join('')}</Cube>`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope ' +
    'xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" ' +
    'xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">' +
    '<gesmes:subject>Reference rates</gesmes:subject>' +
    '<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>' +
    `<Cube>${cubes.join('\n')}</Cube></gesmes:Envelope>`
  );
}
