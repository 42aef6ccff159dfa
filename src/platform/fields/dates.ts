import { type IsoDate, parseIsoDate } from '../time/time.ts';
import { type Field, text } from './field.ts';
import { string } from './schema.ts';

/** A date, `YYYY-MM-DD`. */
export const date = string({ format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$' });

/** A moment in UTC, with milliseconds, as the service prints it. */
export const instant = string({
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
});

/** A date that a caller writes. */
export const dateField: Field<IsoDate> = text(date, 'YYYY-MM-DD', parseIsoDate);
