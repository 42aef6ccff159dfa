import { isDeepStrictEqual } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import type { Json } from '../openapi/schemas.ts';
import { compareSchemas, type Direction } from './schemas.ts';

/** A change that breaks callers: of what (`GET /rates`, or `vat.changed` for an event), and what it is. */
export type Break = { readonly operation: string; readonly what: string };

type Parts = Readonly<Record<string, Json>>;
type OpenApi = Awaited<ReturnType<typeof SwaggerParser.dereference>>;
/** Parameters, headers or bodies, each by what a sentence calls it. */
type Members = ReadonlyMap<string, Json>;
type Operation = { readonly part: Json; readonly isEvent: boolean; readonly access: Access };
/** The ways to be let in: each key and its scopes, as JSON. */
type Access = readonly string[];

const ofOperations = ['operationId', 'parameters', 'requestBody', 'responses', 'security'];
const ofMembers = ['name', 'in', 'required', 'schema', 'content', 'headers', 'style', 'explode'];
const annotations = ['tags', 'summary', 'description', 'example', 'examples', 'deprecated'];
const compared = new Set([...ofOperations, ...ofMembers, ...annotations]);
/** For an event, which the service sends and callers answer, it is the other way round. */
const ofCaller: readonly [Direction, Direction] = ['request', 'answer'];
const ofEvent: readonly [Direction, Direction] = ['answer', 'request'];

/**
 * Lists what breaks callers who know the `earlier` document, in its order.
 *
 * Callers ignore fields, headers and types of content that they do not know, and take an unknown status for the first one of
 * its class (RFC 9110, 15). So these may be added, except for a status of success or a redirect, with which a caller would
 * go on as if it were the status of before.
 *
 * @throws If a document has something that is not compared.
 */
export async function findBreaks(earlier: Json, present: Json): Promise<readonly Break[]> {
  const [before, now] = [await withoutReferences(earlier), await withoutReferences(present)];
  const later = listOperations(now);
  return [...listOperations(before)].flatMap(([operation, one]) => {
    const other = later.get(operation);
    const changes = other === undefined ? ['it is gone'] : compareOperations(one, other);
    return changes.map((what) => ({ operation, what }));
  });
}

async function withoutReferences(document: Json): Promise<Json> {
  const copy = structuredClone(document) as Record<string, unknown> as OpenApi;
  const resolved = await SwaggerParser.dereference(copy, { dereference: { circular: false } });
  return { ...resolved };
}

function listOperations(document: Json): ReadonlyMap<string, Operation> {
  const paths = Object.entries(document['paths'] as Readonly<Record<string, Parts>>);
  const events = Object.entries((document['webhooks'] ?? {}) as Readonly<Record<string, Parts>>);
  return new Map([
    ...paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, part]): [string, Operation] => {
        const access = readAccess(document, part);
        return [`${method.toUpperCase()} ${path}`, { part: known(part), isEvent: false, access }];
      }),
    ),
    ...events.flatMap(([type, methods]) =>
      Object.values(methods).map((part): [string, Operation] => [
        type,
        { part: known(part), isEvent: true, access: [] },
      ]),
    ),
  ]);
}

function compareOperations(before: Operation, now: Operation): readonly string[] {
  const [request, answer] = now.isEvent ? ofEvent : ofCaller;
  const [earlier, present] = [listAnswers(before.part), listAnswers(now.part)];
  const statuses = Object.entries(earlier).flatMap(([status, one]) => {
    const other = present[status];
    return other === undefined
      ? [`answer ${status} is gone`]
      : [
          ...compareContents(answer, `answer ${status}`, one, known(other)),
          ...compareMembers(answer, listHeaders(status, one), listHeaders(status, other)),
        ];
  });
  const added = now.isEvent ? [] : Object.keys(present).filter((one) => earlier[one] === undefined);
  return [
    ...(isLetIn(before.access, now.access) ? [] : ['it needs another key or scope']),
    ...compareNames(before.part, now.part),
    ...compareMembers(request, listMembers(before.part), listMembers(now.part)),
    ...statuses,
    ...added
      .filter((one) => /^[123]/.test(one) && one !== '304')
      .map((one) => `answer ${one} is new`),
  ];
}

