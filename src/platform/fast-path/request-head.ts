/** What the fast path has to know of a request. */
export type RequestHead = {
  /** The path and the query, as they were sent. */
  readonly target: string;
  /** What was presented as an API key. */
  readonly key: string;
  readonly ifNoneMatch: string | undefined;
};

/** Signs that mean the same to every parser and need no decoding. */
const requestLine = /^GET (\/[\w\-.~/]*(?:\?[\w\-.=&,]*)?) HTTP\/1\.1\r\n/;
/** One blank after the colon, none at the end, printable ASCII between. */
const fieldLine = /([A-Za-z-]+): ([!-~](?:[ -~]*[!-~])?)\r\n/y;
const hostForm = /^[\w\-.:[\]]+$/;
const credentials = /^Bearer (\w+)$/;

/** Fields that no answer of a look-up depends on, however often they are sent. */
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
 * Reads a head that is one whole GET and leaves no doubt; undefined for everything else, be it wrong or only
 * unusual. One character of `text` is one byte.
 *
 * Everything that decides where a message ends, who asks, or in which words an answer comes, is either
 * understood here or is no business of the fast path: a second Host or Authorization, a body, an upgrade, an
 * origin, a field that nobody here has heard of.
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
