import { parseCsv } from '../../support/parse-csv.ts';

/** A customer's address, as far as shops choose rates by it. */
export type Address = { readonly country: string; readonly postcode: string };

/** The rate that a shop takes for an address and a kind of product; undefined if it charges no tax. */
export type Shop = (address: Address, kind: string) => number | undefined;

/** The postcode itself and its beginnings, as shops look for them: `35001`, `35001*`, `3500*`, …, `*`. */
function listForms(postcode: string): string[] {
  const beginnings = Array.from(postcode, (_, at) => `${postcode.slice(0, at + 1)}*`);
  return [postcode, '*', ...beginnings];
}

/**
 * Reads tax rates as WooCommerce imports them (`class-wc-tax-rate-importer.php`, `class-wc-tax.php`): exactly ten columns, by their
 * order; a class that the shop does not have becomes the standard one; per priority one rate, those with matching postcodes
 * first, then the first of the file.
 */
export function readAsWooCommerce(text: string, classes: readonly string[]): Shop {
  const [heading = [], ...lines] = parseCsv(text);
  if (heading.length !== 10) throw new Error('The CSV is invalid.');
  const rates = lines.map((cells, order) => {
    const [
      country,
      state,
      postcodes = '',
      city,
      rate,
      name,
      priority,
      compound,
      shipping,
      kind = '',
    ] = cells;
    if (cells.length !== 10 || state !== '' || city !== '' || name === '')
      throw new Error(cells.join());
    if (priority !== '1' || compound !== '0' || shipping !== '1') throw new Error(cells.join());
    const value = Number(rate).toFixed(4);
    const codes = postcodes.split(';').filter((code) => code !== '');
    return { country, codes, value, kind: classes.includes(kind) ? kind : '', order };
  });
  return ({ country, postcode }, kind) => {
    const plain = postcode.replaceAll(/[\s-]/g, '');
    const formatted = country === 'PT' ? `${plain.slice(0, 4)}-${plain.slice(4)}` : plain;
    const forms = [plain, ...listForms(formatted)];
    const matching = rates
      .filter((one) => one.country === country && one.kind === kind)
      .map((one) => ({ ...one, count: one.codes.filter((code) => forms.includes(code)).length }))
      .filter(({ codes, count }) => codes.length === 0 || count > 0)
      .sort((a, b) => b.count - a.count || a.order - b.order);
    return matching[0] === undefined ? undefined : Number(matching[0].value);
  };
}

/**
 * Reads tax rates as Magento 2 imports them (`CsvImportHandler.php`, `Rate.php`): eight columns by their order, then one for each store
 * view; a rate with the code of an earlier one replaces it; for an address the postcode that sorts last counts.
 *
 * A tax rule has the rates of one kind, here those whose code has it.
 */
export function readAsMagento(
  text: string,
  countries: readonly string[],
  stores: readonly string[],
): Shop {
  const [heading = [], ...lines] = parseCsv(text);
  const used = heading.flatMap((title, at) => (at < 8 || stores.includes(title) ? [at] : []));
  const rates = new Map<string, { country: string; postcode: string; value: number }>();
  for (const line of lines) {
    if (line.length !== heading.length) throw new Error('Invalid file format.');
    const [code = '', country = '', state, postcode = '', rate = '', isRange] = used.map(
      (at) => line[at],
    );
    if (!countries.includes(country)) throw new Error('One of the countries has invalid code.');
    if (code === '' || postcode === '' || rate === '') throw new Error('required information');
    if (!/^\d+(\.\d+)?$/.test(rate)) throw new Error('The Rate Percent is invalid.');
    if (state !== '*' || isRange !== '' || postcode.length > 10) throw new Error(line.join());
    if (rates.has(code)) throw new Error(`${code} is there twice`);
    rates.set(code, { country, postcode, value: Number(rate) });
  }
  return ({ country, postcode }, kind) => {
    const forms = listForms(postcode);
    return [...rates]
      .filter(([code]) => new RegExp(`^VAT-${country}(-[A-Z0-9]+)?-${kind}(-|$)`).test(code))
      .map(([, rate]) => rate)
      .filter((rate) => rate.country === country && forms.includes(rate.postcode))
      .sort((a, b) => (a.postcode < b.postcode ? 1 : -1))[0]?.value;
  };
}

type Period = {
  readonly effective_from: string;
  readonly rates: Readonly<Record<string, number>>;
  readonly exceptions?: readonly (Readonly<Record<string, number>> & {
    readonly postcode: string;
  })[];
};

/** Reads the list of periods as its usual reader does (ibericode/vat): `standard`, `reduced1`, … of a country on a date. */
export function readAsVatRates(
  text: string,
): (country: string, date: string, level: string, postcode?: string) => number | undefined {
  const { items } = JSON.parse(text) as {
    readonly items: Readonly<Record<string, readonly Period[]>>;
  };
  return (country, date, level, postcode = '') => {
    const sorted = [...(items[country] ?? [])].sort((a, b) =>
      a.effective_from < b.effective_from ? 1 : -1,
    );
    const period = sorted.find(({ effective_from: from }) => from <= date);
    const exception = period?.exceptions?.find((one) =>
      new RegExp(`^${one.postcode}$`).test(postcode),
    );
    return exception?.[level] ?? exception?.['standard'] ?? period?.rates[level];
  };
}
