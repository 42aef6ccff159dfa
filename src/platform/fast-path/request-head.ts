/** The parts of a request that the fast path needs. */
export type RequestHead = {
  /** The path and the query, as they were sent. */
  readonly target: string;
  /** The API key that was sent; it may be wrong. */
  readonly key: string;
  readonly ifNoneMatch: string | undefined;
};

/** Only characters that mean the same to every parser and need no decoding. */
const requestLine = /^GET (\/[\w\-.~/:+]*(?:\?[\w\-.=&,]*)?) HTTP\/1\.1\r\n/;
/** One blank after the colon, none at the end, printable ASCII between. */
const fieldLine = /([A-Za-z-]+): ([!-~](?:[ -~]*[!-~])?)\r\n/y;
const hostForm = /^[\w\-.:[\]]+$/;
const credentials = /^Bearer (\w+)$/;

/** Header fields that no response of a cached route depends on, however often they are sent. */
const harmless: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'cookie',
  'dnt',
  'forwarded',
  'pragma',
  'priority',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'traceparent',
  'tracestate',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
]);

/**
 * Reads a head that is one whole GET and leaves no doubt; undefined for every other request, malformed or only
 * rare. One character of `text` is one byte.
 *
 * A head is left to `node:http` if it has anything unknown that may decide where the message ends, which caller sent
 * it or what the response looks like: a second Host or Authorization, a body, an upgrade, an origin, an unknown
 * field.
 */
export function readHead(text: string): RequestHead | undefined {
  const line = requestLine.exec(text);
  if (line === null) return undefined;
  let host: string | undefined;
  let key: string | undefined;
  let ifNoneMatch: string | undefined;

  let at = line[0].length;
  for (; at < text.length - 2; at = fieldLine.lastIndex) {
    fieldLine.lastIndex = at;
    const field = fieldLine.exec(text);
    if (field === null) return undefined;
    const [, name = '', value = ''] = field;
    switch (name.toLowerCase()) {
      case 'host':
        if (host !== undefined || !hostForm.test(value)) return undefined;
        host = value;
        break;
      case 'authorization':
        if (key !== undefined) return undefined;
        key = credentials.exec(value)?.[1];
        if (key === undefined) return undefined;
        break;
      case 'if-none-match':
        if (ifNoneMatch !== undefined) return undefined;
        ifNoneMatch = value;
        break;
      case 'connection':
        if (value.toLowerCase() !== 'keep-alive') return undefined;
        break;
      default:
        if (!harmless.has(name.toLowerCase())) return undefined;
    }
  }
  const isWhole = at === text.length - 2 && text.endsWith('\r\n');
  if (!isWhole || host === undefined || key === undefined) return undefined;
  return { target: line[1] ?? '', key, ifNoneMatch };
}
