import type { Dispatcher } from 'undici';
import { findProxyFailure, type Proxy } from '../../platform/upstream/proxy.ts';
import { type Clock, formatInstant } from '../../platform/time/time.ts';
import { unlessAborted } from '../../platform/time/timers.ts';
import type { Attempt } from './delivery.ts';
import { answerBytesMax, keepAnswer } from './kept-answer.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import type { ReceiverHeaders } from '../subscriptions/receiver-headers.ts';
import { type SigningKey, signBody } from '../signature.ts';
import { ReceiverRefused } from '../network/ssrf-guard.ts';

/** Deadline of a whole attempt, from resolving the name to the last byte of the answer (contract C29). */
export const attemptTimeoutMs = 15_000;

/** A message to a receiver. */
export type Message = {
  readonly url: string;
  /** The event's id, the same in every attempt. */
  readonly eventId: string;
  readonly body: Uint8Array;
  /** Keys of the secrets that sign now. */
  readonly signingKeys: readonly SigningKey[];
  /** Those of the subscription. */
  readonly headers: ReceiverHeaders;
};

/** An attempt that has ended. */
export type Sent = {
  readonly attempt: Attempt;
  readonly retryAfterSeconds: number | undefined;
  /** What failed in the proxy on the way, for the operator alone. */
  readonly proxyFailure?: string | undefined;
};

/**
 * Makes one attempt: a signed POST under one deadline (contract C28, C29).
 *
 * Every outcome is a result; only a bug throws. Redirects are not followed. The status alone decides: a receiver
 * that answers 2xx and then stalls has received the message.
 */
export async function attemptDelivery(
  parts: {
    readonly dispatcher: Dispatcher;
    readonly clock: Clock;
    /** The proxy that the dispatcher uses. */
    readonly proxy?: Proxy | undefined;
  },
  message: Message,
): Promise<Sent> {
  const { dispatcher, clock, proxy } = parts;
  const startedMs = performance.now();
  const nowMs = clock.now();
  const signal = AbortSignal.timeout(attemptTimeoutMs);
  const end = (statusCode?: number, error?: string): Attempt => ({
    at: formatInstant(nowMs),
    statusCode,
    durationMs: Math.round(performance.now() - startedMs),
    error,
  });
  try {
    const { origin, protocol, pathname, search } = new URL(message.url);
    const sending = dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: createHeaders(message, Math.floor(nowMs / 1_000)),
      body: message.body,
      signal,
      headersTimeout: attemptTimeoutMs,
      bodyTimeout: attemptTimeoutMs,
    });
    const answer = await unlessAborted(signal, sending);
    const { statusCode, headers, body } = answer;
    const isAccepted = statusCode >= 200 && statusCode < 300;
    // A proxy answers a plain request itself if it refuses it, and nothing tells its answer from the receiver's.
    const isKept = !isAccepted && (proxy === undefined || protocol === 'https:');
    const kept = isKept ? await keepAnswer(answer, message.headers) : {};
    if (!isKept) await body.dump({ limit: answerBytesMax, signal }).catch(() => {});
    const [retryAfter] = [headers['retry-after']].flat();
    const retryAfterSeconds = parseRetryAfter(retryAfter, nowMs);
    return { attempt: { ...end(statusCode), ...kept }, retryAfterSeconds };
  } catch (error) {
    const failure = proxy === undefined ? undefined : findProxyFailure(error, proxy);
    return {
      // What the proxy answers is about our network, which the caller does not see.
      attempt: end(undefined, failure === undefined ? describeFailure(error) : 'not reachable'),
      retryAfterSeconds: undefined,
      proxyFailure: failure?.message,
    };
  }
}

/** The names of headers and their values, in turn. Of the service's own a subscription can replace `user-agent` alone. */
function createHeaders(message: Message, timestampSeconds: number): string[] {
  const { eventId: id, body, signingKeys, headers } = message;
  const hasAgent = headers.some(([name]) => name.toLowerCase() === 'user-agent');
  const all = [
    ['content-type', 'application/json; charset=utf-8'],
    ...(hasAgent ? [] : [['user-agent', 'vatfx-webhooks']]),
    ['webhook-id', id],
    ['webhook-timestamp', String(timestampSeconds)],
    ['webhook-signature', signBody(signingKeys, { id, timestampSeconds, body })],
    ...headers,
  ];
  return all.flat();
}

const timeouts: readonly string[] = [
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
];

/** An attempt's `error`, from a closed list: callers read it, and it must reveal nothing of the network. */
function describeFailure(error: unknown): string {
  if (error instanceof ReceiverRefused) {
    return error.why === 'unresolved' ? 'host does not resolve' : 'address is not public';
  }
  if (!(error instanceof Error)) return 'failed';
  const code = 'code' in error ? String(error.code) : '';
  if (error.name === 'TimeoutError' || timeouts.includes(code)) return 'timed out';
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (/CERT|TLS|SSL|UNABLE_TO_VERIFY/.test(code)) return 'certificate or TLS not accepted';
  // Undici asserts that a status is at least 100.
  if (error.name === 'HTTPParserError' || code === 'ERR_ASSERTION') return 'answer is not HTTP';
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'length of the answer is unclear';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'answer is too large';
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code)) return 'connection broken';
  return 'not reachable';
}
