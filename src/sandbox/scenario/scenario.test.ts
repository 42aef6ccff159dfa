import { describe, expect, it } from 'vitest';

import { isoDate } from '../../platform/time.ts';
import { Scenario } from './scenario.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import {
  changeRate,
  moveToNextDay,
  publishValue,
  setEcbFault,
  setLateDays,
  setNow,
  setTedbFault,
  setToday,
  setViesFault,
} from '../../../test/support/sandbox/scripts.ts';

function start(moment = '2026-11-20T21:30:15.250Z') {
  const clock = new SettableClock(moment);
  return { clock, scenario: new Scenario(clock) };
}

function timeOf(scenario: Scenario): string {
  return new Date(scenario.clock.now()).toISOString();
}

describe('the clock of the scenario', () => {
  it('is the base clock until the script moves it', () => {
    const { scenario } = start();

    expect(timeOf(scenario)).toBe('2026-11-20T21:30:15.250Z');
    expect(scenario.today).toBe('2026-11-20');
  });

  it('moves to a day at the same time of day in Brussels, also over a change to summer time', () => {
    const { scenario } = start();

    setToday(scenario, '2027-07-01');

    expect(timeOf(scenario)).toBe('2027-07-01T20:30:15.250Z');
    expect(scenario.today).toBe('2027-07-01');
  });

  it('moves with the base clock into the next day', () => {
    const { scenario, clock } = start();
    setToday(scenario, '2027-01-01');

    clock.set('2026-11-20T23:30:00Z');

    expect(scenario.today).toBe('2027-01-02');
  });

  it('moves to a moment', () => {
    const { scenario } = start();

    setNow(scenario, '2026-11-21T16:30:00+01:00');

    expect(timeOf(scenario)).toBe('2026-11-21T15:30:00.000Z');
  });

  it('moves to the next day', () => {
    const { scenario } = start();

    moveToNextDay(scenario);
    moveToNextDay(scenario);

    expect(timeOf(scenario)).toBe('2026-11-22T21:30:15.250Z');
  });

  it('follows the base clock again with null', () => {
    const { scenario } = start();
    setToday(scenario, '2027-07-01');

    setToday(scenario, null);

    expect(timeOf(scenario)).toBe('2026-11-20T21:30:15.250Z');
  });
});

describe('apply', () => {
  it('adds rate changes, and replaces a change of the same field and day', () => {
    const { scenario } = start();
    changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-21');
    changeRate(scenario, 'HU', 'reduced', ['5'], '2026-11-21');

    changeRate(scenario, 'HU', 'standard', ['26'], '2026-11-21');

    expect(scenario.state.rates.map(({ field, values }) => `${field} ${values.join()}`)).toEqual([
      'standard 26',
      'reduced 5',
    ]);
  });

  it('keeps fields that a script does not have', () => {
    const { scenario } = start();
    scenario.apply({ tedb: { latencyMs: 800, missing: ['DE'] } });

    setTedbFault(scenario, 'html', 2);

    expect(scenario.state.tedb).toEqual({
      latencyMs: 800,
      fault: 'html',
      times: 2,
      missing: ['DE'],
      regions: [],
    });
  });

  it('resets the scenario first if the script has a reset', () => {
    const { scenario } = start();
    setToday(scenario, '2027-01-01');
    setTedbFault(scenario, 'hang');

    scenario.apply({ reset: true, ecb: { lateDays: 1 } });

    expect(scenario.today).toBe('2026-11-20');
    expect(scenario.state.tedb.fault).toBe('none');
    expect(scenario.state.ecb.lateDays).toBe(1);
  });

  it('counts a delay that is made longer from its beginning', () => {
    const { scenario, clock } = start();
    setLateDays(scenario, 1);
    const { lateSince } = scenario.state.ecb;

    clock.set('2026-11-25T00:00:00Z');
    setLateDays(scenario, 2);

    expect(scenario.state.ecb.lateSince).toBe(lateSince);
  });

  it.each([
    [
      'a rate',
      (scenario: Scenario) => changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-21'),
    ],
    ['a fault of TEDB', (scenario: Scenario) => setTedbFault(scenario, 'html')],
    [
      'a value of the ECB',
      (scenario: Scenario) => publishValue(scenario, '2026-11-20', 'USD', '2'),
    ],
    ['a fault of VIES', (scenario: Scenario) => setViesFault(scenario, 'html')],
    ['a reset', (scenario: Scenario) => scenario.reset()],
  ])('makes a new revision with %s', (_, change) => {
    const { scenario } = start();
    const before = scenario.revision;

    change(scenario);

    expect(scenario.revision).toBe(before + 1);
  });

  it('keeps the revision when only time changes', () => {
    const { scenario } = start();
    const before = scenario.revision;

    moveToNextDay(scenario);
    setNow(scenario, '2026-12-24T18:00:00Z');

    expect(scenario.revision).toBe(before);
  });
});

describe('faults that heal', () => {
  it('last for the scripted number of answers', () => {
    const { scenario } = start();
    setTedbFault(scenario, 'truncated', 2);

    const seen = [1, 2, 3, 4].map(() => scenario.takeTedbFault());

    expect(seen).toEqual(['truncated', 'truncated', 'none', 'none']);
  });

  it('last until they are replaced if they have no count, even after a fault with a count', () => {
    const { scenario } = start();
    setEcbFault(scenario, 'html', 1);
    scenario.apply({ ecb: { fault: 'reset' } });

    const seen = [1, 2, 3].map(() => scenario.takeEcbFault());

    expect(seen).toEqual(['reset', 'reset', 'reset']);
  });

  it('do not count the answers of the other upstream', () => {
    const { scenario } = start();
    setTedbFault(scenario, 'html', 1);

    expect(scenario.takeEcbFault()).toBe('none');
    expect(scenario.takeTedbFault()).toBe('html');
  });
});

describe('the description of the scenario', () => {
  it('shows the whole state with the sandbox’s time', () => {
    const { scenario } = start();
    scenario.apply({ today: isoDate('2026-11-21'), ecb: { lateDays: 1 } });

    expect(scenario.describe()).toMatchObject({
      now: '2026-11-21T21:30:15.250Z',
      today: '2026-11-21',
      clock: 'moved',
      rates: [],
      tedb: { fault: 'none' },
      ecb: { lateDays: 1, lateSince: '2026-11-21T21:30:15.250Z' },
    });
  });
});
