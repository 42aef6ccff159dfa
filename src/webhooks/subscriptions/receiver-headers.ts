import { type Field, refuse } from '../../platform/fields/field.ts';
import { orNull, record, string } from '../../platform/fields/schema.ts';

/** Headers that the deliveries of a subscription have, for a gateway in front of its receiver, as their caller spelled them. */
export type ReceiverHeaders = readonly (readonly [name: string, value: string])[];

export const headersMax = 3;
const headerValueMax = 4_096;

/** The name of a header (RFC 9110 §5.1) of at most 100 characters. */
const headerNamePattern = /^[\w!#$%&'*+.^`|~-]{1,100}$/;
/** Visible ASCII characters, with blanks only between them: HTTP removes those at the ends. */
const headerValuePattern = /^[!-~](?:[ -~]*[!-~])?$/;

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

/** The field `headers` of a subscription: `{name: value}`, or null for none. Its 400 has no name and no value. */
export const receiverHeaders: Field<ReceiverHeaders> = {
  schema: orNull(
    record(
      string({ pattern: headerNamePattern.source }),
      string({ pattern: headerValuePattern.source, maxLength: headerValueMax }),
      { maxProperties: headersMax },
    ),
    `Headers for a gateway in front of the receiver, by name. Names other than those of one connection (\`connection\`, \`te\`, \`upgrade\` …), \`host\`, \`expect\`, \`content-*\`, \`proxy-*\` and \`webhook-*\`, each once in any letter case. Values are visible ASCII characters with blanks only between them. They are stored encrypted and shown in no answer.`,
  ),
  expected: `at most ${headersMax} headers as {name: value}, or null`,
  read: (given, at) => {
    if (given === null) return [];
    const sent = typeof given === 'object' && !Array.isArray(given) ? given : undefined;
    const entries = Object.entries(sent ?? {});
    if (sent === undefined || entries.length > headersMax) {
      return refuse(at, receiverHeaders.expected);
    }
    const wrong = entries
      .map(([name, value]) => wrongName(name) ?? wrongValue(value))
      .find(Boolean);
    if (wrong !== undefined) return refuse(at, wrong);
    const names = new Set(entries.map(([name]) => name.toLowerCase()));
    return names.size < entries.length
      ? refuse(at, 'each name once, in any letter case')
      : (entries as [string, string][]);
  },
};

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

/** What a name should be; undefined for one that a delivery may have. */
function wrongName(name: string): string | undefined {
  if (!headerNamePattern.test(name)) return 'names of 1 to 100 characters that HTTP allows in them';
  const folded = name.toLowerCase();
  const isOwn = ownNames.has(folded) || ownPrefixes.some((prefix) => folded.startsWith(prefix));
  return isOwn ? `names other than ${ownWords}` : undefined;
}

function wrongValue(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value.length <= headerValueMax;
  return isText && headerValuePattern.test(value)
    ? undefined
    : `values of 1 to ${headerValueMax} visible ASCII characters, with blanks only between them`;
}
