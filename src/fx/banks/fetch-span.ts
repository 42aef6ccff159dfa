import type { Clock } from '../../platform/time/time.ts';
import { checkHead, readMadeAt } from '../../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../../platform/upstream/exchange.ts';
import { type RetryPolicy, withRetry } from '../../platform/upstream/retry.ts';
import { StrictDecoder } from '../../platform/upstream/text-decoders.ts';
import type { Upstream } from '../../platform/upstream/upstream.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { parseTypedJson } from '../../platform/values/exact-json.ts';
import type { FxSnapshot } from '../snapshot.ts';
import type { Bank, Span } from './bank.ts';

/** With three calls and the waits between them, a bank that is silent ends a run within 90 s (rule N10). */
const deadlineMs = 24_000;

/** The answer of a bank. */
export type BankAnswer = {
  /** In no order; empty if the bank has none of these days. */
  readonly publications: readonly FxSnapshot[];
  /** SHA-256 of the body. */
  readonly inputDigest: string;
  /** When the bank made the answer, in epoch milliseconds (rule N7b). */
  readonly madeMs: number;
};

/** The connection to a bank. */
export type BankSource = {
  readonly upstream: Upstream;
  /** The address of its host, without a slash at the end. */
  readonly url: string;
  readonly retry: RetryPolicy;
};

/** Asks a bank for the publications of a span. Throws `UpstreamError`. */
export async function fetchSpan(
  bank: Bank,
  { upstream, url, retry }: BankSource,
  asked: { readonly span: Span; readonly signal: AbortSignal; readonly clock: Clock },
): Promise<BankAnswer> {
  const { span, signal, clock } = asked;
  const { pathOf, bodyBytesMax } = bank.client;
  const request = {
    operation: 'publications',
    url: url + pathOf(span),
    method: 'GET',
    headers: { accept: 'application/json' },
    deadlineMs,
    bodyBytesMax,
    signal,
  } as const;
  return withRetry(retry, signal, async () => {
    // The moment of the question, because the bank may have made the answer as early as that.
    const askedMs = clock.now();
    return upstream.exchange(request, async (answer) => ({
      ...(await readAnswer(bank, answer, span)),
      madeMs: readMadeAt(answer, askedMs),
    }));
  });
}

/** Reads an answer completely, or throws: a web page or half a document is no day without a publication. */
export async function readAnswer(
  { client, variable }: Bank,
  answer: ExchangeAnswer,
  span: Span,
): Promise<Omit<BankAnswer, 'madeMs'>> {
  checkHead(answer, { statuses: [200, client.emptyStatus ?? 200], variable });
  const body = await readText(answer);
  const inputDigest = sha256(body);
  if (answer.status === client.emptyStatus) return { publications: [], inputDigest };

  const publications = client.read(parseDocument(answer, body), span);
  if (typeof publications === 'string') throw new UpstreamError('schema', answer.at, publications);
  return { publications, inputDigest };
}

async function readText({ chunks, at }: ExchangeAnswer): Promise<string> {
  const decoder = new StrictDecoder(at);
  const parts: string[] = [];
  for await (const chunk of chunks) parts.push(decoder.decode(chunk));
  parts.push(decoder.decode(undefined));
  return parts.join('');
}

function parseDocument({ at }: ExchangeAnswer, body: string): unknown {
  if (body === '') throw new UpstreamError('empty', at, 'an answer without a body');
  try {
    return parseTypedJson(body);
  } catch (cause) {
    throw new UpstreamError('malformed', at, 'the answer is not JSON, or it is cut off', { cause });
  }
}
