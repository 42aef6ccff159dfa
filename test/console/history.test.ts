import { describe, expect, it } from 'vitest';
import { findSteps } from '../../web/src/country/history.ts';
import type { RateSnapshot } from '../../web/src/wire.ts';

const day = (at: number): string =>
  new Date(Date.UTC(2020, 0, 1) + at * 86_400_000).toISOString().slice(0, 10);
const days = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => day(at));

/** Finds the steps of Hungary, whose standard rate on a date is `rateOn`. */
async function search(
  dates: readonly string[],
  rateOn: (date: string) => number,
  changedOn: readonly string[] = [],
): Promise<{ readonly steps: readonly string[]; readonly reads: number }> {
  const requested = new Set<string>();
  const read = async (date: string): Promise<RateSnapshot> => {
    requested.add(date);
    const entry = {
      country: '',
      currency: '',
      flag: '',
      reduced: [],
      super_reduced: null,
      parking: null,
    };
    const rates = {
      HU: { ...entry, standard: rateOn(date) },
      // Another country changes every day.
      AT: { ...entry, standard: Date.parse(date) },
    };
    return Promise.resolve({ version: date, source: '', rates });
  };
  const steps = await findSteps({ country: 'HU', dates, changedOn: new Set(changedOn), read });
  return { steps: steps.map(({ snapshot }) => snapshot.version), reads: requested.size };
}

describe('findSteps', () => {
  it('finds the day of each change in ten years, and reads few snapshots', async () => {
    const dates = days(3_653);
    const rateOn = (date: string): number =>
      date < '2021-07-01' ? 27 : date < '2024-02-17' ? 25 : 26;

    const { steps, reads } = await search(dates, rateOn);

    expect(steps).toEqual(['2020-01-01', '2021-07-01', '2024-02-17']);
    expect(reads).toBeLessThan(140);
  });

  it('finds both days of a change that is reversed after two months', async () => {
    const rateOn = (date: string): number => (date >= '2020-05-20' && date < '2020-07-20' ? 5 : 27);

    const { steps } = await search(days(366), rateOn);

    expect(steps).toEqual(['2020-01-01', '2020-05-20', '2020-07-20']);
  });

  it('finds a change that is reversed after a day if the change log has it', async () => {
    const rateOn = (date: string): number => (date === '2020-05-20' ? 5 : 27);

    const { steps } = await search(days(366), rateOn, ['2020-05-20', '2020-05-21']);

    expect(steps).toEqual(['2020-01-01', '2020-05-20', '2020-05-21']);
  });
});
