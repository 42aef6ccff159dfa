/**
 * A decimal as text, digit for digit as it was published: `'25'`, `'5.5'`, `'1.1604'`.
 *
 * Text, because most decimals have no binary float: `Number('1.1604')` is good for showing and comparing,
 * and for nothing that is billed.
 */
export type Decimal = string;

/** One token of JSON that is a string or a number; what stands between them holds no digits. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/gs;

/** Counts, which are numbers wherever they occur. */
const counts = new Set(['count', 'limit']);

/**
 * Parses JSON with every number as its own text, but for counts: `{"a":1.10,"count":2}` → `{a: '1.10', count: 2}`.
 *
 * `JSON.parse` has the source text of numbers only since 2023 to 2025, depending on the runtime; Node 20 and
 * older browsers round them to floats. So numbers are quoted before they are parsed. Throws `SyntaxError` on what
 * is not JSON; what comes out is frozen.
 */
export function parseExactJson(text: string): unknown {
  // Quoting makes some of what is no JSON valid: `{1:2}`.
  JSON.parse(text);
  const quoted = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(quoted, (key, value: unknown) =>
    counts.has(key) && typeof value === 'string' ? Number(value) : Object.freeze(value),
  );
}

/** Parses JSON without rates in it: numbers are numbers. Frozen as well. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => Object.freeze(value));
}
