import { describe, expect, it } from 'vitest';

import { Scenario } from './scenario.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { findTrader } from '../vies/registry.ts';
import {
  deregisterTrader,
  moveToNextDay,
  registerTraders,
  setMemberState,
  setViesFault,
} from '../../../test/support/sandbox/scripts.ts';

function start() {
  const clock = new SettableClock('2026-11-20T12:00:00Z');
  return { clock, scenario: new Scenario(clock) };
}

function conditions(scenario: Scenario, country: string, count: number) {
  return Array.from({ length: count }, () => scenario.takeViesCall(country).memberState.state);
}

describe('a Member State of VIES', () => {
  it('is up if nothing is scripted', () => {
    const { scenario } = start();

    expect(scenario.takeViesCall('DE')).toEqual({
      fault: 'none',
      memberState: expect.objectContaining({ state: 'up' }),
      latencyMs: 0,
    });
  });

  it('is down without an effect on other Member States', () => {
    const { scenario } = start();

    setMemberState(scenario, 'DE', 'down');

    expect(conditions(scenario, 'DE', 3)).toEqual(['down', 'down', 'down']);
    expect(conditions(scenario, 'FR', 1)).toEqual(['up']);
  });

  it('heals after the scripted minutes on the sandbox’s clock, latency included', () => {
    const { scenario, clock } = start();
    setMemberState(scenario, 'DE', 'down', { untilMinutes: 40, latencyMs: 200 });

    clock.set('2026-11-20T12:39:59.999Z');
    const before = scenario.takeViesCall('DE');
    clock.set('2026-11-20T12:40:00Z');
    const after = scenario.takeViesCall('DE');

    expect([before.memberState.state, before.latencyMs]).toEqual(['down', 200]);
    expect([after.memberState.state, after.latencyMs]).toEqual(['up', 0]);
  });

  it('heals when the script moves the clock', () => {
    const { scenario } = start();
    setMemberState(scenario, 'DE', 'down', { untilMinutes: 40 });

    moveToNextDay(scenario);

    expect(conditions(scenario, 'DE', 1)).toEqual(['up']);
  });

  it('counts from the time to which the same script moves the clock', () => {
    const { scenario } = start();

    scenario.apply({
      now: Date.parse('2027-01-01T00:00:00Z'),
      vies: { memberStates: { DE: { state: 'down', untilMinutes: 1 } } },
    });

    expect(conditions(scenario, 'DE', 1)).toEqual(['down']);
  });

  it('heals after the scripted number of answers', () => {
    const { scenario } = start();
    setMemberState(scenario, 'DE', 'throttled', { times: 2 });

    conditions(scenario, 'FR', 5);

    expect(conditions(scenario, 'DE', 3)).toEqual(['throttled', 'throttled', 'up']);
  });

  it('is slow for the scripted number of answers', () => {
    const { scenario } = start();
    setMemberState(scenario, 'DE', 'up', { latencyMs: 300, times: 1 });

    const latencies = [1, 2].map(() => scenario.takeViesCall('DE').latencyMs);

    expect(latencies).toEqual([300, 0]);
  });

  it('keeps nothing of the previous entry when it is scripted again', () => {
    const { scenario } = start();
    setMemberState(scenario, 'DE', 'down', { untilMinutes: 40, latencyMs: 200, times: 1 });

    setMemberState(scenario, 'DE', 'throttled');

    expect(scenario.takeViesCall('DE').latencyMs).toBe(0);
    moveToNextDay(scenario);
    expect(conditions(scenario, 'DE', 2)).toEqual(['throttled', 'throttled']);
  });

  it('answers with the scripted code, which may be empty', () => {
    const { scenario } = start();

    scenario.apply({ vies: { memberStates: { DE: { code: 'NEW_CODE' }, FR: { code: '' } } } });

    expect(scenario.takeViesCall('DE').memberState).toMatchObject({
      state: 'code',
      code: 'NEW_CODE',
    });
    expect(scenario.takeViesCall('FR').memberState).toMatchObject({ state: 'code', code: '' });
  });

  it('adds its latency to that of VIES', () => {
    const { scenario } = start();
    scenario.apply({ vies: { latencyMs: 100, memberStates: { DE: { latencyMs: 20 } } } });

    expect(scenario.takeViesCall('DE').latencyMs).toBe(120);
    expect(scenario.takeViesCall('FR').latencyMs).toBe(100);
    expect(scenario.takeViesCall(undefined).latencyMs).toBe(100);
  });
});

