import { FieldReader } from '../scenario/field-reader.ts';
import type { ReceiverAnswer, ReceiverScript } from './receiver.ts';
import { defined, readBoolean, readCount, readTimes } from '../scenario/script-fields.ts';

/**
 * The JSON form of what a receiver is told, as `PUT /receiver/{name}` takes it.
 *
 *     {
 *       "secrets": ["whsec_..."],            at most 10; [] verifies nothing any more
 *       "answer": {
 *         "status": 503,                     200 to 599
 *         "delayMs": 800,
 *         "retryAfter": "120",               the text of the header; may be a date, or nonsense
 *         "body": "...",
 *         "redirectTo": "https://...",       as Location, under 302 or the status given
 *         "hang": true,                      or "drip" or "reset", instead of an answer
 *         "times": 2                         heals after so many answers; null for always
 *       }
 *     }
 *
 * Every part is optional. An answer replaces the one before as a whole; {} heals.
 */

export type ReadReceiverScript =
  | { readonly kind: 'script'; readonly script: ReceiverScript }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

const secretsMax = 10;

/** Checks a script as a whole and reports every problem of it, each with what was expected. */
export function readReceiverScript(input: unknown): ReadReceiverScript {
  const reader = new FieldReader('', input, ['secrets', 'answer']);
  const secrets = reader.list('secrets', (item) =>
    item.whole('whsec_ and 24 to 64 bytes in base64', readSecret),
  );
  if (secrets !== undefined && secrets.length > secretsMax) {
    reader.report('secrets', `got ${secrets.length}, expected at most ${secretsMax}`);
  }
  const script: ReceiverScript = defined({ secrets, answer: reader.object('answer', readAnswer) });
  return reader.problems.length === 0
    ? { kind: 'script', script }
    : { kind: 'invalid', problems: reader.problems };
}

const ways = ['hang', 'drip', 'reset'] as const;
const answerFields = [
  'status',
  'delayMs',
  'retryAfter',
  'body',
  'redirectTo',
  ...ways,
  'times',
] as const;
const longestDelayMs = 600_000;

function readAnswer(path: string, input: unknown): readonly [ReceiverAnswer, readonly string[]] {
  const reader = new FieldReader(path, input, answerFields);
  const answer: ReceiverAnswer = defined({
    status: reader.read('status', 'a whole number from 200 to 599', (value) =>
      readCount(value, 200, 599),
    ),
    delayMs: reader.read('delayMs', `a whole number from 0 to ${longestDelayMs}`, (value) =>
      readCount(value, 0, longestDelayMs),
    ),
    retryAfter: reader.read('retryAfter', 'a text like "120" or an HTTP date', readHeaderText),
    body: reader.read('body', 'a text', readText),
    redirectTo: reader.read('redirectTo', 'an address as text', readHeaderText),
    hang: reader.read('hang', 'true or false', readBoolean),
    drip: reader.read('drip', 'true or false', readBoolean),
    reset: reader.read('reset', 'true or false', readBoolean),
    times: readTimes(reader),
  });
  if (ways.filter((way) => answer[way] === true).length > 1) {
    reader.reportName(`expected at most one of ${ways.join(', ')}`);
  }
  return [answer, reader.problems];
}

function readSecret(value: unknown): string | undefined {
  const base64 = typeof value === 'string' ? /^whsec_(.+)$/.exec(value)?.[1] : undefined;
  if (base64 === undefined) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const isWhole = bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64;
  return isWhole ? `whsec_${base64}` : undefined;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** What Node sends as the value of a header: printable ASCII. */
function readHeaderText(value: unknown): string | undefined {
  return typeof value === 'string' && /^[ -~]{1,2000}$/.test(value) ? value : undefined;
}
