import type { ExchangeAnswer } from '../../platform/upstream/exchange.ts';
import { parseIsoDate } from '../../platform/time/time.ts';
import type { Failure, RegistryOutcome } from './outcome.ts';
import type { RegistryResult } from './registry.ts';

/** An object of JSON, as a registry sends it. */
export type JsonAnswer = Readonly<Record<string, unknown>>;

/**
 * Reads the body of an answer as an object of JSON; undefined if it is none. An error of the exchange, such as a cut body, is
 * thrown. A name that is twice in an object is not JSON here: one of the two would have to be guessed.
 */
export async function readJsonAnswer({ chunks }: ExchangeAnswer): Promise<JsonAnswer | undefined> {
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(read));
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && countNames(text) === countFields(value) ? (value as JsonAnswer) : undefined;
  } catch {
    return undefined;
  }
}

/** Counts the names of fields in a text of JSON. */
function countNames(json: string): number {
  return json.match(/"(?:[^"\\]|\\.)*"\s*:/g)?.length ?? 0;
}

function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const fields = Object.values(value);
  const own = Array.isArray(value) ? 0 : fields.length;
  return fields.reduce((sum: number, field) => sum + countFields(field), own);
}

/** An object in a field; empty for anything else. */
export function objectIn(value: unknown): JsonAnswer {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as JsonAnswer) : {};
}

/**
 * A text in a field without blanks at its ends; null for an empty one and for anything else, also for a text that no database
 * keeps as it is: one with a control character, or with half of a surrogate pair.
 */
export function textIn(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  // oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
  const isKept = text.isWellFormed() && !/[\u{0}-\u{8}\u{b}\u{c}\u{e}-\u{1f}]/u.test(text);
  return text === '' || !isKept ? null : text;
}

const instantForm =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(Z|[+-][01][0-9]:[0-5][0-9])$/;

/** The date and offset of a moment, as `2026-02-13+01:00` (rule M6); undefined for another text. */
export function requestDateOf(moment: unknown): string | undefined {
  const [, date = '', offset = ''] =
    instantForm.exec(typeof moment === 'string' ? moment : '') ?? [];
  if (parseIsoDate(date) === undefined) return undefined;
  return `${date}${offset === 'Z' ? '+00:00' : offset}`;
}

/** The end of a question that has no names of fields to report. */
export function ended(outcome: RegistryOutcome, fault?: string): RegistryResult {
  const said = fault === undefined ? {} : { fault };
  return { outcome, isOwnForm: true, mayRetry: false, differences: [], ...said };
}

const refusals: Readonly<Record<number, Failure>> = { 403: 'forbidden', 429: 'tooManyRequests' };

/**
 * The end of a question whose answer has not the registry's own form. A 5xx is an outage, whatever its body is. A 403 or 429
 * may be of a firewall, and counts for the block of rule K21; nothing else is said about the registry.
 */
export function endedForeign({ status }: Pick<ExchangeAnswer, 'status'>): RegistryResult {
  const outcome: RegistryOutcome =
    status >= 500
      ? { kind: 'serviceUnavailable', because: 'down' }
      : { kind: 'failed', failure: refusals[status] ?? 'unexpectedAnswer' };
  return { outcome, isOwnForm: false, mayRetry: false, differences: [] };
}

/** The request line and `Accept` of a GET that evidence has kept; throws for other bytes. */
export function readKeptGet(request: Uint8Array): {
  readonly target: string;
  readonly accept: string;
} {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(request);
  const [, target, accept] = /^GET (\S+) HTTP\/1\.1\r\nAccept: ([^\r\n]+)\r\n$/.exec(text) ?? [];
  if (target === undefined || accept === undefined) throw new Error('not the head of a GET');
  return { target, accept };
}
