/**
 * JSON in which numbers keep their decimal text (contract C11).
 *
 * `JSON.rawJSON` and the source text of `JSON.parse` are part of ECMAScript, but not yet of the
 * compiler's library, hence the one cast.
 */
const exact = JSON as unknown as {
  rawJSON(text: string): object;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
};

/** A value that `JSON.stringify` prints as exactly this number, or as `null` if there is none. */
export function jsonNumber(decimal: string | null | undefined): object {
  return exact.rawJSON(decimal ?? 'null');
}

/** Parses JSON with every number as its source text: `{"a":1.10}` → `{a: '1.10'}`. */
export function parseExactJson(text: string): unknown {
  return parseWithNumbers(text, (source) => source);
}

/** A number of a JSON document, by its source text. */
export class NumberToken {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** Parses JSON of others, in which a number is a token and no text: `{"a":1.10,"b":"1.10"}` has two types. */
export function parseTypedJson(text: string): unknown {
  return parseWithNumbers(text, (source) => new NumberToken(source));
}

function parseWithNumbers(text: string, toNumber: (source: string) => unknown): unknown {
  return exact.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? toNumber(source) : value,
  );
}

/**
 * Prints one JSON object with the fields of all parts, in their order; a text is the printed JSON of an object, whose bytes
 * stay as they are.
 */
export function joinJson(...parts: readonly (object | string)[]): string {
  const fields = parts.map((part) =>
    (typeof part === 'string' ? part : JSON.stringify(part)).slice(1, -1),
  );
  return `{${fields.filter((text) => text !== '').join(',')}}`;
}