/** Generated clients have the name of an operation as the name of a method. */
function compareNames(before: Json, now: Json): readonly string[] {
  const [earlier, present] = [String(before['operationId']), String(now['operationId'])];
  return earlier === present ? [] : [`its operationId is \`${present}\` instead of \`${earlier}\``];
}

/** Compares parameters, headers or bodies. */
function compareMembers(direction: Direction, before: Members, now: Members): readonly string[] {
  const absent = direction === 'answer' ? 'may be absent' : 'must be given';
  const [sent, expected] = direction === 'answer' ? [now, before] : [before, now];
  const isCertain = (members: Members, subject: string): boolean =>
    members.get(subject)?.['required'] === true;
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((subject) => {
    const [earlier, present] = [before.get(subject), now.get(subject)];
    if (present === undefined) return [`${subject} is gone`];
    const isAbsent = isCertain(expected, subject) && !isCertain(sent, subject);
    return [
      ...(isAbsent ? [`${subject} ${absent}`] : []),
      ...(earlier === undefined ? [] : compareContents(direction, subject, earlier, present)),
    ];
  });
}

/** Compares the schemas of a parameter, or those of each content of a body or an answer. */
function compareContents(
  direction: Direction,
  subject: string,
  before: Json,
  now: Json,
): readonly string[] {
  const later = listContents(now);
  const forms = ['style', 'explode'].filter((name) => !isDeepStrictEqual(before[name], now[name]));
  return [
    ...forms.map((name) => `${subject} has another \`${name}\``),
    ...Object.entries(listContents(before)).flatMap(([type, { schema }]) => {
      const other = later[type];
      const whole = type === 'application/json' ? subject : `\`${type}\` of ${subject}`;
      if (other === undefined) return [`\`${type}\` of ${subject} is gone`];
      return compareSchemas(direction, schema, other['schema']).map(({ field, change }) =>
        field === '' ? `${whole} ${change}` : `\`${field}\` of ${whole} ${change}`,
      );
    }),
  ];
}

function listContents(part: Json): Parts {
  if (part['schema'] !== undefined) return { 'application/json': { schema: part['schema'] } };
  return (part['content'] ?? {}) as Parts;
}

function listAnswers(part: Json): Parts {
  return part['responses'] as Parts;
}

function listHeaders(status: string, answer: Json): Members {
  const headers = Object.entries((answer['headers'] ?? {}) as Parts);
  return new Map(
    headers.map(([name, header]) => {
      // The text of a header may get parts that callers ignore, as caches do with directives (RFC 9111, 5.2.3).
      const schema = without((header['schema'] ?? {}) as Json, 'pattern');
      return [`header \`${name}\` of answer ${status}`, { ...known(header), schema }];
    }),
  );
}

/** The parameters and the body of a request. */
function listMembers({ parameters = [], requestBody }: Json): Members {
  return new Map([
    ...(parameters as readonly Json[]).map((one): [string, Json] => [
      `${String(one['in'])} parameter \`${String(one['name'])}\``,
      known(one),
    ]),
    ...(requestBody === undefined ? [] : [['the body', known(requestBody as Json)] as const]),
  ]);
}

/** @throws If the part has a keyword that is not compared. */
function known(part: Json): Json {
  const others = Object.keys(part).filter((name) => !compared.has(name) && !name.startsWith('x-'));
  if (others.length === 0) return part;
  throw new Error(`reference/compatibility does not compare the keywords ${others.join(', ')}`);
}

function readAccess(document: Json, part: Json): Access {
  const { securitySchemes = {} } = document['components'] as { readonly securitySchemes?: Parts };
  const ways = (part['security'] ?? document['security'] ?? []) as readonly Json[];
  return ways.map((way) =>
    JSON.stringify(
      Object.entries(way).map(([name, scopes]) => [
        without(securitySchemes[name] ?? {}, 'description', 'bearerFormat'),
        scopes,
      ]),
    ),
  );
}

/** Whether each way of access before is still one. A list without a way lets every caller in. */
function isLetIn(before: Access, now: Access): boolean {
  if (now.length === 0) return true;
  return before.length > 0 && before.every((way) => now.includes(way));
}

function without(part: Json, ...names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(part).filter(([name]) => !names.includes(name)));
}
