import { checkHead } from '../../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../../platform/upstream/exchange.ts';
import { type RetryPolicy, withRetry } from '../../platform/upstream/retry.ts';
import { readXml } from '../../platform/upstream/strict-xml.ts';
import type { Upstream } from '../../platform/upstream/upstream.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { fileShape, readDay } from './document.ts';
import { inOrderOf } from '../series.ts';
import { ecb } from './ecb.ts';
import type { FxSnapshot } from '../snapshot.ts';

/** The files, with caps several times their real size. */
const files = {
  daily: { path: 'eurofxref-daily.xml', bodyBytesMax: 100_000, deadlineMs: 30_000 },
  ninetyDays: { path: 'eurofxref-hist-90d.xml', bodyBytesMax: 2_000_000, deadlineMs: 30_000 },
  history: { path: 'eurofxref-hist.xml', bodyBytesMax: 60_000_000, deadlineMs: 180_000 },
} as const;

export type EcbFile = keyof typeof files;

export type EcbAnswer =
  | { readonly kind: 'unmodified' }
  | {
      readonly kind: 'publications';
      /** Oldest first; at least one. */
      readonly publications: readonly FxSnapshot[];
      /** SHA-256 of the file as received. */
      readonly inputDigest: string;
      /** The file's validator; undefined when it has none. */
      readonly lastModified: string | undefined;
    };

/** Reads the ECB's euro reference rate files. */
export class EcbClient {
  readonly #upstream: Upstream;
  readonly #folderUrl: string;
  readonly #retry: RetryPolicy;

  constructor(
    upstream: Upstream,
    options: { readonly folderUrl: string; readonly retry: RetryPolicy },
  ) {
    this.#upstream = upstream;
    this.#folderUrl = options.folderUrl;
    this.#retry = options.retry;
  }

  /**
   * Fetches a file, unless it has not changed since `ifModifiedSince`. Throws `UpstreamError`.
   *
   * The ECB sends no ETag, and an `Expires` in the past: Last-Modified is the only validator.
   */
  async fetchFile(
    file: EcbFile,
    options: { readonly ifModifiedSince: string | undefined; readonly signal: AbortSignal },
  ): Promise<EcbAnswer> {
    const { path, ...limits } = files[file];
    const { ifModifiedSince, signal } = options;
    const call = (): Promise<EcbAnswer> =>
      this.#upstream.exchange(
        {
          operation: path,
          url: `${this.#folderUrl}/${path}`,
          method: 'GET',
          headers: {
            accept: 'text/xml',
            ...(ifModifiedSince === undefined ? {} : { 'if-modified-since': ifModifiedSince }),
          },
          ...limits,
          signal,
        },
        readAnswer,
      );
    return withRetry(this.#retry, signal, call);
  }
}

async function readAnswer(answer: ExchangeAnswer): Promise<EcbAnswer> {
  checkHead(answer, { statuses: [200, 304], variable: 'ECB_URL' });
  if (answer.status === 304) return { kind: 'unmodified' };

  const days = new Map<string, FxSnapshot>();
  const refuse = (detail: string): never => {
    throw new UpstreamError('schema', answer.at, detail);
  };
  const { digest } = await readXml(answer, fileShape, (node) => {
    const day = readDay(node);
    if (typeof day === 'string') return refuse(day);
    if (days.has(day.date)) return refuse(`${day.date} twice`);
    days.set(day.date, day);
  });
  return {
    kind: 'publications',
    publications: [...days.values()].sort(inOrderOf(ecb)),
    inputDigest: digest,
    lastModified: answer.header('last-modified'),
  };
}
