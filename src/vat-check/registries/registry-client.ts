import { readDate } from '../../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../../platform/upstream/exchange.ts';
import type { Upstream } from '../../platform/upstream/upstream.ts';
import { UpstreamError, type UpstreamFailureKind } from '../../platform/upstream/upstream-error.ts';
import type { VatNumber } from '../numbers/vat-number.ts';
import type { ExchangeRecorder } from './exchange-recorder.ts';
import type { Failure, Unanswered } from './outcome.ts';
import type {
  Authorization,
  Question,
  Registry,
  RegistryName,
  RegistryResult,
} from './registry.ts';

/** Real answers have less than 1 KB. */
const bodyBytesMax = 65_536;

export type QueryLimits = {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Keeps the bytes of the exchange, if they are evidence. */
  readonly recorder?: ExchangeRecorder;
};

/** Asks a registry. Every failure is an outcome; only a bug throws. */
export class RegistryClient {
  readonly #registry: Registry;
  readonly #upstream: Upstream;
  readonly #url: string;
  readonly #onAnswered: (vatNumber: VatNumber) => void;
  readonly #authorization: Authorization | undefined;

  constructor(
    registry: Registry,
    upstream: Upstream,
    options: {
      readonly url: string;
      /** Left out for a registry that everyone may ask. */
      readonly authorization?: Authorization;
      /** Called with each number that the registry has answered. */
      readonly onAnswered?: (vatNumber: VatNumber) => void;
    },
  ) {
    this.#registry = registry;
    this.#upstream = upstream;
    this.#url = options.url;
    this.#onAnswered = options.onAnswered ?? (() => {});
    this.#authorization = options.authorization;
  }

  /** Asks once, within `deadlineMs`. */
  async ask(question: Question, within: QueryLimits): Promise<RegistryResult> {
    const beganMs = performance.now();
    const first = await this.#authorizeAndSend(question, within);
    // A token may have ended on the way, or before its time. The question is asked once more with another one.
    const deadlineMs = Math.floor(within.deadlineMs - (performance.now() - beganMs));
    if (first.isUnauthorized !== true || deadlineMs < 1) return first;
    return this.#authorizeAndSend(question, { ...within, deadlineMs });
  }

  async #authorizeAndSend(question: Question, within: QueryLimits): Promise<RegistryResult> {
    if (this.#authorization === undefined) return this.#send(question, {}, within);
    const headers = await this.#authorization.headers(within);
    if (isUnanswered(headers)) return unanswered(headers);
    const result = await this.#send(question, headers, within);
    if (result.isUnauthorized === true) this.#authorization.refused(headers);
    return result;
  }

  async #send(
    question: Question,
    authorization: Readonly<Record<string, string>>,
    { recorder, ...within }: QueryLimits,
  ): Promise<RegistryResult> {
    const { path, headers, ...request } = this.#registry.ask(question);
    const url = `${this.#url}${path}`;
    recorder?.begin(url, request.method === 'POST' ? request.body : printHead(url, headers));
    const encoding = recorder === undefined ? {} : { 'accept-encoding': 'identity' };
    let retryAfter: RetryAfter | undefined;
    try {
      const result = await this.#upstream.exchange(
        {
          ...request,
          url,
          headers: { ...headers, ...encoding, ...authorization },
          bodyBytesMax,
          ...within,
        },
        async (answer) => {
          retryAfter = readRetryAfter(answer);
          const chunks = recorder === undefined ? answer.chunks : recorder.keep(answer);
          return this.#registry.answer({ ...answer, chunks }, question);
        },
      );
      if (result.outcome.kind === 'answered') this.#onAnswered(question.vatNumber);
      return withRetryAfter(result, retryAfter);
    } catch (error) {
      if (error instanceof UpstreamError) {
        return withRetryAfter(toResult(this.#registry.name, error), retryAfter);
      }
      throw error;
    }
  }
}

const failures: Readonly<Record<Exclude<UpstreamFailureKind, 'timeout'>, Failure>> = {
  html: 'webPage',
  redirected: 'webPage',
  network: 'unreachable',
  proxy: 'unreachable',
  clock: 'unreachable',
  cancelled: 'unreachable',
  status: 'unreachable',
  refused: 'unreadable',
  fault: 'unreadable',
  empty: 'unreadable',
  encoding: 'unreadable',
  truncated: 'unreadable',
  malformed: 'unreadable',
  schema: 'unreadable',
  'too-large': 'unreadable',
};

/** Statuses by which a firewall or a gateway refuses this service, with a web page or without. */
const refusals: Readonly<Record<number, Failure>> = { 403: 'forbidden', 429: 'tooManyRequests' };

function toResult(name: RegistryName, { kind, status = 0 }: UpstreamError): RegistryResult {
  const mayRetry = kind === 'network' || kind === 'truncated';
  // A body that is cut is a broken connection to the others (rules M9 and M11).
  const isCut = kind === 'truncated' && name !== 'vies';
  return { ...unanswered(toOutcome(isCut ? 'network' : kind, status)), mayRetry };
}

/** The end of a question that was not answered in the registry's own form. */
function unanswered(outcome: Unanswered): RegistryResult {
  return { outcome, isOwnForm: false, mayRetry: false, differences: [] };
}

function isUnanswered(
  headers: Readonly<Record<string, string>> | Unanswered,
): headers is Unanswered {
  return 'kind' in headers;
}

/** The request line and `Accept` of a GET, as evidence keeps them. */
function printHead(url: string, { accept = '*/*' }: Readonly<Record<string, string>>): string {
  const { pathname, search } = new URL(url);
  return `GET ${pathname}${search} HTTP/1.1\r\nAccept: ${accept}\r\n`;
}

function toOutcome(kind: UpstreamFailureKind, status: number): Unanswered {
  if (kind === 'timeout') return { kind: 'timedOut' };
  // The status of a proxy is not a refusal by the registry.
  const refusal = kind === 'proxy' ? undefined : refusals[status];
  return { kind: 'failed', failure: refusal ?? failures[kind] };
}

type RetryAfter = { readonly seconds: number; readonly isData: boolean };

function withRetryAfter(
  result: RegistryResult,
  retryAfter: RetryAfter | undefined,
): RegistryResult {
  const { outcome } = result;
  if (outcome.kind !== 'failed' || retryAfter === undefined) return result;
  const { seconds: retryAfterSeconds, isData } = retryAfter;
  const own = isData && outcome.failure !== 'webPage' ? ({ isOfRegistry: true } as const) : {};
  return { ...result, outcome: { ...outcome, retryAfterSeconds, ...own } };
}

/** The header `Retry-After` in seconds: a number, or a moment that the answer's own `Date` is compared with. */
function readRetryAfter(answer: ExchangeAnswer): RetryAfter | undefined {
  const isData = /^[a-z]+\/(?:soap\+)?(?:xml|json)\b/i.test(answer.header('content-type') ?? '');
  const text = answer.header('retry-after')?.trim() ?? '';
  if (/^[0-9]{1,9}$/.test(text)) return { seconds: Number(text), isData };
  const seconds = (Date.parse(text) - (readDate(answer) ?? Number.NaN)) / 1_000;
  return Number.isNaN(seconds) ? undefined : { seconds: Math.max(0, Math.ceil(seconds)), isData };
}
