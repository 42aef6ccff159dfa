import { describe, expect, it } from 'vitest';

import { Scenario } from './scenario.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import {
  moveToNextDay,
  setEcbFault,
  setMemberState,
  setNow,
  setTedbFault,
  setToday,
  setViesFault,
} from '../../../test/support/sandbox/scripts.ts';

function start() {
  const clock = new SettableClock('2026-11-20T21:30:15.250Z');
  return { clock, scenario: new Scenario(clock) };
}

describe('the clock of the scenario', () => {
  it('moves to a day, a moment or the next day, and follows the base clock again', () => {
    const { scenario, clock } = start();
    const timeAfter = (change: () => void) => {
      change();
      return `${new Date(scenario.clock.now()).toISOString()} ${scenario.today}`;
    };

    // The time of day in Brussels stays the same in summer.
    expect([
      timeAfter(() => setToday(scenario, '2027-07-01')),
      timeAfter(() => moveToNextDay(scenario)),
      timeAfter(() => clock.set('2026-11-20T23:30:15.250Z')),
      timeAfter(() => setNow(scenario, '2026-11-21T16:30:00+01:00')),
      timeAfter(() => setToday(scenario, null)),
    ]).toEqual([
      '2027-07-01T20:30:15.250Z 2027-07-01',
      '2027-07-02T20:30:15.250Z 2027-07-02',
      '2027-07-02T22:30:15.250Z 2027-07-03',
      '2026-11-21T15:30:00.000Z 2026-11-21',
      '2026-11-20T23:30:15.250Z 2026-11-21',
    ]);
  });
});

describe('faults', () => {
  it('last for the scripted number of answers of their upstream, or for ever', () => {
    const { scenario } = start();
    setTedbFault(scenario, 'truncated', 2);
    setViesFault(scenario, 'reset', 1);
    setEcbFault(scenario, 'html', 1);
    scenario.apply({ ecb: { fault: 'frozen' } });

    expect([1, 2, 3].map(() => scenario.takeTedbFault())).toEqual([
      'truncated',
      'truncated',
      'none',
    ]);
    expect([1, 2, 3].map(() => scenario.takeEcbFault())).toEqual(['frozen', 'frozen', 'frozen']);
    const taken = ['DE', undefined].map((country) => scenario.takeViesCall(country).fault);
    expect(taken).toEqual(['reset', 'none']);
  });

  it('of a Member State heal by the clock or by answers, and leave the others alone', () => {
    const { scenario, clock } = start();
    setMemberState(scenario, 'DE', 'down', { untilMinutes: 40, latencyMs: 200 });
    setMemberState(scenario, 'IT', 'throttled', { times: 1 });
    scenario.apply({ vies: { latencyMs: 10 } });
    const take = (country: string) => {
      const { memberState, latencyMs } = scenario.takeViesCall(country);
      return `${country} ${memberState.state} ${latencyMs}`;
    };

    const before = ['DE', 'IT', 'IT', 'FR'].map(take);
    clock.set('2026-11-20T22:10:15.250Z');

    expect(before).toEqual(['DE down 210', 'IT throttled 10', 'IT up 10', 'FR up 10']);
    expect(take('DE')).toBe('DE up 10');
  });
});
