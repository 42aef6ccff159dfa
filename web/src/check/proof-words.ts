import type { StoredCheck } from '../wire.ts';
import { listInWords } from '../words.ts';
import { differingFields, isUnconfirmed, numberInWords } from './check-words.ts';

const inBrussels = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Brussels',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** A moment as “25 November 2026, 04:17:46 (Brussels)”. */
export function brusselsMoment(moment: Date | string): string {
  return `${inBrussels.format(new Date(moment)).replace(' at ', ', ')} (Brussels)`;
}

/** The number that the registry was asked for, as it stands on an invoice: `ES B99999902`. */
function askedNumber(check: StoredCheck): string {
  const { queriedNumber } = check;
  return queriedNumber === null
    ? numberInWords(check)
    : `${queriedNumber.slice(0, 2)} ${queriedNumber.slice(2)}`;
}

/** The heading of a check: a proof if its query has ended. */
export function titleOfCheck(check: StoredCheck): string {
  const isProof = check.status !== 'pending' && check.queriedNumber !== null;
  return isProof ? `Proof of the check of ${askedNumber(check)}` : `Check of ${askedNumber(check)}`;
}

/**
 * The check in one sentence: when, by whom, about which number, and the answer. Undefined while there is none, and for a
 * number that the registry cannot be asked for.
 */
export function sentenceOfCheck(check: StoredCheck): string | undefined {
  const { status, requester, answeredAt, queriedNumber } = check;
  if (status === 'pending' || answeredAt === null || queriedNumber === null) return undefined;
  const number = askedNumber(check);
  const moment = brusselsMoment(answeredAt);
  if (status === 'expired') {
    const answer = isUnconfirmed(check) ? 'confirmed answer' : 'answer';
    return `Until ${moment}, VIES gave no ${answer} about ${number}.`;
  }
  const question =
    requester === null
      ? `VIES was asked about ${number}, without the number of a requester`
      : `${numberInWords(requester)} asked VIES about ${number}`;
  return `On ${moment}, ${question}: ${answerOf(check)}.`;
}

function answerOf(check: StoredCheck): string {
  if (check.status !== 'answered') {
    const refused = check.error === 'INVALID_REQUESTER' ? 'the requester' : 'the number';
    return `it refused ${refused}, so this is no answer about the number`;
  }
  if (!check.valid) return 'not registered';
  const fields = differingFields(check);
  if (fields.length === 0) return 'registered';
  return `registered, but the ${listInWords(fields)} ${fields.length === 1 ? 'differs' : 'differ'}`;
}
