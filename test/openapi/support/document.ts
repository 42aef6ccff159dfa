import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

/** An object of the document. */
export type Part = { readonly [Name in string]?: unknown };

export type Operation = {
  readonly id: string;
  readonly method: string;
  /** The path in the form of the document: `/rates/{date}`. */
  readonly path: string;
  readonly part: Part;
};

/** The committed `openapi.json`, or that of a release, with queries for tests. */
export class Document {
  readonly whole: Part;
  readonly #ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  readonly #validators = new Map<unknown, ValidateFunction>();

  constructor(file = 'openapi.json') {
    this.whole = JSON.parse(readFileSync(file, 'utf8')) as Part;
    ajvFormats.default(this.#ajv);
    // Keywords of the document that are not JSON Schema.
    this.#ajv.addVocabulary(['example']);
  }

  get operations(): readonly Operation[] {
    return this.#operationsOf('paths');
  }

  get events(): readonly Operation[] {
    return this.#operationsOf('webhooks');
  }

  /** The operation of a request; undefined if there is none. */
  find(method: string, target: string): Operation | undefined {
    const path = target.split('?')[0] ?? '';
    const matching = this.operations.filter((one) =>
      new RegExp(`^${one.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
    );
    // `/rates/dates` comes before `/rates/{date}`, and `/rates/{date}.csv` too.
    const fixed = ({ path }: Operation): number => path.replaceAll(/\{\w+\}/g, '').length;
    const [nearest] = matching.sort((a, b) => fixed(b) - fixed(a));
    // A method that a path does not have is a 405, also if a path with parameters has it.
    return matching.find((one) => one.path === nearest?.path && one.method === method);
  }

  /** The target of a reference; any other value as it is. */
  resolve(value: unknown): Part {
    const { $ref } = value as { readonly $ref?: string };
    if ($ref === undefined) return value as Part;
    let found: unknown = this.whole;
    for (const name of $ref.slice(2).split('/')) found = (found as Part)[name];
    return found as Part;
  }

  /** The texts of the examples of an error. */
  errorsOf(response: unknown): readonly string[] {
    return this.errorExamples(response).map(({ text }) => text);
  }

  /** The examples of an error; `varies` if the service also sends other texts of this form. */
  errorExamples(response: unknown): readonly { readonly text: string; readonly varies: boolean }[] {
    const { content } = this.resolve(response) as {
      readonly content: Readonly<
        Record<string, { readonly examples: Readonly<Record<string, Part>> }>
      >;
    };
    return Object.values(content['application/json']?.examples ?? {}).map(
      ({ value, description }) => ({
        text: (value as { readonly error: string }).error,
        varies: description !== undefined,
      }),
    );
  }

  /**
   * The responses to requests that are no operation. The description of the document states them in a sentence, because
   * a response that no operation has would be an unused component.
   */
  get unknownRouteResponses(): Part {
    const { responses } = this.whole['components'] as { readonly responses: Part };
    const { headers, content } = responses['InternalError'] as Part;
    const { schema } = (content as Readonly<Record<string, Part>>)['application/json'] ?? {};
    const { description } = this.whole['info'] as { readonly description: string };
    const responseOf = (status: number, others: Part): Part => {
      const error = new RegExp(`${status} \`([\\w ]+)\``).exec(description)?.[1];
      return {
        headers: { ...(headers as Part), ...others },
        content: { 'application/json': { schema, examples: { one: { value: { error } } } } },
      };
    };
    const allow = { required: true, schema: { type: 'string' } };
    return { 404: responseOf(404, {}), 405: responseOf(405, { Allow: allow }) };
  }

  /** The errors of a value; fields that the schema does not name are errors, too. */
  problems(schema: unknown, value: unknown): readonly string[] {
    let validate = this.#validators.get(schema);
    if (validate === undefined) {
      validate = this.#ajv.compile(this.#close(schema) as Part);
      this.#validators.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  }

  /** The schema without references, and without unknown fields: callers must accept them, but tests know every field. */
  #close(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#close(one));
    if (typeof value !== 'object' || value === null) return value;
    const resolved = this.resolve(value);
    const closed = Object.fromEntries(
      Object.entries(resolved).map(([name, one]) => [name, this.#close(one)]),
    );
    const isOpen = 'properties' in closed && !('additionalProperties' in closed);
    return isOpen && typeof closed['type'] === 'string'
      ? { ...closed, additionalProperties: false }
      : closed;
  }

  #operationsOf(kind: 'paths' | 'webhooks'): readonly Operation[] {
    const paths = this.whole[kind] as Readonly<Record<string, Readonly<Record<string, Part>>>>;
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, part]) => ({
        id: String(part['operationId']),
        method: method.toUpperCase(),
        path,
        part,
      })),
    );
  }
}
