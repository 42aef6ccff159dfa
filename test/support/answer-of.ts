import type { ExchangeAnswer } from '../../src/platform/upstream/exchange.ts';

/** An answer of an upstream, in these chunks. */
export function answerOf(
  chunks: string | readonly (string | Uint8Array)[],
  head: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): ExchangeAnswer {
  const { status = 200, headers = {} } = head;
  const list = typeof chunks === 'string' ? [chunks] : chunks;
  return {
    status,
    header: (name) => headers[name],
    chunks: (async function* () {
      for (const chunk of list) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    })(),
    at: { upstream: 'tedb', operation: 'query', status },
  };
}
