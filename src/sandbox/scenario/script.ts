import { parseDecimal } from '../../platform/decimal.ts';
import type { IsoDate } from '../../platform/time.ts';
import { addDays, parseIsoDate } from '../../platform/time.ts';
import type { FixingScript, RateScript, Scenario, Script } from './scenario.ts';
import { ecbFaults, tedbFaults } from './scenario.ts';
import { FieldReader } from './field-reader.ts';
import {
  defined,
  member,
  oneOf,
  readBoolean,
  readCount,
  readLatency,
  readTimes,
} from './script-fields.ts';
import { memberStates, rateFields } from '../data/vat-rates.ts';
import { readVies } from './vies-script.ts';

/**
 * The JSON form of the scenario, as `POST /_scenario` takes it.
 *
 *     {
 *       "reset": true,                              first forget everything scripted so far
 *       "today": "2026-11-21",                      or "tomorrow"; null follows the base clock again
 *       "now": "2026-11-21T16:30:00+01:00",         a moment; wins over "today"
 *       "rates": [{
 *         "country": "HU",                          EL and GR are Greece
 *         "field": "standard",                      standard, reduced, super_reduced, parking
 *         "value": "25",                            or "values": ["5", "12"]; "values": [] for none
 *         "from": "tomorrow"                        or "today", or a date
 *       }],
 *       "tedb": { "latencyMs": 800, "fault": "hang", "times": 2, "missing": ["DE"] },
 *       "ecb": {
 *         "latencyMs": 0, "fault": "truncated", "times": 1, "missing": ["USD"],
 *         "lateDays": 1,
 *         "corrections": [{ "date": "2025-10-23", "currency": "NOK", "value": "11.5829" }],
 *         "values": [{ "date": "2026-11-23", "currency": "USD", "value": "11.6" }]
 *       },
 *       "vies": { ... }                             see vies-script.ts
 *     }
 *
 * Every part is optional. What is given is merged: entries of "rates", "corrections" and "values" are
 * added to those before and replace the one for the same day; everything else replaces what was
 * there. A fault without "times" stays until another one is set, "none" heals it. "values" are in
 * the ECB's files from their publication on; "corrections" change what the files show from now on.
 */

export type ReadScript =
  | { readonly kind: 'script'; readonly script: Script }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/** Checks a script as a whole and reports every problem of it, each with what was expected. */
export function readScript(input: unknown, scenario: Scenario): ReadScript {
  const known = ['reset', 'today', 'now', 'rates', 'tedb', 'ecb', 'vies'];
  const reader = new FieldReader('', input, known);
  const today = reader.read('today', `a date like 2026-11-21, "tomorrow" or null`, (value) =>
    value === null ? null : readDate(value, scenario.today),
  );
  const script: Script = defined({
    reset: reader.read('reset', 'true or false', readBoolean),
    today,
    now: reader.read('now', 'a moment like 2026-11-21T16:30:00+01:00', readMoment),
    // "tomorrow" in a script that also moves the date means the day after the new one.
    rates: reader.list('rates', (item) => readRate(item, today ?? scenario.today)),
    tedb: reader.object('tedb', readTedb),
    ecb: reader.object('ecb', readEcb),
    vies: reader.object('vies', readVies),
  });
  return reader.problems.length === 0
    ? { kind: 'script', script }
    : { kind: 'invalid', problems: reader.problems };
}

const upstreamFields = ['latencyMs', 'fault', 'times', 'missing'];

function readTedb(path: string, input: unknown): readonly [Script['tedb'], readonly string[]] {
  const reader = new FieldReader(path, input, upstreamFields);
  const tedb = defined({
    latencyMs: readLatency(reader),
    fault: reader.read('fault', oneOf(tedbFaults), member(tedbFaults)),
    times: readTimes(reader),
    missing: reader.list('missing', (item) => item.whole('a Member State like DE', readState)),
  });
  return [tedb, reader.problems];
}

function readEcb(path: string, input: unknown): readonly [Script['ecb'], readonly string[]] {
  const reader = new FieldReader(path, input, [
    ...upstreamFields,
    'lateDays',
    'corrections',
    'values',
  ]);
  const ecb = defined({
    latencyMs: readLatency(reader),
    fault: reader.read('fault', oneOf(ecbFaults), member(ecbFaults)),
    times: readTimes(reader),
    missing: reader.list('missing', (item) => item.whole('a currency like USD', readCurrency)),
    lateDays: reader.read('lateDays', 'a whole number from 0 to 60', (value) =>
      readCount(value, 0, 60),
    ),
    corrections: reader.list('corrections', readFixing),
    values: reader.list('values', readFixing),
  });
  return [ecb, reader.problems];
}

function readRate(reader: FieldReader, today: IsoDate): RateScript {
  reader.expectFields(['country', 'field', 'value', 'values', 'from']);
  const one = reader.read('value', 'a percentage as text like "25"', readPercentage);
  const several = reader.read('values', 'a list of percentages like ["5", "12"]', readPercentages);
  if ((one === undefined) === (several === undefined)) {
    reader.report('value', 'expected either "value" or "values"');
  }
  return {
    country: reader.require('country', 'a Member State like HU', readState) ?? '',
    field: reader.require('field', oneOf(rateFields), member(rateFields)) ?? 'standard',
    values: several ?? (one === undefined ? [] : [one]),
    from:
      reader.require('from', 'a date like 2026-11-21, "today" or "tomorrow"', (value) =>
        value === 'today' ? today : readDate(value, today),
      ) ?? today,
  };
}

function readFixing(reader: FieldReader): FixingScript {
  reader.expectFields(['date', 'currency', 'value']);
  const date = reader.require('date', 'a date like 2025-10-23', (value) =>
    typeof value === 'string' ? (parseIsoDate(value) ?? undefined) : undefined,
  );
  return {
    date: date ?? ('' as IsoDate),
    currency: reader.require('currency', 'a currency like USD', readCurrency) ?? '',
    value: reader.require('value', 'a decimal as text like "11.5829"', readPositive) ?? '',
  };
}

function readDate(value: unknown, today: IsoDate): IsoDate | undefined {
  if (value === 'tomorrow') return addDays(today, 1);
  return typeof value === 'string' ? (parseIsoDate(value) ?? undefined) : undefined;
}

function readMoment(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return Temporal.Instant.from(value).epochMilliseconds;
  } catch {
    return undefined;
  }
}

function readState(value: unknown): string | undefined {
  const code = value === 'GR' ? 'EL' : value;
  return typeof code === 'string' && memberStates.includes(code) ? code : undefined;
}

function readCurrency(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Z]{3}$/.test(value) ? value : undefined;
}

// JSON numbers are taken as well: a person at a prompt writes 25, and two decimals are exact.
function readPercentage(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const decimal = typeof text === 'string' ? parseDecimal(text) : null;
  return decimal !== null && Number(decimal) <= 1000 ? decimal : undefined;
}

function readPercentages(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value) || value.length > 20) return undefined;
  const read = value.map(readPercentage).filter((one) => one !== undefined);
  return read.length === value.length ? read : undefined;
}

function readPositive(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const decimal = typeof text === 'string' ? parseDecimal(text) : null;
  return decimal === null || decimal === '0' ? undefined : decimal;
}
