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
import { transportFaults } from '../transport/faults.ts';
import { viesStates } from '../data/traders.ts';
import type { Trader } from '../data/traders.ts';
import type { MemberStateScript, TraderKey, ViesScript } from './vies-state.ts';
import { memberStateConditions } from './vies-state.ts';

/**
 * The part "vies" of the JSON form.
 *
 *     {
 *       "latencyMs": 800, "fault": "hang", "times": 2,      as for the other upstreams
 *       "faultStatus": 500,                                 of the registry's own faults; 200 is usual
 *       "longFaults": true,                                 a sentence behind the code of a fault
 *       "prefixes": "soap",                                 the envelope of before August 2022; or "env"
 *       "maxAge": 600,                                      sends Cache-Control: max-age; null does not
 *       "memberStates": {
 *         "DE": {                                           EL and GR are Greece, XI has its own
 *           "state": "down",                                up, down, throttled, hang, drip, html, code
 *           "code": "ANY_CODE",                             the fault text of the state "code"
 *           "latencyMs": 200,                               on top of that of VIES
 *           "times": 3,                                     heals after so many answers
 *           "untilMinutes": 40                              heals by the sandbox's clock
 *         }
 *       },
 *       "register": [{ "country": "AT", "number": "U99999999", "name": "...", "address": "..." }],
 *       "deregister": [{ "country": "AT", "number": "U99999901" }]
 *     }
 *
 * An entry of "memberStates" replaces the one before: {} is a Member State in good health.
 */
export function readVies(path: string, input: unknown): readonly [ViesScript, readonly string[]] {
  const reader = new FieldReader(path, input, [
    'latencyMs',
    'fault',
    'times',
    'faultStatus',
    'longFaults',
    'prefixes',
    'maxAge',
    'memberStates',
    'register',
    'deregister',
  ]);
  const entries = reader.record('memberStates', readEntry);
  const vies = defined({
    latencyMs: readLatency(reader),
    fault: reader.read('fault', oneOf(transportFaults), member(transportFaults)),
    times: readTimes(reader),
    faultStatus: reader.read('faultStatus', '200 or 500', readFaultStatus),
    longFaults: reader.read('longFaults', 'true or false', readBoolean),
    prefixes: reader.read('prefixes', oneOf(generations), member(generations)),
    maxAge: reader.read('maxAge', 'a whole number of seconds from 0, or null', (value) =>
      value === null ? null : readCount(value, 0, 100_000_000),
    ),
    memberStates: entries === undefined ? undefined : Object.fromEntries(Object.values(entries)),
    register: reader.list('register', readTrader),
    deregister: reader.list('deregister', readDeregistered),
  });
  return [vies, reader.problems];
}

const generations = ['env', 'soap'] as const;

/** An entry with the registry code that it is for, which may differ from its name. */
function readEntry(name: string, reader: FieldReader): readonly [string, MemberStateScript] {
  reader.expectFields(['state', 'code', 'latencyMs', 'times', 'untilMinutes']);
  const country = readState(name);
  if (country === undefined) reader.reportName(`expected ${aMemberState}`);
  const entry = defined({
    state: reader.read('state', oneOf(memberStateConditions), member(memberStateConditions)),
    code: reader.read('code', 'a fault text like SERVER_BUSY', readText),
    latencyMs: readLatency(reader),
    times: readTimes(reader),
    untilMinutes: reader.read('untilMinutes', 'a whole number from 1, or null for ever', (value) =>
      value === null ? null : readCount(value, 1, 1_000_000),
    ),
  });
  if (entry.state === 'code' && entry.code === undefined) {
    reader.report('code', 'missing, expected a fault text like SERVER_BUSY');
  }
  return [country ?? name, entry];
}

function readTrader(reader: FieldReader): Trader {
  reader.expectFields(['country', 'number', 'name', 'address']);
  return {
    ...readKey(reader),
    name: reader.read('name', 'a text', readText) ?? '---',
    address: reader.read('address', 'a text', readText) ?? '---',
  };
}

function readDeregistered(reader: FieldReader): TraderKey {
  reader.expectFields(['country', 'number']);
  return readKey(reader);
}

function readKey(reader: FieldReader): TraderKey {
  return {
    country: reader.require('country', aMemberState, readState) ?? '',
    number: reader.require('number', 'a VAT number like U99999901', readNumber) ?? '',
  };
}

const aMemberState = 'a Member State like DE, or XI';

function readState(value: unknown): string | undefined {
  const code = value === 'GR' ? 'EL' : value;
  return viesStates.find((state) => state === code);
}

function readNumber(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9A-Z+*.]{2,12}$/.test(value) ? value : undefined;
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 10_000 ? value : undefined;
}

function readFaultStatus(value: unknown): 200 | 500 | undefined {
  return value === 200 || value === 500 ? value : undefined;
}
