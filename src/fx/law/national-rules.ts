import { isoDate } from '../../platform/time/time.ts';
import { type BankName, bankNames } from '../../platform/publication/data-set-kinds.ts';
import type { Law } from './rules.ts';

/** The banks whose publications a law can mean. */
export type LawBank = 'ecb' | BankName;

/** The publications of a bank that the law of a Member State means. */
export type NationalRule = {
  /** The days from the day of the tax point, or of an earlier issue, to the named day. */
  readonly days: number;
  /** Whether the named day must have ended; see `NamedDay`. */
  readonly mustEnd?: boolean;
  readonly law: Law;
  /** The law for an invoice that is issued before the day of the tax point; undefined if the issue decides nothing. */
  readonly lawIfIssuedBefore?: Law;
};

/** A Member State whose own law names a bank or a day. */
type NationalLaw = {
  /** The zone in which a day of its law begins. */
  readonly timeZone: string;
  /** By bank, the one that callers get without `bank` first. */
  readonly rules: Readonly<Partial<Record<LawBank, NationalRule>>>;
  /** Whether callers may leave out `bank`, and get the rule of the ECB. */
  readonly isKnownWithoutBank: boolean;
};

/** The first day of the option to use the rates of the ECB in Poland. Those of the NBP were law before. */
const polishOptionSince = isoDate('2013-01-01');

/** The rules of Member States, by country code (rule N4). A further one needs a citation. */
export const nationalLaws = {
  PL: {
    timeZone: 'Europe/Warsaw',
    isKnownWithoutBank: true,
    rules: {
      nbp: {
        days: -1,
        mustEnd: true,
        law: { legalBasis: 'Polish VAT act, art. 31a(1)', inForceSince: null },
        lawIfIssuedBefore: { legalBasis: 'Polish VAT act, art. 31a(2)', inForceSince: null },
      },
      ecb: {
        days: -1,
        law: {
          legalBasis: 'Polish VAT act, art. 31a(1), second sentence',
          inForceSince: polishOptionSince,
        },
        lawIfIssuedBefore: {
          legalBasis: 'Polish VAT act, art. 31a(2)',
          inForceSince: polishOptionSince,
        },
      },
    },
  },
  CZ: {
    timeZone: 'Europe/Prague',
    isKnownWithoutBank: false,
    rules: {
      cnb: {
        days: 0,
        law: {
          legalBasis: 'Act No 235/2004 Coll., § 4',
          inForceSince: isoDate('2004-05-01'),
        },
      },
      ecb: {
        days: 0,
        law: { legalBasis: 'Act No 235/2004 Coll., § 4, second letter', inForceSince: null },
      },
    },
  },
} as const satisfies Record<string, NationalLaw>;

export type NationalCountry = keyof typeof nationalLaws;

export const countries = Object.keys(nationalLaws) as NationalCountry[];

/** The law of a country, and its rule for a bank; undefined if the law does not name that bank. */
export function findNational(country: NationalCountry, bank: LawBank): NationalRule | undefined {
  return (nationalLaws[country] as NationalLaw).rules[bank];
}

/** The countries whose law names a bank: `PL or CZ`. */
export function countriesOf(bank: LawBank): string {
  return listChoices(countries.filter((country) => findNational(country, bank) !== undefined));
}

/** The national banks whose publications some law means. */
const lawBankNames = bankNames.filter((name) => countriesOf(name) !== '');

/** The banks whose publications some law means. */
export const lawBanks: readonly LawBank[] = [...lawBankNames, 'ecb'];

/** The same as a text for a 400: `nbp, cnb or ecb`. */
export const bankExpected = listChoices(lawBanks);

/** The countries that need a bank beside them. */
export const countriesWithBank = countries.filter(
  (country) => !nationalLaws[country].isKnownWithoutBank,
);

/** The expectation in the 400 for a country without a rule of its own, if no bank is named: `PL, or CZ with a bank`. */
export const countryExpected = `${listChoices(
  countries.filter((country) => nationalLaws[country].isKnownWithoutBank),
)}, or ${listChoices(countriesWithBank)} with a bank`;

/** The expectation in the 400 for a country that needs a bank: `cnb or ecb for CZ`. */
export function bankExpectedFor(country: NationalCountry): string {
  return `${listChoices(Object.keys(nationalLaws[country].rules))} for ${country}`;
}

/** Reads the code of a country whose law names a bank; undefined for any other text. */
export function parseNationalCountry(text: string): NationalCountry | undefined {
  return countries.find((code) => code === text);
}

/** `a`, `a or b`, `a, b or c`. */
function listChoices(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1');
}
