import { checksumChars } from '../../../src/access/authentication/key-form.ts';
import { serviceAddress } from '../service-address.ts';
import type { RequestOutcome } from './failure.ts';

/** Longer than the service's own deadline for a VAT check. */
const timeoutMs = 20_000;

/** Paths whose answers the browser must not cache: they contain names and addresses, or change with each request. */
const neverCached = /^\/(?:vatcheck|vatwatch|events|usage|status)/;

/** A file with the name that the service gives it. */
export type DownloadedFile = {
  readonly name: string;
  readonly content: Blob;
  /** The path of the file that continues it; undefined if it is complete. */
  readonly next?: string | undefined;
};

/** A request that changes something. */
export type Change = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** By default there is no body. */
  readonly body?: { readonly type: 'application/json' | 'text/csv'; readonly text: string };
  /** The same for all requests of which only one may have an effect (rule K4). */
  readonly idempotencyKey?: string;
};

/** Reads an answer, or the failure that it reports. */
type Reader<T> = (response: Response) => Promise<RequestOutcome<T>>;

type Init = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | null;
  readonly signal?: AbortSignal | undefined;
};

/** Sends requests to the service with a key. */
export class Api {
  /** The last characters of the key, which distinguish keys and do not tell them. */
  readonly checksum: string;
  readonly #key: string;
  readonly #onKeyRefused: () => void;

  constructor(key: string, onKeyRefused: () => void) {
    this.checksum = key.slice(-checksumChars);
    this.#key = key;
    this.#onKeyRefused = onKeyRefused;
  }

  /** Sends one request. Rejects only if the signal is aborted; any other failure is a value. */
  async get<T>(path: string, signal?: AbortSignal): Promise<RequestOutcome<T>> {
    return this.#send(path, async (response) => readAnswer<T>(response), { signal });
  }

  /** Sends a request that changes something. An answer without a body is undefined. Any failure is a value. */
  async change<T>({ method, path, body, idempotencyKey }: Change): Promise<RequestOutcome<T>> {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': body.type }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    };
    const init = { method, headers, body: body?.text ?? null };
    return this.#send(path, async (response) => readAnswer<T>(response), init);
  }

  /** Requests a file. Any failure is a value. */
  async download(path: string): Promise<RequestOutcome<DownloadedFile>> {
    return this.#send(path, readFile);
  }

  async #send<T>(path: string, read: Reader<T>, init: Init = {}): Promise<RequestOutcome<T>> {
    const { signal, headers = {}, ...rest } = init;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(serviceAddress + path, {
        ...rest,
        headers: { ...headers, authorization: `Bearer ${this.#key}` },
        signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
        // Cached answers are revalidated with their ETag, so that a page always shows the newest data.
        cache: neverCached.test(path) ? 'no-store' : 'no-cache',
        credentials: 'omit',
        redirect: 'error',
      });
      const outcome = await read(response);
      if (response.status === 401) this.#onKeyRefused();
      return outcome;
    } catch {
      signal?.throwIfAborted();
      return { kind: 'failed', failure: { kind: navigator.onLine ? 'unreachable' : 'offline' } };
    }
  }
}

async function readFile(response: Response): Promise<RequestOutcome<DownloadedFile>> {
  if (!response.ok) return readAnswer(response);
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  // A page of a proxy has no file name.
  if (name === undefined) {
    return { kind: 'failed', failure: { kind: 'foreign', status: response.status } };
  }
  // Only the last segment, because the service may not know the path that its proxy has it under.
  const next = /<[^>?]*(\/[^>/?]+(?:\?[^>]*)?)>; rel="next"/.exec(
    response.headers.get('link') ?? '',
  )?.[1];
  return { kind: 'answered', data: { name, content: await response.blob(), next } };
}

async function readAnswer<T>(response: Response): Promise<RequestOutcome<T>> {
  const { status } = response;
  if (status === 204) return { kind: 'answered', data: undefined as T };
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { kind: 'failed', failure: { kind: 'foreign', status } };
  }
  if (response.ok) return { kind: 'answered', data: body as T };
  const error = (body as { readonly error?: unknown } | null)?.error;
  if (typeof error !== 'string') return { kind: 'failed', failure: { kind: 'foreign', status } };
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const retryAfterSeconds = Number.isNaN(retryAfter) ? undefined : retryAfter;
  const link = response.headers.get('link') ?? undefined;
  return { kind: 'failed', failure: { kind: 'refused', status, error, retryAfterSeconds, link } };
}
