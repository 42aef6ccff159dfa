import { wholeNumbers } from './whole-numbers.ts';

/**
 * A decimal as text, with exactly the published digits: `'25'`, `'5.5'`, `'1.1604'`.
 *
 * It is text because a float cannot hold most decimals exactly. `Number('1.1604')` is good for a chart or a
 * comparison, but not for an invoice.
 */
export type Decimal = string;

/** A string or a number of a JSON text. The text between these tokens has no digits. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/gs;

/**
 * Parses JSON and keeps each number as text, except the whole numbers of answers: `{"a":1.10,"count":2}` → `{a: '1.10', count: 2}`.
 *
 * Node 20 and older browsers have no access to the source text of a number in `JSON.parse`. Numbers are therefore
 * put in quotes before parsing. The result is frozen. Throws `SyntaxError` if the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  // Parsed unchanged first, because quotes make some invalid texts valid: `{1:2}`.
  JSON.parse(text);
  const quoted = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(quoted, (key, value: unknown) =>
    wholeNumbers.has(key) && typeof value === 'string' ? Number(value) : Object.freeze(value),
  );
}

/** Parses JSON that has no rates: numbers become numbers. The result is frozen. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => Object.freeze(value));
}
