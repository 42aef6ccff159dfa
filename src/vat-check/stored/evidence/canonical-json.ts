/** A JSON value; objects have no undefined fields. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export type JsonObject = { readonly [name: string]: JsonValue };

/** Levels of arrays and objects; real evidence has three. */
const depthMax = 32;

/**
 * Prints a JSON value in its canonical form (RFC 8785, JCS): fields sorted by UTF-16 code units, numbers as ECMAScript
 * prints them, no blanks. Equal values have equal texts.
 *
 * Throws for a value that has no canonical form: half of a surrogate pair, a number that is not finite, anything that
 * JSON does not have, and more than 32 levels.
 */
export function printCanonicalJson(value: JsonValue): string {
  return print(value, 0);
}

function print(value: unknown, depth: number): string {
  if (depth > depthMax) throw new Error(`canonical JSON: nested deeper than ${depthMax}`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return printNumber(value);
  if (typeof value === 'string') return printString(value);
  if (Array.isArray(value)) return `[${value.map((item) => print(item, depth + 1)).join(',')}]`;
  if (typeof value !== 'object') throw new Error(`canonical JSON: JSON has no ${typeof value}`);
  // The order of `<` between strings is that of their UTF-16 code units.
  const fields = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `${printString(name)}:${print(field, depth + 1)}`);
  return `{${fields.join(',')}}`;
}

function printNumber(value: number): string {
  if (!Number.isFinite(value)) throw new Error(`canonical JSON: JSON has no ${value}`);
  // JSON.stringify prints -0 as 0, as the RFC does.
  return JSON.stringify(value);
}

function printString(text: string): string {
  if (!text.isWellFormed()) throw new Error('canonical JSON: half of a surrogate pair');
  return JSON.stringify(text);
}
