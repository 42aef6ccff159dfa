import { registryNames } from '../../registries/registry.ts';
import { type JsonObject, type JsonValue, printCanonicalJson } from './canonical-json.ts';
import type { Evidence } from './evidence.ts';
import { readPublicJwk } from './signing-key.ts';

/** Evidence as a file contains it, its bytes decoded. Digests and signature are not compared yet. */
export type EvidenceFile = {
  readonly evidence: Evidence;
  readonly request: Buffer;
  readonly response: Buffer;
  readonly manifest: Buffer;
  readonly signature: Buffer;
  /** Whether the file has other bytes than the service prints, with the same values; a line feed at its end is none. */
  readonly isReformatted: boolean;
};

/** Bytes of a file; a real one has at most some 100 KB. */
export const fileBytesMax = 1_048_576;

const instant = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;
const digest = /^[0-9a-f]{64}$/;
const anyText = /^[^]+$/;

/** The fields with the forms of their texts. */
const forms: Readonly<Record<Exclude<keyof Evidence, 'publicKey' | 'head' | 'control'>, RegExp>> = {
  id: anyText,
  registry: new RegExp(`^(?:${registryNames.join('|')})$`),
  endpoint: anyText,
  requestedAt: instant,
  answeredAt: instant,
  request: anyText,
  response: /^[^]*$/,
  requestSha256: digest,
  responseSha256: digest,
  manifest: anyText,
  signature: anyText,
  keyId: anyText,
};

/** Reads the file of one check. If it is no evidence, the message of the error is a sentence for a person. */
export function readEvidenceFile(bytes: Uint8Array): EvidenceFile {
  const text = decodeFile(bytes, 'the file');
  const value = parseObject(text, 'the file');
  for (const [name, form] of Object.entries(forms)) checkField(name, value[name], form);
  const publicKey = readPublicJwk(value['publicKey']);
  if (publicKey === undefined) {
    throw new Error('the field publicKey is missing or is no Ed25519 key');
  }
  if (value['head'] !== undefined) checkHeadForm(value['head']);
  if (value['control'] !== undefined) checkControl(value['control']);
  const evidence = { ...value, publicKey } as Evidence;
  const printed = printKnownFields(evidence);
  if (printCanonicalJson(value) !== printed)
    throw new Error('the file has a field that no evidence has');
  if (countNames(text) !== countNames(printed)) throw new Error('the file has a field twice');
  const { request, response, manifest, signature } = evidence;
  return {
    evidence,
    request: decodeBase64('request', request),
    response: decodeBase64('response', response),
    manifest: decodeBase64('manifest', manifest),
    signature: decodeBase64('signature', signature),
    isReformatted: !bytesEqual(bytes, printed) && !bytesEqual(bytes, `${printed}\n`),
  };
}

/** Parses a JSON object. The message of an error begins with `subject`. */
export function parseObject(text: string, subject: string): Readonly<Record<string, JsonValue>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${subject} is not JSON`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${subject} is not a JSON object`);
  }
  return value as Readonly<Record<string, JsonValue>>;
}

/** As {@link decodeText}, without the byte order mark that some editors put in front. */
export function decodeFile(bytes: Uint8Array, subject: string): string {
  return decodeText(bytes, subject).replace(/^\u{feff}/u, '');
}

/** Decodes UTF-8 strictly: a byte order mark stays, and other bytes are an error, whose message begins with `subject`. */
export function decodeText(bytes: Uint8Array, subject: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${subject} is not UTF-8`);
  }
}

/** The forms of the texts of a control question. */
const controlForms = {
  endpoint: anyText,
  requestedAt: instant,
  answeredAt: instant,
  request: anyText,
  response: /^[^]*$/,
} as const;

function checkControl(value: JsonValue): void {
  const fields = toObject('control', value);
  for (const [name, form] of Object.entries(controlForms)) checkField(name, fields[name], form);
  if (fields['head'] !== undefined) checkHeadForm(fields['head']);
  requireNames('control', fields, [...Object.keys(controlForms), 'head']);
  for (const name of ['request', 'response']) decodeBase64(name, fields[name] as string);
}

function checkHeadForm(value: JsonValue): void {
  const fields = toObject('head', value);
  const { httpStatus, date } = fields;
  const isRight = Number.isInteger(httpStatus) && (date === null || typeof date === 'string');
  if (!isRight) throw new Error('the field head has another form than in evidence');
  requireNames('head', fields, ['httpStatus', 'date']);
}

function toObject(name: string, value: JsonValue): Readonly<Record<string, JsonValue>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, JsonValue>>;
  }
  throw new Error(`the field ${name} has another form than in evidence`);
}

function requireNames(
  name: string,
  fields: Readonly<Record<string, JsonValue>>,
  names: readonly string[],
): void {
  if (Object.keys(fields).every((one) => names.includes(one))) return;
  throw new Error(`the field ${name} has a field that no evidence has`);
}

function checkField(name: string, value: unknown, form: RegExp): void {
  if (name === 'answeredAt' && value === null) return;
  if (typeof value === 'string' && form.test(value)) return;
  throw new Error(`the field ${name} is missing or has another form than in evidence`);
}

function decodeBase64(name: string, text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  // Node ignores foreign characters and spare bits.
  if (bytes.toString('base64') !== text) throw new Error(`the field ${name} is not base64`);
  return bytes;
}

function printKnownFields(evidence: Evidence): string {
  const names = [...Object.keys(forms), 'publicKey', 'head', 'control'] as (keyof Evidence)[];
  const known = names.filter((name) => evidence[name] !== undefined);
  const fields = Object.fromEntries(known.map((name) => [name, evidence[name]]));
  return printCanonicalJson(fields as unknown as JsonObject);
}

/** Counts the names of fields in a JSON text: `JSON.parse` keeps only the last of several fields with one name. */
function countNames(json: string): number {
  return [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined)
    .length;
}

function bytesEqual(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(text).equals(bytes);
}
