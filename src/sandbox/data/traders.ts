import rows from './traders.json' with { type: 'json' };

/** A trader as the registry answers it, blanks and line breaks of the address included. */
export interface Trader {
  /** The registry code: `EL` for Greece. */
  readonly country: string;
  /** In upper case. */
  readonly number: string;
  /** `---` if the Member State does not disclose it. */
  readonly name: string;
  readonly address: string;
  /** The texts that the registry does not disclose, but compares with those of a request. */
  readonly held?: { readonly name: string; readonly address: string };
}

/** A trader in a table or script: without a name or address, that text is not disclosed. */
export interface TraderEntry {
  readonly country: string;
  readonly number: string;
  readonly name?: string | undefined;
  readonly address?: string | undefined;
  /** Neither text is disclosed; both are compared with those of a request. */
  readonly withheld?: boolean | undefined;
}

export function toTrader(entry: TraderEntry): Trader {
  const { country, number, name = '---', address = '---', withheld = false } = entry;
  const key = { country, number };
  return withheld
    ? { ...key, name: '---', address: '---', held: { name, address } }
    : { ...key, name, address };
}

/** The registered traders, all of them made up. */
export const traders: readonly Trader[] = rows.map(
  ([country = '', number = '', name, address, withheld]) =>
    toTrader({ country, number, name, address, withheld: withheld === 'withheld' }),
);

/** The Member States that VIES can query, by registry code: the EU-27 and Northern Ireland. */
export const viesStates: readonly string[] = [...new Set(traders.map(({ country }) => country))];
