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
    const to = answer.header('location') ?? 'an unnamed address';
    const advice = `set ${expected.variable} to the new address if it is the right one`;
    refuse('redirected', `HTTP ${status} to ${to}; ${advice}`);
  }
  if (/\bhtml\b/i.test(answer.header('content-type') ?? '')) {
    refuse('html', `HTTP ${status} with a web page instead of data`);
  }
  if (!isExpected) refuse('status', `HTTP ${status}, expected ${expected.statuses.join(' or ')}`);
}
