import type { Read } from './read.ts';

/** Reads of the exchange rates that laws mean, each asked as JSON and as CSV. */
export const fxLawReads: readonly Read[] = [
  [200, '/fx/oss/2026-Q3'],
  [200, '/fx/ioss/2026-10'],
  [200, '/fx/customs/2026-12'],
  ...['oss', 'ioss', 'customs'].flatMap((rule): Read[] => {
    const periods = rule === 'oss' ? ['1998-Q4', '2026-Q4'] : ['1998-12', '2027-01'];
    return [
      [400, `/fx/${rule}/2026-13`],
      ...periods.map((period): Read => [404, `/fx/${rule}/${period}`]),
    ];
  }),
  [200, '/fx/vat/2026-11-20'],
  [200, '/fx/vat/2026-11-20?country=PL'],
  [200, '/fx/vat/2026-11-20?country=PL&issued=2026-11-18'],
  [400, '/fx/vat/2026-11-20?country=PL&issued=2026-02-30'],
  [200, '/fx/vat/2026-11-20T10:00:00.000+01:00'],
  [400, '/fx/vat/2026-11-20T10:00:00'],
  [400, '/fx/vat/2026-11-20?country=DE'],
  [400, '/fx/vat/2026-11-20?country=CZ'],
  [200, '/fx/vat/2026-11-20?country=PL&bank=nbp'],
  [200, '/fx/vat/2026-11-20?country=CZ&bank=cnb'],
  [400, '/fx/vat/2026-11-20?country=DE&bank=nbp'],
  [400, '/fx/vat/2026-11-20?bank=nbp'],
  [400, '/fx/vat/2026-11-20?bank=cnb'],
  [400, '/fx/vat/2026-11-20?bank=ecb'],
  [400, '/fx/vat/2026-11-20?country=PL&bank=xyz'],
  [404, '/fx/vat/1998-12-31'],
  [404, '/fx/vat/2026-11-23'],
];
