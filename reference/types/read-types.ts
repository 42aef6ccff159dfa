import { parts, queries, typeNameOf } from './names.ts';
import { narrowSchemas } from './narrowed.ts';
import type { Schema, Schemas } from './schema.ts';

type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
};
type Message = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Message>>;
};

/** `openapi.json`, as far as its types need it. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: { readonly schemas: Schemas };
};

/** The types of a document, by name in alphabetical order. */
export type ApiTypes = {
  readonly types: Schemas;
  /** Those of them that stand for a part of a schema, wherever it is. */
  readonly parts: Schemas;
};

/** Collects the types of all bodies and queries of a document. */
export function readApiTypes(document: ApiDocument): ApiTypes {
  const events = Object.entries(document.webhooks).map(([type, { post }]) => {
    return [type, nameOfBody(post.requestBody) ?? ''] as const;
  });
  const schemas = narrowSchemas(describeBodies(document), Object.fromEntries(events));
  const ofParts = Object.entries(parts).map(([name, [place, description]]) => {
    return [name, { ...findPart(document.components.schemas, place), description }] as const;
  });
  const types = [
    ...Object.entries(schemas).flatMap(([schemaName, schema]) => {
      const name = typeNameOf(schemaName);
      return name === null ? [] : [[name, schema] as const];
    }),
    ...ofParts,
    ...Object.entries(queries).map(([name, ids]) => [name, findQuery(document, ids)] as const),
  ];
  return {
    types: Object.fromEntries(types.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    parts: Object.fromEntries(ofParts),
  };
}

/** The schemas. Those without a description get one from the operation that has them as a body. */
function describeBodies({ paths, webhooks, components: { schemas } }: ApiDocument): Schemas {
  const described: Record<string, string> = {};
  const describe = (body: Message | undefined, description: string): void => {
    described[nameOfBody(body) ?? ''] ??= description;
  };
  const events = Object.values(webhooks).map(({ post }) => post);
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const { summary, description, requestBody, responses } = operation;
      const call = `\`${method.toUpperCase()} ${path}\``;
      const answer = `${summary}: ${call}. ${firstSentenceOf(description)}`;
      describe(requestBody, `The body of ${call}.`);
      for (const response of Object.values(responses)) describe(response, answer);
    }
  }
  for (const { summary, description, requestBody } of events) {
    describe(requestBody, `${summary}. ${firstSentenceOf(description)}`);
  }
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const description = schema.description ?? described[name];
      return [name, description === undefined ? schema : { ...schema, description }];
    }),
  );
}

function firstSentenceOf(text: string): string {
  return /^.*?\.(?=\s+[A-Z`]|$)/s.exec(text)?.[0] ?? text;
}

function nameOfBody(body: Message | undefined): string | undefined {
  return body?.content?.['application/json']?.schema.$ref?.split('/').at(-1);
}

/** The schema at a place such as `Subscription.events.items`; without null. */
function findPart(schemas: Schemas, place: string): Schema {
  const [name = '', ...fields] = place.split('.');
  let found: Schema | undefined = schemas[name];
  for (const field of fields) {
    const { items, additionalProperties, properties } = found ?? {};
    const own = typeof additionalProperties === 'object' ? additionalProperties : undefined;
    found = { items, additionalProperties: own, ...properties }[field];
  }
  if (found === undefined) throw new Error(`the document has no ${place}`);
  const { type, enum: values } = found;
  return {
    ...found,
    ...(Array.isArray(type) && { type: type[0] }),
    ...(values && { enum: values.filter((value) => value !== null) }),
  };
}

/**
 * The parameters of operations as the fields of one object, with those that only some of them need as optional ones. A part of
 * all their paths is no field: methods take it as an argument of its own.
 */
function findQuery({ paths }: ApiDocument, ids: readonly string[]): Schema {
  const reads = Object.entries(paths).map(([path, { get }]) => ({ path, ...get }));
  const operations = ids.map((id) => {
    const found = reads.find(({ operationId }) => operationId === id);
    if (found === undefined) throw new Error(`the document has no ${id}`);
    return found;
  });
  const parameters = operations
    .flatMap((operation) => operation.parameters ?? [])
    .filter((one) => 'name' in one);
  const isNeeded = (wanted: string): boolean =>
    parameters.filter(({ name, required }) => name === wanted && required).length === ids.length;
  const fields = parameters.flatMap(({ in: place, name, schema, description }) => {
    if (isNeeded(name))
      return place === 'path' ? [] : [[name, { ...schema, description }] as const];
    return [[name, { ...schema, description, type: [String(schema.type), 'undefined'] }] as const];
  });
  const calls = operations.map(({ path }) => `\`GET ${path}\``).join(' and ');
  return {
    type: 'object',
    description: `The parameters of ${calls}.`,
    properties: Object.fromEntries(fields),
    required: fields.map(([name]) => name).filter(isNeeded),
    additionalProperties: false,
  };
}
