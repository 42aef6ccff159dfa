import { readDate, checkHead } from '../../../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import { readEnvelope } from '../../../platform/upstream/soap.ts';
import type { Upstream } from '../../../platform/upstream/upstream.ts';
import {
  UpstreamError,
  type UpstreamFailureKind,
} from '../../../platform/upstream/upstream-error.ts';
import { childText, type XmlNode, type XmlShape } from '../../../platform/upstream/xml-shape.ts';
import { readAnswer } from './answer.ts';
import { type ApproxAnswer, readApproxAnswer } from './approx-answer.ts';
import { compareEcho, type EchoDifference } from './echo.ts';
import type { ExchangeRecorder } from '../exchange-recorder.ts';
import {
  type Answer,
  type Failure,
  type Outcome,
  readApproxFault,
  readFault,
  type RequesterRejected,
  type Unanswered,
} from '../outcome.ts';
import type { VatNumber } from '../../numbers/vat-number.ts';
import { answerShape, approxAnswerShape, readAnswerDocument } from './document.ts';
import { type ApproxQuery, printCheckVat, printCheckVatApprox, soapAction } from './request.ts';

/** Real answers have less than 1 KB. */
const bodyBytesMax = 65_536;

/** The result of a query with `O`, its outcome. */
export type ViesResult<O = Outcome> = {
  readonly outcome: O;
  /** Whether the registry has answered with SOAP, faults included. */
  readonly isSoap: boolean;
  /** Whether a second call might help. */
  readonly mayRetry: boolean;
  /** How the country and number of the answer differ from the query; only in form if the outcome is `answered`. */
  readonly differences: readonly EchoDifference[];
  /** Names of elements that do not decide and could not be read; left out if there are none. */
  readonly unreadable?: readonly string[];
};

export type ApproxOutcome = Outcome<ApproxAnswer> | RequesterRejected;

type QueryLimits = {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Keeps the bytes of the exchange, if they are evidence. */
  readonly recorder?: ExchangeRecorder;
};

/** One query: its request, and how its answer is read. */
type Query<A extends Answer, F extends Unanswered | RequesterRejected> = {
  readonly operation: 'checkVat' | 'checkVatApprox';
  readonly vatNumber: VatNumber;
  readonly body: string;
  readonly shape: XmlShape;
  readonly readMessage: (message: XmlNode) => A;
  readonly readFault: (text: string) => F;
};

/** Speaks to VIES: SOAP 1.1 `checkVat` and `checkVatApprox`. Every failure is an outcome; only a bug throws. */
export class ViesClient {
  readonly #upstream: Upstream;
  readonly #url: string;
  readonly #onAnswered: (vatNumber: VatNumber) => void;

  constructor(
    upstream: Upstream,
    options: {
      readonly url: string;
      /** Called with each number that the registry has answered. */
      readonly onAnswered?: (vatNumber: VatNumber) => void;
    },
  ) {
    this.#upstream = upstream;
    this.#url = options.url;
    this.#onAnswered = options.onAnswered ?? (() => {});
  }

