import { describe, expect, it } from 'vitest';

import { isoDate } from '../../platform/time.ts';
import { ratesInForce } from './rates-in-force.ts';

describe('ratesInForce', () => {
  it('returns every field, empty if it has no values', () => {
    expect(ratesInForce('DK', isoDate('2026-09-15'), [])).toEqual({
      standard: ['25'],
      reduced: [],
      super_reduced: [],
      parking: [],
    });
  });

  it('ends a rate on the day before its exclusive end', () => {
    expect(ratesInForce('EE', isoDate('2025-06-30'), []).standard).toEqual(['22']);
    expect(ratesInForce('EE', isoDate('2025-07-01'), []).standard).toEqual(['24']);
  });

  it('prefers the newest scripted change to history and to older changes', () => {
    const change = { country: 'AT', field: 'reduced' } as const;
    const scripts = [
      { ...change, values: ['9'], from: isoDate('2026-12-01') },
      { ...change, values: ['8', '11'], from: isoDate('2026-11-01') },
    ];

    expect(ratesInForce('AT', isoDate('2026-10-31'), scripts).reduced).toEqual(['10', '13']);
    expect(ratesInForce('AT', isoDate('2026-11-30'), scripts).reduced).toEqual(['8', '11']);
    expect(ratesInForce('AT', isoDate('2027-03-01'), scripts).reduced).toEqual(['9']);
  });
});
