import type { PrintedCheck } from '../../vat-check/stored/print-check.ts';
import type { CountryAndNumber } from '../../vat-check/numbers/vat-number.ts';
import { describeAnswer, describeTrader, type Line, printLines } from './described-lines.ts';
import { vatfx } from '../../platform/vatfx.ts';

/** A stored check as lines for a person. */
export function describeCheck(check: PrintedCheck, keyId: string): string {
  const { requester, hint, reference, batchId } = check;
  const further = Object.entries({ hint, reference, batch: batchId });
  return printLines([
    ['check', `${check.id}, created ${check.createdAt} by ${keyId}`],
    ['number', describeNumber(check)],
    ['requester', requester === null ? 'none' : describeNumber(requester)],
    ...describeTrader(check.trader),
    ...describeEnd(check),
    ...further.flatMap(([name, text]): Line[] => (text === null ? [] : [[name, text]])),
  ]);
}

/** The reason why a check has no answer, and what follows; undefined for an answered one. */
export function describeNoAnswer(check: PrintedCheck): string | undefined {
  const { id, status, error, nextAttemptAt, expiresAt } = check;
  const reason = error === null ? '' : ` (${error})`;
  switch (status) {
    case 'answered':
      return undefined;
    case 'rejected':
      return error === 'INVALID_REQUESTER'
        ? 'The registry refuses the requester (INVALID_REQUESTER): correct --requester or VIES_REQUESTER.'
        : `The registry refuses the number${reason}: ask your customer to correct it.`;
    case 'expired':
      return `The registry gave no answer until the check expired${reason}. This says nothing about the number.`;
    case 'pending':
      return (
        `The registry gave no answer${reason}. This says nothing about the number. The check stays stored: ` +
        'a server with JOBS=on queries the registry again ' +
        `${nextAttemptAt === null ? '' : `from ${nextAttemptAt}, `}until ${expiresAt}. ` +
        `"${vatfx(`checks show ${id}`)}" shows the answer.`
      );
  }
}

function describeEnd(check: PrintedCheck): readonly Line[] {
  const { status, answeredAt, error } = check;
  if (status === 'answered') return describeAnswer(check, check.trader, `, received ${answeredAt}`);
  const reason = error === null ? '' : `, ${error}`;
  return [['answer', `none: ${status}${reason}; attempts: ${check.attempts}`]];
}

function describeNumber({ countryCode, vatNumber }: CountryAndNumber): string {
  return `${countryCode} ${vatNumber}`;
}
