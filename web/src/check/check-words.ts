import { countryName } from '../countries.ts';
import { explainFailure } from '../parts/failure-words.ts';
import type { NoticeKind } from '../parts/notice-kind.ts';
import type { RequestOutcome } from '../session/failure.ts';
import type { VatCheck } from '../wire.ts';
import { dateInWords, durationInWords } from '../words.ts';

/** The outcome of a check in words. */
export type Verdict = {
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
};

const noAnswer = 'This says nothing about the number: it may be valid or not.';

/** Explains the outcome of a check. A failure is never shown as an answer of the registry. */
export function explainCheck(
  outcome: RequestOutcome<VatCheck>,
  checked: { readonly countryCode: string },
): Verdict {
  if (outcome.kind === 'answered') return explainResult(outcome.data);
  const { failure } = outcome;
  if (failure.kind !== 'refused') {
    const { title, advice } = explainFailure(failure);
    return { kind: 'problem', title, text: `${advice} ${noAnswer}` };
  }
  const { status, error, retryAfterSeconds } = failure;
  const country = countryName(checked.countryCode);
  const later =
    retryAfterSeconds === undefined
      ? 'Try again later.'
      : `Try again in ${durationInWords(retryAfterSeconds)}.`;
  if (status === 422) {
    return {
      kind: 'problem',
      title: 'Not a possible VAT number',
      text: 'A VAT number has 2 to 12 Latin letters and digits, without the letters of its country. Check for a missing or extra character, or ask your customer to correct the number. The registry was not queried.',
    };
  }
  const outages: Readonly<Record<string, Verdict>> = {
    MS_UNAVAILABLE: {
      kind: 'problem',
      title: `The registry of ${country} does not answer`,
      text: `The registry is down or busy. That is common and usually does not last long. ${noAnswer} ${later}`,
    },
    SERVICE_UNAVAILABLE: {
      kind: 'problem',
      title: 'VIES does not answer',
      text: `VIES, the European service through which all registries are queried, is down or busy. ${noAnswer} ${later}`,
    },
    TIMEOUT: {
      kind: 'problem',
      title: 'The registry took too long',
      text: `No answer arrived in time. ${noAnswer} ${later}`,
    },
  };
  const outage = outages[error];
  if (outage !== undefined) return outage;
  if (status === 502) {
    return {
      kind: 'problem',
      title: 'The registry could not be queried',
      text: `The service reports: ${error}. ${noAnswer} If later checks fail as well, report it to the operator of the service.`,
    };
  }
  const { title, advice } = explainFailure(failure);
  return { kind: 'problem', title, text: `${advice} The number was not checked.` };
}

function explainResult({ valid }: VatCheck): Verdict {
  return valid
    ? {
        kind: 'good',
        title: 'Valid',
        text: 'The number was registered at the time of this check. A registration can end at any time: keep the date below as evidence.',
      }
    : {
        kind: 'bad',
        title: 'Not registered',
        text: 'The registry looked the number up, and it is not registered for trade between Member States. The number may be mistyped, too new, or no longer in use.',
      };
}

/** Explains why the form has changed the country that the visitor chose. */
export function explainCountry(country: string, text: string): string {
  const letters = text
    .normalize('NFKC')
    .replaceAll(/[^A-Za-z]/g, '')
    .slice(0, 2)
    .toUpperCase();
  return `Country changed to ${countryName(country)}: the number begins with ${letters}.`;
}

/**
 * The registry's date of a check: `2026-11-22+01:00` as “22 November 2026 (time zone UTC+1)”. A text of another form
 * stays as it is, because it is evidence.
 */
export function requestDateInWords(requestDate: string): string {
  const match = /^(\d{4}-\d{2}-\d{2})(Z|[+-]\d{2}:\d{2})$/.exec(requestDate);
  const [, date = '', zone = ''] = match ?? [];
  if (Number.isNaN(Date.parse(date))) return requestDate;
  const offset = zone === 'Z' ? '' : zone.replace(':00', '').replace(/^([+-])0/, '$1');
  return `${dateInWords(date)} (time zone UTC${offset === '+0' || offset === '-0' ? '' : offset})`;
}