describe('a fault of VIES itself', () => {
  it('lasts for the scripted number of answers, with or without a Member State', () => {
    const { scenario } = start();
    setViesFault(scenario, 'html', 3);

    const seen = ['DE', undefined, 'FR', 'DE'].map(
      (country) => scenario.takeViesCall(country).fault,
    );

    expect(seen).toEqual(['html', 'html', 'html', 'none']);
  });

  it('changes no other setting', () => {
    const { scenario } = start();
    scenario.apply({ vies: { latencyMs: 5, faultStatus: 500, prefixes: 'soap', maxAge: 60 } });
    setMemberState(scenario, 'DE', 'down');

    setViesFault(scenario, 'html');
    setMemberState(scenario, 'FR', 'hang');

    expect(scenario.state.vies).toMatchObject({
      latencyMs: 5,
      fault: 'html',
      faultStatus: 500,
      prefixes: 'soap',
      maxAge: 60,
      memberStates: { DE: { state: 'down' }, FR: { state: 'hang' } },
    });
  });

  it('does not count the answers of a Member State', () => {
    const { scenario } = start();
    setMemberState(scenario, 'DE', 'down', { times: 1 });
    setViesFault(scenario, 'html', 1);

    scenario.takeViesCall('DE');

    expect(conditions(scenario, 'DE', 2)).toEqual(['down', 'up']);
  });

  it('lasts until it is replaced if it has no count, even after a fault with a count', () => {
    const { scenario } = start();
    setViesFault(scenario, 'html', 1);
    scenario.apply({ vies: { fault: 'reset' } });

    const seen = [1, 2].map(() => scenario.takeViesCall('DE').fault);

    expect(seen).toEqual(['reset', 'reset']);
  });
});

describe('the traders of the scenario', () => {
  const made = { country: 'AT', number: 'U99999999', name: 'Erdacht', address: 'Nirgends' };
  const find = ({ state }: Scenario, number: string) =>
    findTrader(state.vies, { country: 'AT', number });

  it('are registered in addition to those of the table', () => {
    const { scenario } = start();

    registerTraders(scenario, made);

    expect(find(scenario, 'U99999999')).toEqual(made);
    expect(find(scenario, 'U99999901')).not.toBeUndefined();
  });

  it('replace a trader of the table with the same number', () => {
    const { scenario } = start();

    registerTraders(scenario, { ...made, number: 'U99999901' });

    expect(find(scenario, 'U99999901')?.name).toBe('Erdacht');
  });

  it('can be deregistered and registered again, in the table or not', () => {
    const { scenario } = start();
    registerTraders(scenario, made);

    deregisterTrader(scenario, 'AT', 'U99999999');
    deregisterTrader(scenario, 'AT', 'u99999901');
    const gone = [find(scenario, 'U99999999'), find(scenario, 'U99999901')];
    registerTraders(scenario, made);

    expect(gone).toEqual([undefined, undefined]);
    expect(find(scenario, 'U99999999')).toEqual(made);
  });

  it('are deregistered by their number, even with a name', () => {
    const { scenario } = start();

    scenario.apply({ vies: { deregister: [made] } });

    expect(find(scenario, 'U99999999')).toBeUndefined();
  });
});

describe('the description of VIES', () => {
  it('shows changes, and when Member States heal', () => {
    const { scenario } = start();
    const key = { country: 'AT', number: 'U99999901' };
    setMemberState(scenario, 'DE', 'down', { untilMinutes: 40 });
    registerTraders(scenario, { ...key, number: 'U1', name: '---', address: '---' });
    deregisterTrader(scenario, key.country, key.number);

    expect(scenario.describe()).toMatchObject({
      vies: {
        fault: 'none',
        faultStatus: 200,
        memberStates: { DE: { state: 'down', until: '2026-11-20T12:40:00.000Z' } },
        register: [{ number: 'U1' }],
        deregister: [key],
      },
    });
  });

  it('is the initial one after a reset', () => {
    const { scenario } = start();
    const plain = scenario.describe();
    setMemberState(scenario, 'DE', 'down', { untilMinutes: 40 });
    deregisterTrader(scenario, 'AT', 'U99999901');
    scenario.apply({ vies: { faultStatus: 500, prefixes: 'soap', longFaults: true, maxAge: 5 } });

    scenario.reset();

    expect(scenario.describe()).toEqual(plain);
  });
});
