import { parseIsoDate } from '../../time/time.ts';

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** What `parseMoment` accepts, for the 400 of a parameter or field. */
export const momentForm = 'YYYY-MM-DD or an ISO 8601 instant';

/**
 * Parses an ISO 8601 instant, or a date, which stands for its start in UTC; returns it as the service prints instants.
 * Undefined for any other text.
 */
export function parseMoment(text: string): string | undefined {
  if (parseIsoDate(text) !== undefined) return `${text}T00:00:00.000Z`;
  // Temporal accepts more forms: a blank for the T, an hour alone, a zone in brackets.
  if (!instantPattern.test(text)) return undefined;
  try {
    const { epochMilliseconds } = Temporal.Instant.from(text);
    const printed = Temporal.Instant.fromEpochMilliseconds(epochMilliseconds).toString({
      fractionalSecondDigits: 3,
    });
    // Instants are compared as text, so their years must have four digits.
    return printed.length === 24 ? printed : undefined;
  } catch {
    return undefined;
  }
}
