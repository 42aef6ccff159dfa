import type { FastifyRequest } from 'fastify';
import { lineOfJsonError } from '../../values/json-line.ts';
import { decodeUtf8 } from '../../values/utf8.ts';
import { ApiError } from '../responses/api-errors.ts';

/** Makes the 400 of a body that is no JSON. `findLine` finds the first line, from 1, that is none. */
type Refuse = (findLine: () => number) => ApiError;

const refuseBody: Refuse = () => new ApiError('invalidJson');

/**
 * Reads a body as JSON (rule K4), or throws the 400. It must be UTF-8: a byte that is not would be stored and sent to the
 * registry as U+FFFD, and two bodies of other texts would be equal. A byte order mark is ignored. An empty body is undefined.
 */
export function readJsonBody(bytes: Uint8Array): unknown {
  const text = decodeJson(bytes);
  return text === '' ? undefined : parseJson(text);
}

/** The text of a body as JSON, or throws the 400 for bytes that are not UTF-8. */
export function decodeJson(bytes: Uint8Array, refuse = refuseBody): string {
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === 'invalid') throw refuse(() => decoded.line);
  return decoded.text;
}

/** Parses the text of a body as JSON, or throws the 400. */
export function parseJson(text: string, refuse = refuseBody): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(() => lineOfJsonError(text) ?? 1);
  }
}

/** Throws the 415 if a request declares another charset than UTF-8 for its body (rule K4). */
export function checkCharset({ raw }: Pick<FastifyRequest, 'raw'>): void {
  // The header without "Distinct" names the type that the framework parses.
  for (const type of raw.headersDistinct['content-type'] ?? []) {
    for (const charset of charsetsOf(type)) {
      if (!/^utf-?8$/i.test(charset)) throw new ApiError('unsupportedCharset');
    }
  }
}

/** A parameter of a media type behind its semicolon, with a value in quotes or without. */
const parameter = /;\s*([^\s;="]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/g;

/** The charsets that a media type declares, as written: one, or none; more only in a malformed type. */
export function charsetsOf(type: string): string[] {
  return Array.from(type.matchAll(parameter), ([, name = '', quoted, plain = '']) => {
    if (name.toLowerCase() !== 'charset') return '';
    return (quoted?.replaceAll(/\\(.)/g, '$1') ?? plain).trim().replace(/^'(.*)'$/, '$1');
  }).filter((charset) => charset !== '');
}
