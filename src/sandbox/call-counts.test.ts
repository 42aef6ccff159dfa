import { describe, expect, it } from 'vitest';

import { CallCounts } from './call-counts.ts';

describe('CallCounts', () => {
  it('has counted nothing at first', () => {
    const counts = new CallCounts();

    expect([counts.calls(), counts.inFlight('DE'), counts.mostInFlight()]).toEqual([0, 0, 0]);
  });

  it('counts each Member State and all of them', () => {
    const counts = new CallCounts();

    counts.begin('DE')();
    counts.begin('DE')();
    counts.begin('FR')();

    expect([counts.calls('DE'), counts.calls('FR'), counts.calls()]).toEqual([2, 1, 3]);
  });

  it('keeps the greatest number of calls in flight at the same time', () => {
    const counts = new CallCounts();
    const ends = [counts.begin('DE'), counts.begin('DE'), counts.begin('FR')];

    for (const end of ends) end();
    counts.begin('DE');

    expect([counts.mostInFlight('DE'), counts.mostInFlight('FR'), counts.mostInFlight()]).toEqual([
      2, 1, 3,
    ]);
    expect([counts.inFlight('DE'), counts.inFlight('FR'), counts.inFlight()]).toEqual([1, 0, 1]);
  });

  it('ends a call only once', () => {
    const counts = new CallCounts();
    const end = counts.begin('DE');
    counts.begin('DE');

    end();
    end();

    expect(counts.inFlight('DE')).toBe(1);
  });

  it('still counts calls in flight after clear', () => {
    const counts = new CallCounts();
    counts.begin('DE')();
    counts.begin('DE');
    counts.begin('DE')();

    counts.clear();

    expect([counts.calls('DE'), counts.inFlight('DE'), counts.mostInFlight('DE')]).toEqual([
      0, 1, 1,
    ]);
  });
});
