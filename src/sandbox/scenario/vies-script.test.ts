import { describe, expect, it } from 'vitest';

import { Scenario } from './scenario.ts';
import { readScript } from './script.ts';
import { readSentence } from './sentences.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';

const scenario = new Scenario(new SettableClock('2026-11-20T12:00:00Z'));

function problemsOf(vies: unknown): readonly string[] {
  const result = readScript({ vies }, scenario.today);
  return result.kind === 'invalid' ? result.problems : [];
}

describe('the part vies of a script', () => {
  const trader = { country: 'AT', number: 'U99999999', name: 'Erdacht', address: 'Nirgends' };

  it('reads every field', () => {
    const vies = {
      latencyMs: 800,
      fault: 'gzip-bomb',
      times: 2,
      faultStatus: 500,
      longFaults: true,
      prefixes: 'soap',
      maxAge: 600,
      memberStates: {
        DE: { state: 'down', latencyMs: 200, times: 3, untilMinutes: 40 },
        XI: { state: 'code', code: 'SERVER_BUSY', times: null, untilMinutes: null },
        FR: {},
      },
      matching: { SK: 'echo', XI: 'none', ES: 'register' },
      unknownRequester: 'fault',
      register: [trader],
      deregister: [{ country: 'AT', number: 'U99999901' }],
    };

    expect(readScript({ vies }, scenario.today)).toEqual({ kind: 'script', script: { vies } });
  });

  it('reads GR as Greece', () => {
    const vies = {
      memberStates: { GR: { state: 'hang' } },
      matching: { GR: 'none' },
      register: [{ ...trader, country: 'GR' }],
      deregister: [{ country: 'GR', number: '999999901' }],
    };

    expect(readScript({ vies }, scenario.today)).toMatchObject({
      script: {
        vies: {
          memberStates: { EL: { state: 'hang' } },
          matching: { EL: 'none' },
          register: [{ country: 'EL' }],
          deregister: [{ country: 'EL' }],
        },
      },
    });
  });

  it('withholds the name and address of a trader without them', () => {
    const vies = { register: [{ country: 'DE', number: '123456789' }] };

    expect(readScript({ vies }, scenario.today)).toMatchObject({
      script: { vies: { register: [{ name: '---', address: '---' }] } },
    });
  });

  it('withholds and holds the texts of a trader that is withheld', () => {
    const withheld = { ...trader, withheld: true };

    expect(readScript({ vies: { register: [withheld] } }, scenario.today)).toMatchObject({
      script: {
        vies: {
          register: [
            { name: '---', address: '---', held: { name: 'Erdacht', address: 'Nirgends' } },
          ],
        },
      },
    });
  });

  it.each([
    [7, 'vies: got 7, expected an object'],
    [{ codes: 1 }, 'vies.codes: unknown field, expected one of latencyMs, fault, times, faultSt'],
    [{ fault: 'old' }, 'vies.fault: got "old", expected one of none, html,'],
    [{ faultStatus: 503 }, 'vies.faultStatus: got 503, expected 200 or 500'],
    [{ longFaults: 1 }, 'vies.longFaults: got 1, expected true or false'],
    [{ prefixes: 'ns2' }, 'vies.prefixes: got "ns2", expected one of env, soap'],
    [{ maxAge: -1 }, 'vies.maxAge: got -1, expected a whole number from 0 to 100000000, or null'],
    [{ memberStates: [] }, 'vies.memberStates: got [], expected an object'],
    [{ memberStates: { GB: {} } }, 'vies.memberStates.GB: expected a Member State like DE, or XI'],
    [{ memberStates: { DE: 'down' } }, 'vies.memberStates.DE: got "down", expected an object'],
    [
      { memberStates: { DE: { state: 'gone' } } },
      'vies.memberStates.DE.state: got "gone", expected one of up, down, throttled, hang, drip,',
    ],
    [
      { memberStates: { DE: { state: 'code' } } },
      'vies.memberStates.DE.code: missing, expected a fault text like SERVER_BUSY',
    ],
    [
      { memberStates: { DE: { for: 40 } } },
      'vies.memberStates.DE.for: unknown field, expected one of state, code, latencyMs, times,',
    ],
    [
      { memberStates: { DE: { untilMinutes: 0 } } },
      'vies.memberStates.DE.untilMinutes: got 0, expected a whole number from 1 to 1000000, or null for ever',
    ],
    [{ matching: 'none' }, 'vies.matching: got "none", expected an object'],
    [{ matching: { GB: 'none' } }, 'vies.matching.GB: expected a Member State like DE, or XI'],
    [
      { matching: { DE: 'all' } },
      'vies.matching.DE: got "all", expected one of echo, none, register',
    ],
    [
      { unknownRequester: true },
      'vies.unknownRequester: got true, expected one of accepted, fault, empty',
    ],
    [
      { register: [{ ...trader, withheld: 'yes' }] },
      'vies.register[0].withheld: got "yes", expected true or false',
    ],
    [
      { register: [{ ...trader, country: 'GB' }] },
      'vies.register[0].country: got "GB", expected a Member State like DE, or XI',
    ],
    [
      { register: [{ ...trader, number: '1' }] },
      'vies.register[0].number: got "1", expected a VAT number like U99999901',
    ],
    [{ register: [{ ...trader, name: null }] }, 'vies.register[0].name: got null, expected a text'],
    [
      { deregister: [{ country: 'AT' }] },
      'vies.deregister[0].number: missing, expected a VAT number like U99999901',
    ],
    [{ deregister: [trader] }, 'vies.deregister[0].name: unknown field, expected one of country,'],
  ])('names the problems with %j', (vies, problem) => {
    expect(problemsOf(vies).join('\n')).toContain(problem);
  });
});

