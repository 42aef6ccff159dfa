import { checkHead } from '../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../platform/upstream/exchange.ts';
import { readEnvelope, soapNamespace } from '../platform/upstream/soap.ts';
import { readXml } from '../platform/upstream/strict-xml.ts';
import type { Upstream } from '../platform/upstream/upstream.ts';
import { UpstreamError, type UpstreamFailureKind } from '../platform/upstream/upstream-error.ts';
import { childText, optionalText } from '../platform/upstream/xml-shape.ts';
import { compareEcho, type EchoDifference } from './echo.ts';
import { type Failure, type Outcome, readDisclosed, readFault } from './outcome.ts';
import type { VatNumber } from './vat-number.ts';
import { answerShape, typesNamespace } from './vies-document.ts';

/** Real answers have less than 1 KB. */
const bodyBytesMax = 65_536;

/** VIES answers any other action with a fault. */
export const soapAction = '""';

export type ViesResult = {
  readonly outcome: Outcome;
  /** Whether a second call might help. */
  readonly mayRetry: boolean;
  /** How the country and number of the answer differ from the query; only in form if the outcome is `answered`. */
  readonly differences: readonly EchoDifference[];
};

/** Speaks to VIES: SOAP 1.1 `checkVat`. */
export class ViesClient {
  readonly #upstream: Upstream;
  readonly #url: string;

  constructor(upstream: Upstream, options: { readonly url: string }) {
    this.#upstream = upstream;
    this.#url = options.url;
  }

  /** Queries the registry once, within `deadlineMs`. Every failure is an outcome; only a bug throws. */
  async check(
    vatNumber: VatNumber,
    within: { readonly deadlineMs: number; readonly signal: AbortSignal },
  ): Promise<ViesResult> {
    try {
      return await this.#upstream.exchange(
        {
          operation: 'checkVat',
          url: this.#url,
          method: 'POST',
          // Without the content type VIES answers 500.
          headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: soapAction },
          body: printRequest(vatNumber),
          bodyBytesMax,
          ...within,
        },
        async (answer) => readAnswer(answer, vatNumber),
      );
    } catch (error) {
      if (error instanceof UpstreamError) return toResult(error.kind);
      throw error;
    }
  }
}

/** Prints a `checkVat` request. Values of a VatNumber are letters, digits, `+` and `*`: none has to be escaped. */
export function printRequest(of: {
  readonly registryCode: string;
  readonly number: string;
}): string {
  return (
    `<soap:Envelope xmlns:soap="${soapNamespace}" xmlns:v="${typesNamespace}"><soap:Body>` +
    `<v:checkVat><v:countryCode>${of.registryCode}</v:countryCode>` +
    `<v:vatNumber>${of.number}</v:vatNumber></v:checkVat></soap:Body></soap:Envelope>`
  );
}

/** Reads an answer; the body decides, because faults come with HTTP 200 and with 500. */
async function readAnswer(answer: ExchangeAnswer, queried: VatNumber): Promise<ViesResult> {
  checkHead(answer, { statuses: [200, 500], variable: 'VIES_URL' });
  const { document } = await readXml(answer, answerShape);
  const content = readEnvelope(document);
  if (content.kind === 'fault') return withoutEcho(readFault(content.text));

  const { message } = content;
  if (answer.status !== 200)
    throw new UpstreamError('status', answer.at, 'HTTP 500 with an answer');
  const differences = compareEcho(queried, {
    countryCode: childText(message, 'countryCode'),
    vatNumber: childText(message, 'vatNumber'),
  });
  if (differences.some(({ difference }) => difference === 'other')) {
    return { outcome: { kind: 'failed', failure: 'otherNumber' }, mayRetry: false, differences };
  }
  const outcome: Outcome = {
    kind: 'answered',
    answer: {
      valid: ['true', '1'].includes(childText(message, 'valid')),
      requestDate: childText(message, 'requestDate'),
      name: readDisclosed(optionalText(message, 'name')),
      address: readDisclosed(optionalText(message, 'address')),
    },
    maxAgeSeconds: readMaxAge(answer.header('cache-control')),
  };
  return { outcome, mayRetry: false, differences };
}

function withoutEcho(outcome: Outcome, mayRetry = false): ViesResult {
  return { outcome, mayRetry, differences: [] };
}

function readMaxAge(header: string | undefined): number | undefined {
  const digits = /(?:^|[\s,])max-age="?([0-9]{1,9})/i.exec(header ?? '')?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const failures: Readonly<Record<Exclude<UpstreamFailureKind, 'timeout'>, Failure>> = {
  html: 'webPage',
  redirected: 'webPage',
  network: 'unreachable',
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

function toResult(kind: UpstreamFailureKind): ViesResult {
  if (kind === 'timeout') return withoutEcho({ kind: 'timedOut' });
  const mayRetry = kind === 'network' || kind === 'truncated';
  return withoutEcho({ kind: 'failed', failure: failures[kind] }, mayRetry);
}
