/** The URLs that a receiver may have (contract C30). */
export type ReceiverUrlPolicy = {
  readonly allowHttp: boolean;
  /** Ports for https and http. `allowHttp` adds port 80, for http alone. */
  readonly allowPorts: readonly number[];
};

/** A parsed URL, or what was expected instead, for the text `invalid 'url' — expected …`. */
export type ReceiverUrl =
  | { readonly kind: 'url'; readonly url: URL }
  | { readonly kind: 'invalid'; readonly expected: string };

/** The longest URL, as given and as normalised. */
export const receiverUrlCharsMax = 2_000;

/**
 * Parses the URL of a receiver (contract C30). The address of its host is checked by the SSRF guard, not here.
 *
 * The URL standard normalises an IPv4 address in decimal, octal, hexadecimal or short form to four decimal
 * numbers: `https://0x7f.1` becomes `https://127.0.0.1/`. A fragment is dropped, because HTTP does not send it.
 */
export function parseReceiverUrl(text: unknown, policy: ReceiverUrlPolicy): ReceiverUrl {
  const { allowHttp, allowPorts } = policy;
  const aUrl = allowHttp ? 'an https or http URL' : 'an https URL';
  if (typeof text !== 'string') return invalid(aUrl);
  if (text.length > receiverUrlCharsMax) return invalid(atMost);

  const url = URL.parse(text);
  const isHttp = allowHttp && url?.protocol === 'http:';
  if (url === null || !(isHttp || url.protocol === 'https:')) return invalid(aUrl);
  if (url.username !== '' || url.password !== '') return invalid('a URL without credentials');
  const ports = isHttp ? [...new Set([80, ...allowPorts])] : allowPorts;
  // A parsed URL has no port if it is the default port of its scheme.
  const port = Number(url.port || (isHttp ? 80 : 443));
  if (port === 0) return invalid('a port from 1 to 65535');
  if (!ports.includes(port)) return invalid(`a port among ${ports.join(', ')}`);

  url.hash = '';
  // Escaping makes up to twelve characters of one non-ASCII letter.
  if (url.href.length > receiverUrlCharsMax) return invalid(atMost);
  return { kind: 'url', url };
}

const atMost = `at most ${receiverUrlCharsMax} characters`;

function invalid(expected: string): ReceiverUrl {
  return { kind: 'invalid', expected };
}
