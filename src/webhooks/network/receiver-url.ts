/** Which URLs a receiver may have (contract C30). */
export type ReceiverUrlPolicy = {
  readonly allowHttp: boolean;
  /** For https and http; port 80 comes with `allowHttp`, for http alone. */
  readonly allowPorts: readonly number[];
};

/** What was read, or what should have been there, to be put behind `invalid 'url' — expected `. */
export type ReceiverUrl =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'invalid'; readonly expected: string };

const charsMax = 2_000;

/**
 * Reads the URL of a receiver as a caller gives it (contract C30).
 *
 * The URL standard normalises it, so that an IPv4 address in decimal, octal, hexadecimal or short form
 * has four decimal numbers afterwards: `https://0x7f.1` is `https://127.0.0.1/`. A fragment is dropped,
 * because no receiver would ever see it. Whether the host may be connected to is not asked here.
 */
export function parseReceiverUrl(text: unknown, policy: ReceiverUrlPolicy): ReceiverUrl {
  const aUrl = policy.allowHttp ? 'an https or http URL' : 'an https URL';
  if (typeof text !== 'string') return invalid(aUrl);
  if (text.length > charsMax) return invalid(`at most ${charsMax} characters`);

  const url = URL.parse(text);
  if (url === null || !isSchemeAllowed(url, policy)) return invalid(aUrl);
  if (url.username !== '' || url.password !== '') return invalid('a URL without credentials');
  const ports = allowedPorts(url, policy);
  if (!ports.includes(portOf(url))) return invalid(`a port among ${ports.join(', ')}`);

  url.hash = '';
  // One foreign letter becomes up to twelve characters when it is escaped.
  if (url.href.length > charsMax) return invalid(`at most ${charsMax} characters`);
  return { kind: 'url', url };
}

function isSchemeAllowed(url: URL, policy: ReceiverUrlPolicy): boolean {
  return url.protocol === 'https:' || (policy.allowHttp && url.protocol === 'http:');
}

function allowedPorts(url: URL, policy: ReceiverUrlPolicy): readonly number[] {
  return url.protocol === 'http:' ? [...new Set([80, ...policy.allowPorts])] : policy.allowPorts;
}

/** The URL standard leaves out a port that is the scheme's own. */
function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function invalid(expected: string): ReceiverUrl {
  return { kind: 'invalid', expected };
}
