import { type BankName, bankNames } from '../../platform/publication/data-set-kinds.ts';
import { isoDate } from '../../platform/time/time.ts';
import { transportFaults } from '../transport/faults.ts';
import { objectForm, type ReadBy, textForm, whole } from '../../platform/fields/field.ts';
import { currency, date, latencyMs, list, oneOf, part, times } from './script-forms.ts';
import { parseDecimal } from '../../platform/values/decimal.ts';
import { merge, withFault } from './upstream-state.ts';

/** Makes a value for each national bank. */
export function eachBank<T>(make: (name: BankName) => T): Readonly<Record<BankName, T>> {
  return Object.fromEntries(bankNames.map((name) => [name, make(name)])) as Record<BankName, T>;
}

/** The faults of a national bank; `no-publications` is the answer of an empty range or year. */
export const bankFaults = [...transportFaults, 'no-publications'] as const;

export type BankFault = (typeof bankFaults)[number];

const bankRate = objectForm({
  date,
  currency,
  value: textForm('a decimal as text like "4.2304"', (given) =>
    (parseDecimal(given) ?? '0') === '0' ? undefined : given,
  ),
});

/** The part of a bank in a script: `nbp`, `cnb`. */
export const bankScript = part({
  latencyMs,
  fault: oneOf(bankFaults),
  times,
  // Days by which publications come later than on their own day, from `lateFrom` on.
  lateDays: whole(0, 60),
  lateFrom: date,
  // Days whose publication is missing, though it has its number.
  missing: list(date),
  // Working days on which the bank publishes nothing; no number is left out.
  closedDays: list(date),
  // Answers are those of so many seconds ago: from a cache that says so by `Age` and the `Date` of then, or from one that
  // hides it behind the `Date` of now.
  ageSeconds: whole(0, 1_000_000),
  staleSeconds: whole(0, 1_000_000),
  // All values are multiplied by this number of thousandths: 1010 is 1.01.
  perMille: whole(1, 1_000_000),
  // Values that differ from the generated series.
  values: list(bankRate),
  // Units for which a currency is published from a day on; of the CNB only.
  amounts: list(
    objectForm({
      currency,
      amount: whole(1, 100_000),
      from: date,
    }),
  ),
});

export type BankScript = NonNullable<ReadBy<typeof bankScript>>;

/** The state of a bank without a script. */
export const initialBank: Required<BankScript> = {
  latencyMs: 0,
  fault: 'none',
  times: null,
  lateDays: 0,
  lateFrom: isoDate('0001-01-01'),
  missing: [],
  closedDays: [],
  ageSeconds: 0,
  staleSeconds: 0,
  perMille: 1_000,
  values: [],
  amounts: [],
};

/** Merges a script into the state of a bank: values are added, any other part replaces the existing part. */
export function applyBank(
  before: Required<BankScript>,
  script: BankScript | undefined,
): Required<BankScript> {
  const values = merge(before.values, script?.values, (one) => `${one.date} ${one.currency}`);
  return { ...withFault(before, script), ...script, values };
}
