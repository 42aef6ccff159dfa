import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import { formatInstant } from '../../../platform/time/time.ts';
import {
  ended,
  endedForeign,
  type JsonAnswer,
  objectIn,
  readJsonAnswer,
  requestDateOf,
  textIn,
} from '../json-answer.ts';
import type { RegistryOutcome } from '../outcome.ts';
import type { Question, RegistryResult } from '../registry.ts';

const unexpected: RegistryOutcome = { kind: 'failed', failure: 'unexpectedAnswer' };
const refused: RegistryOutcome = { kind: 'failed', failure: 'credentialsRefused' };

/**
 * Reads an answer of HMRC (rule M9): HTTP and the code in the body decide together. A 404 is a "no" only with the code
 * `NOT_FOUND`: another code means a wrong version or address.
 */
export async function readHmrcAnswer(
  answer: ExchangeAnswer,
  question: Question,
): Promise<RegistryResult> {
  const { status } = answer;
  const reading = readJsonAnswer(answer);
  // A 401 and a 5xx decide alone, so a body that is cut or too large changes nothing.
  const isDecided = status === 401 || (status >= 500 && status <= 599);
  const body = await (isDecided ? reading.catch(() => undefined) : reading);
  const error = body && readError(body);
  if (status === 401) {
    return { ...endedOf(answer, error), outcome: refused, isUnauthorized: true };
  }
  if (status === 200 && body !== undefined) return readFound(body, question);
  if (status === 404 && error?.code === 'NOT_FOUND') return readNotFound(answer, question);
  return endedOf(answer, error);
}

/** An error in HMRC's own form. */
type HmrcError = { readonly code: string; readonly message: string };

/** Reads an error; undefined for another form, such as that of a gateway on the way. */
function readError({ code, message }: JsonAnswer): HmrcError | undefined {
  const isOwn = typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code);
  return isOwn && typeof message === 'string' ? { code, message } : undefined;
}

function endedOf(answer: ExchangeAnswer, error: HmrcError | undefined): RegistryResult {
  if (error === undefined) return endedForeign(answer);
  return ended(outcomeOf(answer.status, error), error.code);
}

function outcomeOf(status: number, { code, message }: HmrcError): RegistryOutcome {
  if (status >= 500) return { kind: 'serviceUnavailable', because: 'down' };
  switch (status) {
    case 400:
      if (code !== 'INVALID_REQUEST') return unexpected;
      return message.startsWith('Invalid requesterVrn')
        ? { kind: 'requesterRejected' }
        : { kind: 'rejected' };
    case 403:
      // HMRC does not know the requester; otherwise the application has no subscription.
      return code === 'INVALID_REQUEST' ? { kind: 'requesterRejected' } : refused;
    case 429:
      return code === 'MESSAGE_THROTTLED_OUT'
        ? { kind: 'serviceUnavailable', because: 'throttled' }
        : unexpected;
    default:
      return unexpected;
  }
}

function readFound(body: JsonAnswer, { vatNumber, requester }: Question): RegistryResult {
  const target = objectIn(body['target']);
  const number = textIn(target['vatNumber']);
  const asked = textIn(body['requester']);
  if (number === null) return ended(unexpected);
  const isOther = number !== vatNumber.number || (asked !== null && asked !== requester?.number);
  if (isOther) return ended({ kind: 'failed', failure: 'otherNumber' });
  const requestDate = requestDateOf(body['processingDate']);
  if (requestDate === undefined) return ended(unexpected);
  const answer = {
    valid: true,
    requestDate,
    name: textIn(target['name']),
    address: readAddress(objectIn(target['address'])),
    // Without a requester HMRC issues none.
    consultationNumber:
      requester === undefined ? undefined : (textIn(body['consultationNumber']) ?? undefined),
    traderMatch: {},
  };
  return ended({ kind: 'answered', answer, maxAgeSeconds: undefined });
}

const lines = ['line1', 'line2', 'line3', 'line4', 'line5', 'postcode', 'countryCode'] as const;

/** The address in lines; null if it has none. */
function readAddress(address: JsonAnswer): string | null {
  return textIn(lines.flatMap((name) => textIn(address[name]) ?? []).join('\n'));
}

/**
 * A number that HMRC has not found. Without a requester its server also says so if its own back end has failed, so this "no"
 * counts only after a control question (rule M10).
 */
function readNotFound(answer: ExchangeAnswer, { requester }: Question): RegistryResult {
  const requestDate = readDateHeader(answer.header('date'));
  if (requestDate === undefined) return ended(unexpected, 'NOT_FOUND');
  const none = { name: null, address: null, consultationNumber: undefined, traderMatch: {} };
  const outcome: RegistryOutcome = {
    kind: 'answered',
    answer: { valid: false, requestDate, ...none },
    maxAgeSeconds: undefined,
  };
  return requester === undefined ? { ...ended(outcome), isUnconfirmed: true } : ended(outcome);
}

/** The date and offset of a header `Date` (RFC 9110 §5.6.7); undefined for another form, or a day that does not exist. */
function readDateHeader(text: string | undefined): string | undefined {
  const atMs = Date.parse(text ?? '');
  const isDate = !Number.isNaN(atMs) && new Date(atMs).toUTCString() === text;
  return isDate ? requestDateOf(formatInstant(atMs)) : undefined;
}
