import type { ExchangeAnswer } from './exchange.ts';

/** The moment at which an answer was sent, by the upstream's clock, in epoch milliseconds; undefined without a `Date`. */
export function readDate({ header }: Pick<ExchangeAnswer, 'header'>): number | undefined {
  const atMs = Date.parse(header('date') ?? '');
  if (Number.isNaN(atMs)) return undefined;
  // A cache may have stored the answer.
  const ageSeconds = Number(header('age') ?? 0) || 0;
  // The header cuts the fraction of a second: half a second on average.
  return atMs + 500 + ageSeconds * 1_000;
}
