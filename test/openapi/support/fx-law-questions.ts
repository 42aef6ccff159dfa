import type { Read } from './read.ts';

/** Reads of the exchange rates that laws mean, each asked as JSON and as CSV. */
export const fxLawReads: readonly Read[] = [
  [200, '/fx/oss/2026-Q3'],
  [200, '/fx/ioss/2026-10'],
  [200, '/fx/customs/2026-12'],
  ...['oss', 'ioss', 'customs'].flatMap((rule): Read[] => {
    const periods = rule === 'oss' ? ['1998-Q4', '2026-Q4'] : ['1998-12', '2027-01'];