  /** Queries the registry once with `checkVat`, within `deadlineMs`. */
  async check(vatNumber: VatNumber, within: QueryLimits): Promise<ViesResult> {
    return this.#send(
      {
        operation: 'checkVat',
        vatNumber,
        body: printCheckVat(vatNumber),
        shape: answerShape,
        readMessage: readAnswer,
        readFault,
      },
      within,
    );
  }

  /** Queries the registry once with `checkVatApprox`, within `deadlineMs`. */
  async checkApprox(query: ApproxQuery, within: QueryLimits): Promise<ViesResult<ApproxOutcome>> {
    return this.#send(
      {
        operation: 'checkVatApprox',
        vatNumber: query.vatNumber,
        body: printCheckVatApprox(query),
        shape: approxAnswerShape,
        readMessage: (message) => readApproxAnswer(message, query.trader),
        readFault: readApproxFault,
      },
      within,
    );
  }

  async #send<A extends Answer, F extends Unanswered | RequesterRejected>(
    query: Query<A, F>,
    { recorder, ...within }: QueryLimits,
  ): Promise<ViesResult<Outcome<A> | F>> {
    const { operation, body } = query;
    // Without the content type VIES answers 500.
    const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: soapAction };
    recorder?.begin(this.#url, body);
    let retryAfter: RetryAfter | undefined;
    try {
      const result = await this.#upstream.exchange(
        {
          operation,
          url: this.#url,
          method: 'POST',
          headers: recorder === undefined ? headers : { ...headers, 'accept-encoding': 'identity' },
          body,
          bodyBytesMax,
          ...within,
        },
        async (answer) => {
          retryAfter = readRetryAfter(answer);
          return readResult(
            recorder === undefined ? answer : { ...answer, chunks: recorder.keep(answer.chunks) },
            query,
          );
        },
      );
      if (result.outcome.kind === 'answered') this.#onAnswered(query.vatNumber);
      return withRetryAfter(result, retryAfter);
    } catch (error) {
      if (error instanceof UpstreamError) return withRetryAfter(toResult(error), retryAfter);
      throw error;
    }
  }
}

/** Reads an answer; the body decides, because faults come with HTTP 200 and with 500. */
async function readResult<A extends Answer, F extends Unanswered | RequesterRejected>(
  answer: ExchangeAnswer,
  query: Query<A, F>,
): Promise<ViesResult<Outcome<A> | F>> {
  checkHead(answer, { statuses: [200, 500], variable: 'VIES_URL' });
  const { document, remarks } = await readAnswerDocument(answer, query.shape);
  const content = readEnvelope(document);
  if (content.kind === 'fault') {
    return { ...withoutEcho(query.readFault(content.text)), isSoap: true };
  }

  const { message } = content;
  if (answer.status !== 200)
    throw new UpstreamError('status', answer.at, 'HTTP 500 with an answer');
  const differences = compareEcho(query.vatNumber, {
    countryCode: childText(message, 'countryCode'),
    vatNumber: childText(message, 'vatNumber'),
  });
  if (differences.some(({ difference }) => difference === 'other')) {
    const outcome = { kind: 'failed', failure: 'otherNumber' } as const;
    return { outcome, isSoap: true, mayRetry: false, differences };
  }
  const outcome: Outcome<A> = {
    kind: 'answered',
    answer: query.readMessage(message),
    maxAgeSeconds: readMaxAge(answer.header('cache-control')),
  };
  const unreadable = [...remarks.unreadableElements];
  const result = { outcome, isSoap: true, mayRetry: false, differences };
  return unreadable.length === 0 ? result : { ...result, unreadable };
}

function withoutEcho<O>(outcome: O, mayRetry = false): ViesResult<O> {
  return { outcome, isSoap: false, mayRetry, differences: [] };
}

function readMaxAge(header: string | undefined): number | undefined {
  const digits = /(?:^|[\s,])max-age="?([0-9]{1,9})/i.exec(header ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
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

function toResult({ kind, status = 0 }: UpstreamError): ViesResult<Unanswered> {
  if (kind === 'timeout') return withoutEcho({ kind: 'timedOut' });
  const mayRetry = kind === 'network' || kind === 'truncated';
  // The status of a proxy is not a refusal by the registry.
  const refusal = kind === 'proxy' ? undefined : refusals[status];
  return withoutEcho({ kind: 'failed', failure: refusal ?? failures[kind] }, mayRetry);
}

type RetryAfter = { readonly seconds: number; readonly isData: boolean };

function withRetryAfter<O extends Outcome | RequesterRejected>(
  result: ViesResult<O>,
  retryAfter: RetryAfter | undefined,
): ViesResult<O> {
  const { outcome } = result;
  if (outcome.kind !== 'failed' || retryAfter === undefined) return result;
  const { seconds: retryAfterSeconds, isData } = retryAfter;
  const own = isData && outcome.failure !== 'webPage' ? { isOfRegistry: true } : {};
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
