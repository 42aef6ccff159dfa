import { describeEvents } from '../events/event-schemas.ts';
import { categoryChanges } from '../rates/categories/schemas.ts';
import { rateChanges } from '../rates/definitions.ts';
import { storedCheck } from '../vat-check/stored/check-schema.ts';
import { watchSchema } from '../vat-check/watches/definitions.ts';

/** The events as receivers and readers of the log get them. */
export const events = describeEvents({
  changes: rateChanges,
  categoryChanges,
  check: storedCheck,
  watch: watchSchema,
});