describe('sentences about VIES', () => {
  it.each([
    ['DE is down for 40 minutes', { DE: { state: 'down', untilMinutes: 40 } }],
    ['DE is down for 1 minute', { DE: { state: 'down', untilMinutes: 1 } }],
    ['DE is down for 2 answers', { DE: { state: 'down', times: 2 } }],
    ['de is down', { DE: { state: 'down' } }],
    ['XI is throttled', { XI: { state: 'throttled' } }],
    ['GR is back', { GR: { state: 'up' } }],
  ])('understands the sentence: %s', (say, memberStates) => {
    const read = readSentence({ say }, scenario);

    expect(read).toEqual({ kind: 'script', script: { vies: { memberStates } } });
    expect(readScript({ vies: { memberStates } }, scenario.today).kind).toBe('script');
  });

  it.each([
    ['VIES is down', { fault: 'server-fault', times: null }],
    ['VIES is down for 3 answers', { fault: 'server-fault', times: 3 }],
    ['VIES is back', { fault: 'none' }],
    ['VIES takes 800 ms', { latencyMs: 800 }],
    ['VIES answers with a web page', { fault: 'html', times: null }],
  ])('understands the sentence: %s', (say, vies) => {
    expect(readSentence({ say }, scenario)).toEqual({ kind: 'script', script: { vies } });
    expect(readScript({ vies }, scenario.today).kind).toBe('script');
  });

  it('reads a web page as an answer of the ECB', () => {
    expect(readSentence({ say: 'the ECB answers with a web page' }, scenario)).toEqual({
      kind: 'script',
      script: { ecb: { fault: 'html', times: null } },
    });
  });

  it('accepts an unknown country, which the check of the script reports', () => {
    const read = readSentence({ say: 'GB is down' }, scenario);

    expect(readScript(read.kind === 'script' ? read.script : {}, scenario.today)).toEqual({
      kind: 'invalid',
      problems: ['vies.memberStates.GB: expected a Member State like DE, or XI'],
    });
  });
});
