import type { ExchangeAnswer } from './exchange.ts';
import { UpstreamError } from './upstream-error.ts';

/**
 * Refuses an answer by its head: a redirect, a web page, or a status that the upstream does not answer with. Throws
 * `UpstreamError`.
 */
export function checkHead(
  answer: ExchangeAnswer,
  expected: { readonly statuses: readonly number[]; readonly variable: string },
): void {
  const { at, status } = answer;
  if (status >= 300 && status < 400 && !expected.statuses.includes(status)) {
    const to = answer.header('location') ?? 'an unnamed address';
    throw new UpstreamError(
      'redirected',
      at,
      `HTTP ${status} to ${to}; set ${expected.variable} to the new address if it is the right one`,
    );
  }
  if (/\bhtml\b/i.test(answer.header('content-type') ?? '')) {
    throw new UpstreamError('html', at, `HTTP ${status} with a web page instead of data`);
  }
  if (!expected.statuses.includes(status)) {
    throw new UpstreamError(
      'status',
      at,
      `HTTP ${status}, expected ${expected.statuses.join(' or ')}`,
    );
  }
}
