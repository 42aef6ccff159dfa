import { quote } from '../values/quote.ts';
import type { ExchangeAnswer } from './exchange.ts';
import { UpstreamError, type UpstreamFailureKind } from './upstream-error.ts';

/**
 * Refuses an answer by its head: a redirect, a web page, or a status that the upstream does not answer with. Throws
 * `UpstreamError`.
 */
export function checkHead(
  answer: ExchangeAnswer,
  expected: { readonly statuses: readonly number[]; readonly variable: string },
): void {
  const { at, status } = answer;
  const isExpected = expected.statuses.includes(status);
  const refuse = (kind: UpstreamFailureKind, detail: string): never => {
    throw new UpstreamError(kind, at, detail);
  };
  if (status >= 300 && status < 400 && !isExpected) {
    const to = quote(answer.header('location') ?? 'an unnamed address');
    const advice = `set ${expected.variable} to the new address if it is the right one`;
    refuse('redirected', `HTTP ${status} to ${to}; ${advice}`);
  }
  if (/\bhtml\b/i.test(answer.header('content-type') ?? '')) {
    refuse('html', `HTTP ${status} with a web page instead of data`);
  }
  if (!isExpected) refuse('status', `HTTP ${status}, expected ${expected.statuses.join(' or ')}`);
}

/** The moment at which an answer was sent, by the upstream's clock, in epoch milliseconds; undefined without a `Date`. */
export function readDate({ header }: Pick<ExchangeAnswer, 'header'>): number | undefined {
  const atMs = Date.parse(header('date') ?? '');
  if (Number.isNaN(atMs)) return undefined;
  // The header cuts the fraction of a second: half a second on average.
  return atMs + 500 + readAgeMs({ header });
}

/**
 * The moment at which an answer was made, in epoch milliseconds: at its `Date`, or `Age` before it arrived, whichever is
 * earlier (rule N7b). A cache may have kept it since.
 */
export function readMadeAt(answer: Pick<ExchangeAnswer, 'header'>, arrivedMs: number): number {
  const atMs = Date.parse(answer.header('date') ?? '');
  const keptMs = arrivedMs - readAgeMs(answer);
  return Number.isNaN(atMs) ? keptMs : Math.min(atMs, keptMs);
}

/** How long caches have kept an answer; 0 without `Age` (RFC 9111 §5.1). */
function readAgeMs({ header }: Pick<ExchangeAnswer, 'header'>): number {
  const [, seconds = '0'] = /^\s*(\d{1,10})/.exec(header('age') ?? '') ?? [];
  return Number(seconds) * 1_000;
}
