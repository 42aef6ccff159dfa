import rows from './traders.json' with { type: 'json' };

/** A trader as the registry answers it, blanks and line breaks of the address included. */
export interface Trader {
  /** The registry code: `EL` for Greece. */
  readonly country: string;
  /** In upper case. */
  readonly number: string;
  /** `---` if the Member State withholds it. */
  readonly name: string;
  readonly address: string;
}

/** The registered traders, all of them made up; without a name, both texts are withheld. */
export const traders: readonly Trader[] = rows.map(
  ([country = '', number = '', name = '---', address = '---']) => ({
    country,
    number,
    name,
    address,
  }),
);

/** The Member States that VIES can query, by registry code: the EU-27 and Northern Ireland. */
export const viesStates: readonly string[] = [...new Set(traders.map(({ country }) => country))];
