import {
  matchingForm,
  type ReadBy,
  refined,
  refuse,
  textForm,
  whole,
} from '../../platform/fields/field.ts';
import { boolean, list, part, readBody, type ReadScript, times } from '../scenario/script-forms.ts';

/**
 * The JSON form of a receiver's script, as `PUT /receiver/{name}` takes it. Fields that are absent stay
 * as they were. `docs/sandbox.md` describes it.
 */
export type ReceiverScript = ReadBy<typeof receiverScript>;

/** The answers of a receiver. A script replaces all fields of the previous one; `{}` heals. */
export type ReceiverAnswer = ReadBy<typeof receiverAnswer>;

export function readReceiverScript(body: unknown): ReadScript<ReceiverScript> {
  return readBody(body, receiverScript);
}

const exclusiveFields = ['hang', 'drip', 'reset'] as const;

/** The printable ASCII that Node sends as the value of a header. */
const headerText = /^[ -~]{1,2000}$/;

const receiverAnswer = refined(
  part({
    // Absent: 401 for a bad signature, else 204; 200 with a body, 302 with `redirectTo`.
    status: whole(200, 599),
    delayMs: whole(0, 600_000),
    // The text of `Retry-After`; may be a date, or nonsense.
    retryAfter: matchingForm(headerText, 'a text like "120" or an HTTP date'),
    body: textForm('a text', (given) => given),
    redirectTo: matchingForm(headerText, 'an address as text'),
    // No answer; the connection stays open.
    hang: boolean,
    // The head of an answer, and then its body byte by byte and without end.
    drip: boolean,
    // The connection is reset instead of an answer.
    reset: boolean,
    // Deliveries after which the receiver heals; null or absent for never.
    times,
  }),
  (read, at) =>
    exclusiveFields.filter((field) => read[field] === true).length > 1
      ? refuse(at, `at most one of ${exclusiveFields.join(', ')}`, read)
      : read,
);

const secret = textForm('whsec_ and 24 to 64 bytes in base64', (given) =>
  isSecret(given) ? given : undefined,
);

const receiverScript = part({
  // A delivery is verified if one signature is valid for one secret; without secrets, none is checked.
  secrets: list(secret, 10),
  answer: receiverAnswer,
});

function isSecret(given: string): boolean {
  const base64 = /^whsec_(.+)$/.exec(given)?.[1] ?? '';
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 && bytes.length >= 24 && bytes.length <= 64;
}
