import { parseDecimal } from '../../platform/values/decimal.ts';
import { addDays, type IsoDate, parseIsoDate } from '../../platform/time/time.ts';
import { memberStates, rateFields } from '../data/vat-rates.ts';
import { transportFaults } from '../transport/faults.ts';
import type { RateScript } from './rates-in-force.ts';
import {
  type Form,
  form,
  isObject,
  matchingForm,
  objectForm,
  pathOf,
  type ReadBy,
  refined,
  refuse,
  whole,
} from '../../platform/fields/field.ts';
import {
  boolean,
  currency,
  date,
  entry,
  latencyMs,
  list,
  memberState,
  oneOf,
  orNull,
  part,
  readBody,
  type ReadScript,
  times,
} from './script-forms.ts';
import { bankScript, eachBank } from './bank-script.ts';
import { registryScript } from './registry-script.ts';
import { viesScript } from './vies-script.ts';

/**
 * The JSON form of the scenario, as `POST /_scenario` takes it; `docs/sandbox.md` describes it.
 *
 * Every part is optional. A script is merged into the scenario: its entries of `rates`, `corrections` and
 * `values` are added to the existing ones, and replace an entry for the same day. Any other part replaces the
 * existing part. A fault without `times` stays until a script sets another fault; the fault `none` ends it.
 */
export type Script = ReadBy<ReturnType<typeof scriptOn>>;

export const tedbFaults = [
  ...transportFaults,
  'zeroes',
  'canary-standard',
  'old',
  'current',
] as const;
export const ecbFaults = [...transportFaults, 'frozen', 'weekend', 'old'] as const;

export type TedbFault = (typeof tedbFaults)[number];
export type EcbFault = (typeof ecbFaults)[number];

/** The part `tedb` of a script. */
export type TedbScript = NonNullable<Script['tedb']>;

/** The part `ecb` of a script. */
export type EcbScript = NonNullable<Script['ecb']>;

/** A value of the ECB's list that differs from the generated series. */
export type FixingScript = ReadBy<typeof fixing>;

/** Reads a script, and reports every problem with it. */
export function readScript(body: unknown, today: IsoDate): ReadScript<Script> {
  // "tomorrow" in a script that also moves the date means the day after the new date.
  const movedTo = isObject(body) ? readDay(body['today'], today) : undefined;
  return readBody(body, scriptOn(today, movedTo ?? today));
}

function scriptOn(today: IsoDate, movedTo: IsoDate) {
  return part({
    // Resets the scenario before the rest of the script is merged into it.
    reset: boolean,
    // Null: the sandbox follows the base clock again.
    today: form('a date like 2026-11-21, "tomorrow" or null', (given) =>
      given === null ? null : readDay(given, today),
    ),
    // Used instead of `today` if a script has both.
    now: form('a moment like 2026-11-21T16:30:00+01:00', readMoment),
    // Minutes by which the `Date` of the upstreams' answers is ahead of the sandbox's clock; null: they have none.
    dateMinutes: orNull(whole(-10_000_000, 10_000_000)),
    rates: list(rateOn(movedTo)),
    tedb: part({
      latencyMs,
      fault: oneOf(tedbFaults),
      times,
      // Member States that are absent from answers.
      missing: list(memberState('a Member State like DE', memberStates)),
      // Reduced rates of places, besides those of the real ones.
      regions: list(region),
    }),
    ecb: part({
      latencyMs,
      fault: oneOf(ecbFaults),
      times,
      // Currencies that are absent from the newest day.
      missing: list(currency),
      // Days by which publications come later than 15:56 Europe/Berlin of their own day.
      lateDays: whole(0, 60),
      // These change the ECB's files from now on.
      corrections: list(fixing),
      // These are in the ECB's files from their publication on.
      values: list(fixing),
    }),
    vies: viesScript,
    registries: registryScript,
    ...eachBank(() => bankScript),
  });
}

const region = objectForm({
  country: memberState('a Member State like AT', memberStates),
  place: matchingForm(/^[^<>&]{1,100}$/, 'the name of a place'),
  value: form('a percentage as text like "19"', readPercentage),
});

function rateOn(today: IsoDate): Form<RateScript> {
  const rate = entry(
    {
      country: memberState('a Member State like HU', memberStates),
      field: oneOf(rateFields),
      from: form('a date like 2026-11-21, "today" or "tomorrow"', (given) =>
        given === 'today' ? today : readDay(given, today),
      ),
    },
    {
      value: form('a percentage as text like "25"', readPercentage),
      values: form('a list of percentages like ["5", "12"]', readPercentages),
    },
  );
  return refined(rate, ({ value, values, ...rest }, at) =>
    (value === undefined) === (values === undefined)
      ? refuse({ ...at, path: pathOf(at, 'value') }, 'either "value" or "values"', value)
      : { ...rest, values: values ?? (value === undefined ? [] : [value]) },
  );
}

const fixing = objectForm({
  date,
  currency,
  value: form('a decimal as text like "11.5829"', (given) => {
    const decimal = readDecimal(given);
    return decimal === '0' ? undefined : decimal;
  }),
});

function readDay(given: unknown, today: IsoDate): IsoDate | undefined {
  if (given === 'tomorrow') return addDays(today, 1);
  return typeof given === 'string' ? parseIsoDate(given) : undefined;
}

function readMoment(given: unknown): number | undefined {
  // Dates of other years have more digits and a sign; no later script could be read on such a day.
  if (typeof given !== 'string' || !/^[0-9]{4}-/.test(given)) return undefined;
  try {
    return Temporal.Instant.from(given).epochMilliseconds;
  } catch {
    return undefined;
  }
}

// JSON numbers are accepted as well: a person at a prompt writes 25, and two decimals are exact.
function readDecimal(given: unknown): string | undefined {
  const written = typeof given === 'number' ? String(given) : given;
  return typeof written === 'string' ? parseDecimal(written) : undefined;
}

function readPercentage(given: unknown): string | undefined {
  const decimal = readDecimal(given);
  return Number(decimal) <= 1000 ? decimal : undefined;
}

function readPercentages(given: unknown): readonly string[] | undefined {
  if (!Array.isArray(given) || given.length > 20) return undefined;
  const read = given.map(readPercentage).filter((one) => one !== undefined);
  return read.length === given.length ? read : undefined;
}
