import { describe, expect, it } from 'vitest';

import { Scenario } from './scenario.ts';
import { readScript } from './script.ts';
import { readSentence } from './sentences.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';

function scenario(): Scenario {
  return new Scenario(new SettableClock('2026-11-20T12:00:00Z'));
}

function read(input: unknown) {
  return readScript(input, scenario().today);
}

function problemsOf(input: unknown): readonly string[] {
  const result = read(input);
  return result.kind === 'invalid' ? result.problems : [];
}

describe('readScript', () => {
  it('reads every field', () => {
    const input = {
      reset: true,
      today: '2026-11-21',
      now: '2026-11-21T16:30:00+01:00',
      rates: [{ country: 'GR', field: 'reduced', values: ['6.0', 13], from: '2027-01-01' }],
      tedb: { latencyMs: 800, fault: 'hang', times: 2, missing: ['DE', 'GR'] },
      ecb: {
        latencyMs: 1,
        fault: 'frozen',
        times: null,
        lateDays: 2,
        missing: ['USD'],
        corrections: [{ date: '2025-10-23', currency: 'NOK', value: '11.5829' }],
        values: [{ date: '2026-11-23', currency: 'USD', value: 11.6 }],
      },
    };

    expect(read(input)).toEqual({
      kind: 'script',
      script: {
        ...input,
        now: Date.parse('2026-11-21T15:30:00Z'),
        rates: [{ country: 'EL', field: 'reduced', values: ['6', '13'], from: '2027-01-01' }],
        tedb: { ...input.tedb, missing: ['DE', 'EL'] },
        ecb: { ...input.ecb, values: [{ date: '2026-11-23', currency: 'USD', value: '11.6' }] },
      },
    });
  });

  it('accepts an empty object', () => {
    expect(read({})).toEqual({ kind: 'script', script: {} });
  });

  it.each([
    ['today', undefined, '2026-11-20'],
    ['tomorrow', undefined, '2026-11-21'],
    ['tomorrow', '2027-03-01', '2027-03-02'],
  ])('reads from %s as the day after the new today', (from, today, date) => {
    const rate = { country: 'HU', field: 'standard', value: '25', from };
    const input = today === undefined ? { rates: [rate] } : { today, rates: [rate] };

    expect(read(input)).toMatchObject({ script: { rates: [{ values: ['25'], from: date }] } });
  });

  it('empties a field with an empty list', () => {
    const rates = [{ country: 'AT', field: 'super_reduced', values: [], from: 'today' }];

    expect(read({ rates })).toMatchObject({ script: { rates: [{ values: [] }] } });
  });

  const rate = { country: 'HU', field: 'standard', value: '25', from: 'today' };
  const fixing = { date: '2026-11-20', currency: 'USD', value: '1.1' };

  it.each([
    [[], 'body: got [], expected an object'],
    ['text', 'body: got "text", expected an object'],
    [null, 'body: got null, expected an object'],
    [
      { to: 1 },
      'to: unknown field, expected one of reset, today, now, dateMinutes, rates, tedb, ecb',
    ],
    [{ reset: 1 }, 'reset: got 1, expected true or false'],
    [
      { today: '2026-02-30' },
      'today: got "2026-02-30", expected a date like 2026-11-21, "tomorrow" or null',
    ],
    [
      { now: '2026-11-21' },
      'now: got "2026-11-21", expected a moment like 2026-11-21T16:30:00+01:00',
    ],
    [
      { now: '+275760-09-13T00:00:00Z' },
      'now: got "+275760-09-13T00:00:00Z", expected a moment like 2026-11-21T16:30:00+01:00',
    ],
    [
      { now: '-000001-01-01T00:00:00Z' },
      'now: got "-000001-01-01T00:00:00Z", expected a moment like 2026-11-21T16:30:00+01:00',
    ],
    [{ rates: {} }, 'rates: got {}, expected a list'],
    [{ rates: [7] }, 'rates[0]: got 7, expected an object'],
    [
      { rates: [{ ...rate, country: 'XX' }] },
      'rates[0].country: got "XX", expected a Member State like HU',
    ],
    [
      { rates: [{ ...rate, field: 'low' }] },
      'rates[0].field: got "low", expected one of standard, reduced, super_reduced, parking',
    ],
    [
      { rates: [{ ...rate, value: '-1' }] },
      'rates[0].value: got "-1", expected a percentage as text like "25"',
    ],
    [
      { rates: [{ ...rate, values: ['5'] }] },
      'rates[0].value: expected either "value" or "values"',
    ],
    [
      { rates: [{ ...rate, from: 'soon' }] },
      'rates[0].from: got "soon", expected a date like 2026-11-21, "today" or "tomorrow"',
    ],
    [{ tedb: [] }, 'tedb: got [], expected an object'],
    [{ tedb: { fault: 'slow' } }, 'tedb.fault: got "slow", expected one of none, html,'],
    [{ tedb: { fault: 'frozen' } }, 'tedb.fault: got "frozen", expected one of none, html,'],
    [
      { tedb: { times: 0 } },
      'tedb.times: got 0, expected a whole number from 1 to 1000000, or null for ever',
    ],
    [
      { tedb: { latencyMs: 1.5 } },
      'tedb.latencyMs: got 1.5, expected a whole number from 0 to 600000',
    ],
    [{ tedb: { missing: ['XX'] } }, 'tedb.missing[0]: got "XX", expected a Member State like DE'],
    [
      { tedb: { regions: [{ country: 'AT', place: '<b>', value: '16' }] } },
      'tedb.regions[0].place: got "<b>", expected the name of a place',
    ],
    [
      { tedb: { lateDays: 1 } },
      'tedb.lateDays: unknown field, expected one of latencyMs, fault, times, missing',
    ],
    [{ ecb: { lateDays: -1 } }, 'ecb.lateDays: got -1, expected a whole number from 0 to 60'],
    [{ ecb: { missing: ['usd'] } }, 'ecb.missing[0]: got "usd", expected a currency like USD'],
    [
      { ecb: { values: [{ ...fixing, date: 'today' }] } },
      'ecb.values[0].date: got "today", expected a date like 2025-10-23',
    ],
    [
      { ecb: { values: [{ ...fixing, value: '0' }] } },
      'ecb.values[0].value: got "0", expected a decimal as text like "11.5829"',
    ],
    [
      { ecb: { corrections: [{ ...fixing, currency: 1 }] } },
      'ecb.corrections[0].currency: got 1, expected a currency like USD',
    ],
  ])('names the problems with %j', (input, problem) => {
    const problems = problemsOf(input).join('\n');

    expect(problems).toContain(problem);
  });

  it('names missing fields', () => {
    expect(problemsOf({ rates: [{}] })).toEqual([
      'rates[0].value: expected either "value" or "values"',
      'rates[0].country: missing, expected a Member State like HU',
      'rates[0].field: missing, expected one of standard, reduced, super_reduced, parking',
      'rates[0].from: missing, expected a date like 2026-11-21, "today" or "tomorrow"',
    ]);
  });
});

