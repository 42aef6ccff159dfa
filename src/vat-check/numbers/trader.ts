import { hasAtMost } from '../../platform/values/characters.ts';

/** The fields that a registry can compare with its own data, in the order of a request to VIES. */
export const traderFields = ['name', 'companyType', 'street', 'postcode', 'city'] as const;

export type TraderField = (typeof traderFields)[number];

/** A caller's data about its customer, as it is sent to the registry; a field that is absent is not sent. */
export type Trader = { readonly [F in TraderField]?: string };

type ReadTrader =
  | { readonly kind: 'trader'; readonly trader: Trader }
  | { readonly kind: 'malformed'; readonly field: TraderField };

/** Unicode characters in a field, without blanks at its ends. */
export const traderTextMax = 200;

/** Control characters (line breaks among them), halves of surrogate pairs, and the two characters that XML forbids. */
const unprintable = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u;
/** The pattern of the WSDL. The list of company types is not published. */
const companyType = /^[A-Z]{2}-[1-9][0-9]?$/;

/**
 * Reads a trader as a caller writes it (rule K4), and reports the first field that no registry could process.
 *
 * Blanks at the ends are removed; a field that is then empty is not sent.
 */
export function parseTrader(
  written: Readonly<Partial<Record<TraderField, string | undefined>>>,
): ReadTrader {
  const trader: { [F in TraderField]?: string } = {};
  for (const field of traderFields) {
    const text = written[field]?.trim() ?? '';
    if (text === '') continue;
    if (!isPossible(field, text)) return { kind: 'malformed', field };
    trader[field] = text;
  }
  return { kind: 'trader', trader };
}

function isPossible(field: TraderField, text: string): boolean {
  if (field === 'companyType') return companyType.test(text);
  return isPrintable(text, traderTextMax);
}

/** Whether a text has printable characters only, and at most so many. Characters are code points, not UTF-16 units. */
export function isPrintable(text: string, charactersMax: number): boolean {
  return hasAtMost(text, charactersMax) && !unprintable.test(text);
}
