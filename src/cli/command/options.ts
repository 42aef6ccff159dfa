import { textForm } from '../../platform/fields/field.ts';
import { dateField } from '../../platform/fields/dates.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import { anyText, type Argument, option, withDefault } from './command.ts';

export const keyOption = option('<id>', 'only those of this key', anyText);

/** The maximum number of listed entries. */
export const limit = withDefault('<number>', 'maximum number of entries', {
  byDefault: '20',
  form: textForm('a number from 1 to 9999', (text) =>
    /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : undefined,
  ),
});

export const dateArgument: Argument<IsoDate> = { says: '', form: dateField };
