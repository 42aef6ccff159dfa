import { monthsBefore } from '../fx/spans.ts';

/** The laws that name a publication, in the order in which they are offered. */
export const laws = ['oss', 'ioss', 'customs', 'vat'] as const;
export type Law = (typeof laws)[number];

/** A request for the rates that a law means. */
export type LawQuestion = {
  readonly law: Law;
  /** `2023-Q4` for OSS, `2026-02` for IOSS and customs, `2026-03-01` for a tax point. */
  readonly period: string;
  /** Whether the Polish rule decides about a tax point; false for the other laws. */
  readonly isPolish: boolean;
  /** The day of issue of the invoice, for the Polish rule; '' if it was not given. */
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
 * ended; customs rates are known before their month, and a tax point is the newest publication.
 *
 * @param newest - The newest stored date, such as `2026-11-20`.
 */
export function readQuestion(params: URLSearchParams, newest: string): LawQuestion {
  const law = laws.find((known) => known === params.get('for')) ?? 'oss';
  const given = params.get('period') ?? '';
  const isPolish = law === 'vat' && params.get('country') === 'PL';
  const issued = params.get('issued') ?? '';
  return {
    law,
    period: forms[law].test(given) ? given : firstPeriod(law, newest),
    isPolish,
    issued: isPolish && forms.vat.test(issued) ? issued : '',
  };
}

/** The path of the answer. */
export function pathOf({ law, period, isPolish, issued }: LawQuestion): string {
  const ofPoland = issued === '' ? '?country=PL' : `?country=PL&issued=${issued}`;
  return `/fx/${law}/${period}${isPolish ? ofPoland : ''}`;
}

/** The quarter of a date: `2026-Q4`. */
function quarterOf(date: string): string {
  return `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
}

function firstPeriod(law: Law, newest: string): string {
  switch (law) {
    case 'oss':
      return quarterOf(monthsBefore(newest, 3));
    case 'ioss':
      return monthsBefore(newest, 1).slice(0, 7);
    case 'customs':
      return newest.slice(0, 7);
    case 'vat':
      return newest;
  }
}
