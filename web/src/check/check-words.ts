import { countryName } from '../countries.ts';
import { explainFailure } from '../parts/failure-words.ts';
import type { NoticeKind } from '../parts/notice-kind.ts';
import type { Answered } from '../session/failure.ts';
import type { VatCheckResult } from '../wire.ts';
import { durationInWords } from '../words.ts';

/** How a check ended, as it is told. */
export type Verdict = {
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
};

const noAnswer = 'This says nothing about the number: it may be valid or not.';

/** Explains how a check ended. What is not an answer of the registry is never told as one. */
export function explainCheck(
  answered: Answered<VatCheckResult>,
  asked: { readonly countryCode: string },
): Verdict {
  if (answered.kind === 'answered') return explainResult(answered.data);
  const { failure } = answered;
  if (failure.kind !== 'refused') {
    const { title, advice } = explainFailure(failure);
    return { kind: 'problem', title, text: `${advice} ${noAnswer}` };
  }
  const { status, error, retryAfterSeconds } = failure;
  const country = countryName(asked.countryCode);
  const later =
    retryAfterSeconds === null
      ? 'Try again later.'
      : `Try again in ${durationInWords(retryAfterSeconds)}.`;
  if (status === 422) {
    return {
      kind: 'problem',
      title: 'That cannot be a VAT number',
      text: 'It has 2 to 12 Latin letters and digits, not counting the country’s own letters in front. The registry did not look it up. Check for a character too many or too few.',
    };
  }
  const outages: Readonly<Record<string, Verdict>> = {
    MS_UNAVAILABLE: {
      kind: 'problem',
      title: `The registry of ${country} does not answer`,
      text: `It is down or busy, which happens every day for a while. ${noAnswer} ${later}`,
    },
    SERVICE_UNAVAILABLE: {
      kind: 'problem',
      title: 'The European registry service does not answer',
      text: `VIES itself is down or busy, for all countries. ${noAnswer} ${later}`,
    },
    TIMEOUT: {
      kind: 'problem',
      title: 'The registry took too long',
      text: `It was given ten seconds. ${noAnswer} ${later}`,
    },
  };
  const outage = outages[error];
  if (outage !== undefined) return outage;
  if (status === 502) {
    return {
      kind: 'problem',
      title: 'The registry could not be asked',
      text: `The service reports: ${error}. ${noAnswer} If it stays like this, tell whoever operates the service.`,
    };
  }
  const { title, advice } = explainFailure(failure);
  return { kind: 'problem', title, text: `${advice} The number was not checked.` };
}

function explainResult({ valid }: VatCheckResult): Verdict {
  return valid
    ? {
        kind: 'good',
        title: 'Valid',
        text: 'The number was registered when the registry was asked. That can change any day: keep the date below as your proof.',
      }
    : {
        kind: 'bad',
        title: 'Not on file',
        text: 'The registry looked it up, and it is not registered for trade between Member States. It may be mistyped, too new, or no longer in use.',
      };
}

/** Says why another country is selected than the one that was chosen. */
export function explainCountry(country: string, text: string): string {
  const letters = text
    .normalize('NFKC')
    .replaceAll(/[^A-Za-z]/g, '')
    .slice(0, 2)
    .toUpperCase();
  return `Country changed to ${countryName(country)}: the number begins with ${letters}.`;
}
