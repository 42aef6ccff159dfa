import type { ExchangeAnswer } from './exchange.ts';

/** Kept bytes in the form in which readers take an answer from a socket; without a head it has HTTP status 200. */
export function bytesAsAnswer(
  bytes: Uint8Array,
  at: { readonly upstream: string; readonly operation: string },
  { httpStatus: status, date }: { readonly httpStatus: number; readonly date: string | null } = {
    httpStatus: 200,
    date: null,
  },
): ExchangeAnswer {
  return {
    status,
    header: (name) => (name === 'date' ? (date ?? undefined) : undefined),
    chunks: (async function* () {
      yield bytes;
    })(),
    at: { ...at, status },
  };
}
