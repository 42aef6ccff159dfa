import {
  findNational,
  type LawBank,
  type NationalCountry,
  nationalLaws,
  parseNationalCountry,
} from '../../../src/fx/law/national-rules.ts';
import { customsLaw, directive, type Law as Basis, returnLaws } from '../../../src/fx/law/rules.ts';
import { monthsBefore } from '../fx/spans.ts';
import type { BankTaxPointRates, CustomsRates, ReturnRates, TaxPointRates } from '../wire.ts';

/** The laws that name a day, in the order in which they are offered. */
export const laws = ['oss', 'ioss', 'customs', 'vat'] as const;
export type Law = (typeof laws)[number];

/** The first and the last day of which the service has rates of the ECB, and its date of today. */
export type Days = {
  readonly oldest: string;
  readonly newest: string;
  readonly today: string;
};

/** The rates of the ECB that a law means, and those of any bank. */
export type EcbLawFx = ReturnRates | CustomsRates | TaxPointRates;
export type LawFx = EcbLawFx | BankTaxPointRates;

/** A request for the rates that a law means. */
export type LawQuestion = {
  readonly law: Law;
  /** `2023-Q4` for OSS, `2026-02` for IOSS and customs, `2026-03-01` for a tax point. */
  readonly period: string;
  /** The country whose own rule decides about a tax point; null for the rule of the EU, and for the other laws. */
  readonly country: NationalCountry | null;
  readonly bank: LawBank;
  /** The day of issue of the invoice, for a rule that needs it; '' if it was not given. */
  readonly issued: string;
};

const forms: Readonly<Record<Law, RegExp>> = {
  oss: /^\d{4}-Q[1-4]$/,
  ioss: /^\d{4}-(?:0[1-9]|1[0-2])$/,
  customs: /^\d{4}-(?:0[1-9]|1[0-2])$/,
  vat: /^\d{4}-\d{2}-\d{2}$/,
};

/**
 * Reads the question in an address. Without a period, or with one of another law, it is the newest period that has
 * ended; customs rates are known before their month, and a tax point is the newest day with rates.
 */
export function readQuestion(params: URLSearchParams, days: Days): LawQuestion {
  const law = laws.find((known) => known === params.get('for')) ?? 'oss';
  const given = params.get('period') ?? '';
  const country = (law === 'vat' && parseNationalCountry(params.get('country') ?? '')) || null;
  const bank = banksOf(country).find((one) => one === params.get('bank')) ?? 'ecb';
  const issued = params.get('issued') ?? '';
  return {
    law,
    period: forms[law].test(given) ? given : firstPeriod(law, days),
    country,
    bank,
    issued: knowsIssue({ country, bank }) && forms.vat.test(issued) ? issued : '',
  };
}

/** The banks that the law of a country names. */
export function banksOf(country: NationalCountry | null): readonly LawBank[] {
  return country === null ? ['ecb'] : (Object.keys(nationalLaws[country].rules) as LawBank[]);
}

/** Whether an issue before the tax point decides. */
export function knowsIssue({ country, bank }: Pick<LawQuestion, 'country' | 'bank'>): boolean {
  return country !== null && findNational(country, bank)?.lawIfIssuedBefore !== undefined;
}

/** The path of the answer. */
export function pathOf({ law, period, country, bank, issued }: LawQuestion): string {
  const query = new URLSearchParams();
  if (country !== null) {
    query.set('country', country);
    if (bank !== 'ecb' || !nationalLaws[country].isKnownWithoutBank) query.set('bank', bank);
    if (issued !== '') query.set('issued', issued);
  }
  return `/fx/${law}/${period}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** The first day on which the law of a question holds; null if it is not known. */
export function inForceSince(question: LawQuestion): string | null {
  return basisOf(question).inForceSince;
}

function basisOf({ law, country, bank }: LawQuestion): Basis {
  if (law === 'customs') return customsLaw;
  if (law !== 'vat') return returnLaws[law];
  return (country === null ? undefined : findNational(country, bank)?.law) ?? directive;
}

/** The quarter of a date: `2026-Q4`. */
function quarterOf(date: string): string {
  return `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
}

function firstPeriod(law: Law, { newest, today }: Days): string {
  switch (law) {
    case 'oss':
      return quarterOf(monthsBefore(today, 3));
    case 'ioss':
      return monthsBefore(today, 1).slice(0, 7);
    case 'customs':
      return today.slice(0, 7);
    case 'vat':
      return newest;
  }
}
