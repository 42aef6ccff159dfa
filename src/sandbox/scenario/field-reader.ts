/**
 * Reads the fields of a JSON object one by one and collects what is wrong with them.
 *
 * A reading function answers undefined for a value that it does not accept. Nothing throws: the caller
 * looks at `problems` at the end and throws the result away when there are any.
 */
export class FieldReader {
  readonly problems: string[] = [];
  readonly #path: string;
  readonly #input: unknown;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(path: string, input: unknown, known?: readonly string[]) {
    this.#path = path;
    this.#input = input;
    this.#fields = isObject(input) ? input : {};
    if (known !== undefined) this.expectFields(known);
  }

  /** Reports fields that are not in the list, and an input that is no object at all. */
  expectFields(known: readonly string[]): void {
    if (!isObject(this.#input)) {
      this.problems.push(`${this.#path || 'body'}: got ${show(this.#input)}, expected an object`);
    }
    for (const name of Object.keys(this.#fields)) {
      if (!known.includes(name)) {
        this.report(name, `unknown field, expected one of ${known.join(', ')}`);
      }
    }
  }

  /** The value of an optional field; `expected` ends the sentence of the problem. */
  read<T>(
    name: string,
    expected: string,
    accept: (value: unknown) => T | undefined,
  ): T | undefined {
    const value = this.#fields[name];
    if (value === undefined) return undefined;
    const read = accept(value);
    if (read === undefined) this.report(name, `got ${show(value)}, expected ${expected}`);
    return read;
  }

  require<T>(
    name: string,
    expected: string,
    accept: (value: unknown) => T | undefined,
  ): T | undefined {
    if (this.#fields[name] === undefined) this.report(name, `missing, expected ${expected}`);
    return this.read(name, expected, accept);
  }

  /** An optional list, each item with a reader of its own. */
  list<T>(name: string, readItem: (item: FieldReader) => T): readonly T[] | undefined {
    const value = this.#fields[name];
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) {
      this.report(name, `got ${show(value)}, expected a list`);
      return undefined;
    }
    return value.map((input, index) => {
      const item = new FieldReader(`${this.#at(name)}[${index}]`, input);
      const read = readItem(item);
      this.problems.push(...item.problems);
      return read;
    });
  }

  /** An optional object whose names are data too, each value with a reader of its own. */
  record<T>(
    name: string,
    readEntry: (key: string, value: FieldReader) => T,
  ): Readonly<Record<string, T>> | undefined {
    const value = this.#fields[name];
    if (value === undefined) return undefined;
    if (!isObject(value)) {
      this.report(name, `got ${show(value)}, expected an object`);
      return undefined;
    }
    const entries = Object.entries(value).map(([key, input]) => {
      const entry = new FieldReader(`${this.#at(name)}.${key}`, input);
      const read = readEntry(key, entry);
      this.problems.push(...entry.problems);
      return [key, read] as const;
    });
    return Object.fromEntries(entries);
  }

  /** An optional object that reads itself and answers with its problems. */
  object<T>(
    name: string,
    readObject: (path: string, input: unknown) => readonly [T, readonly string[]],
  ): T | undefined {
    const value = this.#fields[name];
    if (value === undefined) return undefined;
    const [read, problems] = readObject(this.#at(name), value);
    this.problems.push(...problems);
    return read;
  }

  /** The input itself, for lists of plain values; an empty text when it is not accepted. */
  whole(expected: string, accept: (value: unknown) => string | undefined): string {
    const read = accept(this.#input);
    if (read === undefined) {
      this.problems.push(`${this.#path}: got ${show(this.#input)}, expected ${expected}`);
    }
    return read ?? '';
  }

  report(name: string, problem: string): void {
    this.problems.push(`${this.#at(name)}: ${problem}`);
  }

  /** A problem with the name under which the input was found. */
  reportName(problem: string): void {
    this.problems.push(`${this.#path}: ${problem}`);
  }

  #at(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
