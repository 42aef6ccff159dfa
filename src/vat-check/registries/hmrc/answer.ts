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

/**
 * Reads an answer of HMRC (rule M9): HTTP and the code in the body decide together. A 404 is a "no" only with the code
 * `NOT_FOUND`: another code means a wrong version or address.
 */
export async function readHmrcAnswer(
  answer: ExchangeAnswer,
  question: Question,
): Promise<RegistryResult> {
  const { status } = answer;
  const body = await readJsonAnswer(answer);
  if (body === undefined) return endedForeign(answer);
  if (status === 200) return readFound(body, question);
  const code = textIn(body['code']) ?? '';
  if (!/^[A-Z_]{1,60}$/.test(code)) return endedForeign(answer);
  if (status === 404 && code === 'NOT_FOUND') return readNotFound(answer, question);
  const result = ended(outcomeOf(status, code, textIn(body['message']) ?? ''), code);
  return status === 401 ? { ...result, isUnauthorized: true } : result;
}

function outcomeOf(status: number, code: string, message: string): RegistryOutcome {
  if (status >= 500) return { kind: 'serviceUnavailable', because: 'down' };
  switch (status) {
    case 400:
      if (code !== 'INVALID_REQUEST') return unexpected;
      return message.startsWith('Invalid requesterVrn')
        ? { kind: 'requesterRejected' }
        : { kind: 'rejected' };
    case 401:
      return { kind: 'failed', failure: 'credentialsRefused' };
    case 403:
      // HMRC does not know the requester; otherwise the application has no subscription.
      return code === 'INVALID_REQUEST'
        ? { kind: 'requesterRejected' }
        : { kind: 'failed', failure: 'credentialsRefused' };
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
  const atMs = Date.parse(answer.header('date') ?? '');
  if (Number.isNaN(atMs)) return ended(unexpected, 'NOT_FOUND');
  const requestDate = requestDateOf(formatInstant(atMs)) ?? '';
  const none = { name: null, address: null, consultationNumber: undefined, traderMatch: {} };
  const outcome: RegistryOutcome = {
    kind: 'answered',
    answer: { valid: false, requestDate, ...none },
    maxAgeSeconds: undefined,
  };
  return requester === undefined ? { ...ended(outcome), isUnconfirmed: true } : ended(outcome);
}
