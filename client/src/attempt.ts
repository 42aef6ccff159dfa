import { NetworkError, UnexpectedAnswerError } from './errors.ts';
import type { Received } from './refusal.ts';

/** Larger than any answer of the service: ten currencies over 27 years are 700 KB. */
const bytesMax = 16_000_000;

/** The longest time of a timer, 24 days; a longer one would end immediately. */
const timerMaxMs = 2_147_483_647;

/** One HTTP request. */
export type Outgoing = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly cache?: 'no-cache';
};

export type Limits = {
  readonly timeoutMs: number;
  /** Thrown when the time is up. */
  readonly lateError: Error;
  readonly signal: AbortSignal | undefined;
};

/**
 * Sends one request and reads its answer to the end, with one deadline for both.
 *
 * Throws `lateError`, the reason of the caller's own signal, or `NetworkError` with its cause. Redirects are not
 * followed, because the key would be sent to the server that they name.
 */
export async function makeAttempt(
  fetchFrom: typeof fetch,
  { url, ...request }: Outgoing,
  { timeoutMs, lateError, signal }: Limits,
): Promise<Received> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(lateError), Math.min(timeoutMs, timerMaxMs));
  const onAbort = (): void => abort.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  try {
    abort.signal.throwIfAborted();
    const response = await fetchFrom(url, {
      ...request,
      redirect: 'manual',
      signal: abort.signal,
    });
    const { status, headers } = response;
    return { status, headers, text: await readText(response) };
  } catch (error) {
    // An aborted fetch rejects with different errors in different runtimes: only the signal is reliable.
    if (abort.signal.aborted) throw abort.signal.reason;
    if (error instanceof UnexpectedAnswerError) throw error;
    throw new NetworkError(describeFailure(url, error), { cause: error });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * The address without its path, which may have a VAT number, and the code of the innermost cause. Other texts of causes are
 * left out, because some runtimes put the whole URL into them.
 */
function describeFailure(url: string, error: unknown): string {
  let code = '';
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const own: unknown = Reflect.get(cause, 'code');
    if (typeof own === 'string' && /^\w+$/.test(own)) code = `: ${own}`;
  }
  return `no answer arrived from ${new URL(url).origin}${code}`;
}

async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > bytesMax) {
      await reader.cancel();
      throw new UnexpectedAnswerError(response.status, `an answer of more than ${bytesMax} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** Waits, for 24 days at most. Throws the signal's reason as soon as the signal is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(ms, timerMaxMs),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
