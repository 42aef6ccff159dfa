import { describe, expect, it } from 'vitest';

import { Scenario } from './scenario.ts';
import { readScript } from './script.ts';
import { readSentence } from './sentences.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';

const scenario = new Scenario(new SettableClock('2026-11-20T12:00:00Z'));
const trader = { country: 'GR', number: '999999999', name: 'Erdacht', address: 'Nirgends' };

function problemsOf(input: unknown): readonly string[] {
  const result = readScript(input, scenario.today);
  return result.kind === 'invalid' ? result.problems : [];
}

describe('readScript', () => {
  it('reads every field', () => {
    const input = {
      reset: true,
      today: '2026-11-21',
      now: '2026-11-21T16:30:00+01:00',
      rates: [{ country: 'GR', field: 'reduced', values: ['6.0', 13], from: 'tomorrow' }],
      tedb: { latencyMs: 800, fault: 'hang', times: 2, missing: ['DE', 'GR'] },
      ecb: {
        fault: 'frozen',
        times: null,
        lateDays: 2,
        missing: ['USD'],
        corrections: [{ date: '2025-10-23', currency: 'NOK', value: '11.5829' }],
        values: [{ date: '2026-11-23', currency: 'USD', value: 11.6 }],
      },
      vies: {
        fault: 'gzip-bomb',
        faultStatus: 500,
        longFaults: true,
        prefixes: 'soap',
        maxAge: 600,
        memberStates: {
          GR: { state: 'down', latencyMs: 200, times: 3, untilMinutes: 40 },
          XI: { state: 'code', code: 'SERVER_BUSY', times: null },
        },
        matching: { SK: 'echo', GR: 'none' },
        unknownRequester: 'fault',
        firewall: { text: '<script>', answer: 'html' },
        register: [
          { ...trader, withheld: true },
          { country: 'DE', number: '123456789' },
        ],
        deregister: [{ country: 'AT', number: 'U99999901' }],
      },
    };

    // GR is read as EL, and tomorrow begins at the new today.
    expect(readScript(input, scenario.today)).toEqual({
      kind: 'script',
      script: {
        ...input,
        now: Date.parse('2026-11-21T15:30:00Z'),
        rates: [{ country: 'EL', field: 'reduced', values: ['6', '13'], from: '2026-11-22' }],
        tedb: { ...input.tedb, missing: ['DE', 'EL'] },
        ecb: { ...input.ecb, values: [{ date: '2026-11-23', currency: 'USD', value: '11.6' }] },
        vies: {
          ...input.vies,
          memberStates: { EL: input.vies.memberStates.GR, XI: input.vies.memberStates.XI },
          matching: { SK: 'echo', EL: 'none' },
          register: [
            {
              country: 'EL',
              number: '999999999',
              name: '---',
              address: '---',
              held: { name: 'Erdacht', address: 'Nirgends' },
            },
            { country: 'DE', number: '123456789', name: '---', address: '---' },
          ],
        },
      },
    });
  });

  const fixing = { date: '2026-11-20', currency: 'USD', value: '1.1' };

  it.each([
    [[], 'body: got [], expected a JSON object'],
    [{ to: 1 }, 'to: unknown field, expected one of reset, today, now, dateMinutes, rates, tedb,'],
    [{ today: '2026-02-30' }, 'today: got "2026-02-30", expected a date like 2026-11-21, "tom'],
    [{ now: '+275760-09-13T00:00:00Z' }, 'now: got "+275760-09-13T00:00:00Z", expected a moment'],
    [{ rates: [{}] }, 'rates[0].country: missing, expected a Member State like HU'],
    [{ rates: [{ value: '-1' }] }, 'rates[0].value: got "-1", expected a percentage as text like'],
    [{ tedb: { fault: 'frozen' } }, 'tedb.fault: got "frozen", expected one of none, html,'],
    [{ ecb: { lateDays: -1 } }, 'ecb.lateDays: got -1, expected a whole number from 0 to 60'],
    [{ ecb: { values: [{ ...fixing, value: '0' }] } }, 'ecb.values[0].value: got "0", expected a'],
    [
      { vies: { memberStates: { GB: {} } } },
      'vies.memberStates.GB: got "GB", expected a Member State like',
    ],
    [{ vies: { matching: { DE: 'all' } } }, 'vies.matching.DE: got "all", expected one of echo,'],
    [{ vies: { register: [{ ...trader, number: '1' }] } }, 'vies.register[0].number: got "1", ex'],
  ])('names the problem of %j', (input, problem) => {
    expect(problemsOf(input).join('\n')).toContain(problem);
  });
});

describe('readSentence', () => {
  const hungary = { country: 'HU', field: 'standard', values: ['25'], from: 'tomorrow' };

  it.each([
    ['HU standard 27 → 25 from tomorrow', { rates: [hungary] }],
    ['HU standard 27 % -> 25.0% from 2027-01-01.', { rates: [{ ...hungary, from: '2027-01-01' }] }],
    [
      'HU reduced 18, 5 to 5, 12 from tomorrow',
      { rates: [{ ...hungary, field: 'reduced', values: ['5', '12'] }] },
    ],
    [
      'GR parking 13 → none from tomorrow',
      { rates: [{ ...hungary, country: 'GR', field: 'parking', values: [] }] },
    ],
    ['the ECB is a day late', { ecb: { lateDays: 1 } }],
    ['TEDB is down', { tedb: { fault: 'unavailable-503', times: null } }],
    ['the ECB is down for 3 answers', { ecb: { fault: 'unavailable-503', times: 3 } }],
    ['TEDB is back', { tedb: { fault: 'none' } }],
    ['DE is missing from TEDB', { tedb: { missing: ['DE'] } }],
    [
      'the ECB corrects NOK of 2025-10-23 to 11.5829',
      { ecb: { corrections: [{ currency: 'NOK', date: '2025-10-23', value: '11.5829' }] } },
    ],
    ['today is 2026-11-21', { today: '2026-11-21' }],
    [
      'DE is down for 40 minutes',
      { vies: { memberStates: { DE: { state: 'down', untilMinutes: 40 } } } },
    ],
    ['de is down for 2 answers', { vies: { memberStates: { DE: { state: 'down', times: 2 } } } }],
    ['VIES is down', { vies: { fault: 'server-fault', times: null } }],
    ['the ECB answers with a web page', { ecb: { fault: 'html', times: null } }],
  ])('understands: %s', (say, script) => {
    expect(readSentence({ say }, scenario)).toEqual({ kind: 'script', script });
    expect(readScript(script, scenario.today).kind).toBe('script');
  });

  it.each([
    ['HU standard 26 → 25 from tomorrow', 'say: HU standard is 27 today, not 26'],
    ['it rains', 'say: got "it rains", expected a sentence like "HU standard 27 → 25 from tomor'],
  ])('refuses: %s', (say, problem) => {
    expect(readSentence({ say }, scenario)).toEqual({
      kind: 'invalid',
      problems: [expect.stringContaining(problem)],
    });
  });
});