describe('readSentence', () => {
  it.each([
    [
      'HU standard 27 → 25 from tomorrow',
      { rates: [{ country: 'HU', field: 'standard', values: ['25'], from: 'tomorrow' }] },
    ],
    [
      'HU standard 27 % -> 25.0% from 2027-01-01.',
      { rates: [{ country: 'HU', field: 'standard', values: ['25'], from: '2027-01-01' }] },
    ],
    [
      'HU standard 25 from today',
      { rates: [{ country: 'HU', field: 'standard', values: ['25'], from: 'today' }] },
    ],
    [
      'HU reduced 18, 5 to 5, 12 from today',
      { rates: [{ country: 'HU', field: 'reduced', values: ['5', '12'], from: 'today' }] },
    ],
    [
      'GR parking 13 → none from tomorrow',
      { rates: [{ country: 'GR', field: 'parking', values: [], from: 'tomorrow' }] },
    ],
    [
      'HU parking none → 12 from tomorrow',
      { rates: [{ country: 'HU', field: 'parking', values: ['12'], from: 'tomorrow' }] },
    ],
    ['the ECB is a day late', { ecb: { lateDays: 1 } }],
    ['The ECB is 3 days late', { ecb: { lateDays: 3 } }],
    ['the ECB is on time', { ecb: { lateDays: 0 } }],
    ['TEDB is down', { tedb: { fault: 'unavailable-503', times: null } }],
    ['the ECB is down for 3 answers', { ecb: { fault: 'unavailable-503', times: 3 } }],
    ['TEDB is back', { tedb: { fault: 'none' } }],
    ['TEDB takes 800 ms', { tedb: { latencyMs: 800 } }],
    ['DE is missing from TEDB', { tedb: { missing: ['DE'] } }],
    [
      'the ECB corrects NOK of 2025-10-23 to 11.5829',
      { ecb: { corrections: [{ currency: 'NOK', date: '2025-10-23', value: '11.5829' }] } },
    ],
    ['today is 2026-11-21', { today: '2026-11-21' }],
    ['it is tomorrow', { today: 'tomorrow' }],
  ])('understands the sentence: %s', (say, script) => {
    const read = readSentence({ say }, scenario());

    expect(read).toEqual({ kind: 'script', script });
    expect(readScript(script, scenario().today).kind).toBe('script');
  });

  it.each([
    ['HU standard 26 → 25 from tomorrow', 'say: HU standard is 27 today, not 26'],
    ['HU parking 12 → 25 from tomorrow', 'say: HU parking is none today, not 12'],
    [
      'it rains',
      'say: got "it rains", expected a sentence like "HU standard 27 → 25 from tomorrow"',
    ],
  ])('refuses the sentence: %s', (say, problem) => {
    const read = readSentence({ say }, scenario());

    expect(read.kind === 'invalid' ? read.problems.join() : '').toContain(problem);
  });

  it.each([{ say: 1 }, { say: 'TEDB is down', today: 'tomorrow' }])('refuses %j', (input) => {
    expect(readSentence(input, scenario()).kind).toBe('invalid');
  });

  it('accepts values that are not decimals, which the check of the script reports', () => {
    const read = readSentence({ say: 'XX standard 20 → 25 from tomorrow' }, scenario());

    expect(problemsOf(read.kind === 'script' ? read.script : {})).toEqual([
      'rates[0].country: got "XX", expected a Member State like HU',
    ]);
  });

  it('returns other bodies as they are', () => {
    expect(readSentence({ today: null }, scenario())).toEqual({
      kind: 'script',
      script: { today: null },
    });
    expect(readSentence(null, scenario())).toEqual({ kind: 'script', script: null });
  });
});
