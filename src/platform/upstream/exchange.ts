import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Dispatcher, errors, request } from 'undici';
import { systemTimers, type Timers, unlessAborted } from '../time/timers.ts';
import { quote } from '../values/quote.ts';
import { findProxyFailure, nameProxy, type Proxy } from './proxy.ts';
import { UpstreamError, type UpstreamFailureKind } from './upstream-error.ts';

/** One HTTP exchange with an upstream, with every limit that it needs. */
export type ExchangeRequest = {
  readonly upstream: string;
  readonly operation: string;
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** The header of that name, from `userAgentOf` (contract C34). */
  readonly userAgent: string;
  readonly body?: string;
  /** From the call to the end of `read`: queue, connect, TLS, head, body and parsing. */
  readonly deadlineMs: number;
  /** Time for the deadline; the machine's unless given. */
  readonly timers?: Timers;
  /** The cap on the body, counted on the wire and again after decoding. */
  readonly bodyBytesMax: number;
  readonly signal: AbortSignal;
  /** The proxy that the dispatcher uses, for the words of a failure. */
  readonly proxy?: Proxy | undefined;
};

export type ExchangeAnswer = {
  readonly status: number;
  header(name: string): string | undefined;
  /** The decoded body as it arrives; broken off with an `UpstreamError`. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** The exchange, for errors that the reader throws. */
  readonly at: { readonly upstream: string; readonly operation: string; readonly status: number };
};

/**
 * Sends a request and lets `read` consume the answer, under one deadline for the whole.
 *
 * A timer for idle connections is not enough: an answer of one byte a second would never end. The part that `read` does
 * not consume is destroyed with the socket. Throws `UpstreamError`.
 */
export async function exchange<T>(
  dispatcher: Dispatcher,
  sent: ExchangeRequest,
  read: (answer: ExchangeAnswer) => Promise<T>,
): Promise<T> {
  const { timers = systemTimers } = sent;
  const overdue = new AbortController();
  const cancel = timers.after(sent.deadlineMs, () => overdue.abort());
  const signal = AbortSignal.any([overdue.signal, sent.signal]);
  let status: number | undefined;
  try {
    const sending = request(sent.url, {
      dispatcher,
      method: sent.method,
      headers: { 'user-agent': sent.userAgent, 'accept-encoding': 'gzip', ...sent.headers },
      body: sent.body ?? null,
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const response = await unlessAborted(signal, sending);
    status = response.statusCode;
    try {
      return await read(toAnswer(sent, response));
    } finally {
      response.body.on('error', () => {}).destroy();
    }
  } catch (error) {
    throw explain(error, sent, { deadline: overdue.signal, status });
  } finally {
    cancel();
  }
}

function toAnswer(sent: ExchangeRequest, response: Dispatcher.ResponseData): ExchangeAnswer {
  const at = { upstream: sent.upstream, operation: sent.operation, status: response.statusCode };
  const header = (name: string): string | undefined => {
    const value = response.headers[name];
    return Array.isArray(value) ? value[0] : value;
  };

  const encoding = (header('content-encoding') ?? 'identity').toLowerCase();
  const wire = capped(response.body, sent.bodyBytesMax, at);
  if (encoding === 'identity') return { status: at.status, header, chunks: wire, at };
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new UpstreamError(
      'encoding',
      at,
      `the answer is encoded as ${quote(encoding)}, expected gzip`,
    );
  }
  // A failure on the wire travels through the pipeline and comes out of the decoded end.
  const decoded = pipeline(Readable.from(wire), createGunzip(), () => {});
  return { status: at.status, header, chunks: capped(decoded, sent.bodyBytesMax, at), at };
}

async function* capped(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
  at: ExchangeAnswer['at'],
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new UpstreamError('too-large', at, `the answer has more than ${bytesMax} bytes`);
    }
    yield chunk;
  }
}

function explain(
  cause: unknown,
  sent: ExchangeRequest,
  state: { readonly deadline: AbortSignal; readonly status: number | undefined },
): UpstreamError {
  if (cause instanceof UpstreamError) return doubtPage(cause, sent);

  const { status } = state;
  const { proxy } = sent;
  const at = status === undefined ? sent : { ...sent, status };
  const through = proxy === undefined ? '' : ` through the proxy ${nameProxy(proxy)}`;
  const failure = (kind: UpstreamFailureKind, detail: string): UpstreamError =>
    new UpstreamError(kind, at, detail, { cause });
  if (sent.signal.aborted)
    return failure('cancelled', 'cancelled, because the process is stopping');
  if (state.deadline.aborted) {
    return failure('timeout', `no complete answer${through} within ${sent.deadlineMs} ms`);
  }
  const ofProxy = proxy === undefined ? undefined : findProxyFailure(cause, proxy);
  if (ofProxy !== undefined) {
    return new UpstreamError('proxy', at, ofProxy.message, { cause: ofProxy.cause });
  }
  const code = codeOf(cause);
  // Without a status no reader has begun, so the connection failed.
  if (status === undefined) {
    const isAuthorityUnknown = /SIGNED|UNABLE_TO/.test(code) && proxy !== undefined;
    const advice = isAuthorityUnknown
      ? 'if the proxy reads TLS, name its authority in NODE_EXTRA_CA_CERTS'
      : 'is the address reachable?';
    return failure('network', `no answer${through} (${code}); ${advice}`);
  }
  if (code === 'Z_DATA_ERROR') {
    return failure('encoding', 'the answer is not the gzip that it claims to be');
  }
  if (isBrokenOff(cause, code)) {
    return failure('truncated', `the connection${through} ended before the answer did`);
  }
  // Everything else is a bug in a reader, which must not be reported as an outage.
  throw cause;
}

/** The failures that a page of a proxy in place of an answer would be. */
const pageKinds: readonly UpstreamFailureKind[] = [
  'status',
  'redirected',
  'html',
  'empty',
  'malformed',
  'truncated',
];

/**
 * With `http://` a proxy answers itself if it reaches no server, and its pages cannot be distinguished from answers. They are
 * reported as failures of the proxy, so that they never count as words of the upstream.
 */
function doubtPage(error: UpstreamError, { proxy, url }: ExchangeRequest): UpstreamError {
  const { kind, detail } = error;
  if (proxy === undefined || url.startsWith('https:') || !pageKinds.includes(kind)) return error;
  const doubt = `over http:// this may be a page of the proxy ${nameProxy(proxy)} itself`;
  return new UpstreamError('proxy', error, `${detail}; ${doubt}`);
}

function codeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

function isBrokenOff(cause: unknown, code: string): boolean {
  return (
    cause instanceof errors.UndiciError ||
    cause instanceof errors.HTTPParserError ||
    /^(Z_BUF_ERROR|E[A-Z]+|ERR_(SSL|TLS)_\w+)$/.test(code)
  );
}
