import type { PrintedCheck } from '../../vat-check/stored/print-check.ts';
import { traderFields } from '../../vat-check/trader.ts';
import type { CountryAndNumber } from '../../vat-check/vat-number.ts';
import { escapeControls } from '../evidence/describe.ts';

/** A stored check as lines for a person. */
export function describeCheck(check: PrintedCheck, keyId: string): string {
  const { trader, hint, reference, batchId } = check;
  const lines = [
    ['check', `${check.id}, created ${check.createdAt} by ${keyId}`],
    ['number', describeNumber(check)],
    ['requester', check.requester === null ? 'none' : describeNumber(check.requester)],
    ...traderFields
      .filter((field) => (trader?.[field] ?? null) !== null)
      .map((field) => [`- ${field}`, `${quote(trader?.[field] ?? null)}, as sent`]),
    ...describeAnswer(check),
    ...[{ hint }, { reference }, { batch: batchId }].flatMap((one) =>
      Object.entries(one).flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
    ),
  ];
  return lines
    .map(([name = '', text = '']) => `${name.padEnd(13)}${escapeControls(text)}`)
    .join('\n');
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
        `"vatfx checks show ${id}" shows the answer.`
      );
  }
}

function describeAnswer(check: PrintedCheck): readonly (readonly string[])[] {
  const { status, valid, requestDate, traderMatch, answeredAt, error } = check;
  if (status !== 'answered') {
    const reason = error === null ? '' : `, ${error}`;
    return [['answer', `none: ${status}${reason}; attempts: ${check.attempts}`]];
  }
  const matches = traderFields.filter((field) => (traderMatch?.[field] ?? null) !== null);
  return [
    ['answer', `valid: ${valid}, on ${requestDate}, received ${answeredAt}`],
    ['- name', quote(check.name)],
    ['- address', quote(check.address)],
    ['- number', `consultation number ${check.consultationNumber ?? 'not issued'}`],
    ...matches.map((field) => ['- match', `${field}: ${traderMatch?.[field]}`]),
  ];
}

function describeNumber({ countryCode, vatNumber }: CountryAndNumber): string {
  return `${countryCode} ${vatNumber}`;
}

function quote(text: string | null): string {
  return text === null ? 'not disclosed' : JSON.stringify(text);
}
