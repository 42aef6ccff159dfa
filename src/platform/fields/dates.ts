import { type Schema, string } from './schema.ts';

/** A date, `YYYY-MM-DD`. */
export const date: Schema<string> = string({ format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$' });

/** A moment in UTC, with milliseconds, as the service prints it. */
export const instant: Schema<string> = string({
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
});
