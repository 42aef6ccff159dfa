import { invalidField } from '../../platform/http/responses/api-errors.ts';

/** Headers that the deliveries of a subscription have, for a gateway in front of its receiver, as their caller spelled them. */
export type ReceiverHeaders = readonly (readonly [name: string, value: string])[];

export const headersMax = 3;
export const headerValueMax = 4_096;

/** The name of a header (RFC 9110 §5.1) of at most 100 characters. */
export const headerNamePattern = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** Visible ASCII characters, with blanks only between them: HTTP removes those at the ends. */
export const headerValuePattern = /^[!-~](?:[ -~]*[!-~])?$/;

/**
 * What only one connection may say (RFC 9110 §7.6.1), and what describes the request itself. A delivery sets these, or could
 * not be sent or read with them.
 */
const ownNames = new Set(
  'connection expect host http2-settings keep-alive te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);
const ownPrefixes = ['content-', 'proxy-', 'webhook-'] as const;
const ownWords = `${[...ownNames].join(', ')}, ${ownPrefixes.map((prefix) => `${prefix}*`).join(', ')}`;

/** Parses the field `headers` of a subscription: `{name: value}`, or null for none. Throws the 400, which has no name and no value. */
export function readReceiverHeaders(given: unknown): ReceiverHeaders {
  if (given === null) return [];
  const entries = typeof given === 'object' && !Array.isArray(given) ? Object.entries(given) : [];
  if (typeof given !== 'object' || Array.isArray(given) || entries.length > headersMax) {
    throw invalid(`at most ${headersMax} headers as {name: value}, or null`);
  }
  const headers = entries.map(([name, value]) => [readName(name), readValue(value)] as const);
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  if (names.size < headers.length) throw invalid('each name once, in any letter case');
  return headers;
}

/** Reads headers that were stored as JSON. Throws on any other text, without showing it: it was encrypted. */
export function parseReceiverHeaders(json: string): ReceiverHeaders {
  try {
    const headers: unknown = JSON.parse(json);
    if (Array.isArray(headers)) return headers as ReceiverHeaders;
  } catch {
    // The error of the parser quotes the text.
  }
  throw new Error('not the headers of a subscription');
}

function readName(name: string): string {
  if (!headerNamePattern.test(name)) {
    throw invalid('names of 1 to 100 characters that HTTP allows in them');
  }
  const folded = name.toLowerCase();
  if (ownNames.has(folded) || ownPrefixes.some((prefix) => folded.startsWith(prefix))) {
    throw invalid(`names other than ${ownWords}`);
  }
  return name;
}

function readValue(value: unknown): string {
  const isText = typeof value === 'string' && value.length <= headerValueMax;
  if (isText && headerValuePattern.test(value)) return value;
  throw invalid(
    `values of 1 to ${headerValueMax} visible ASCII characters, with blanks only between them`,
  );
}

function invalid(expected: string) {
  return invalidField('headers', expected);
}
