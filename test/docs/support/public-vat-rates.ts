/** A place of the public list: a postcode of it and its standard rate. */
type PublicPlace = readonly [name: string, postcode: string, standard: number];

type PublicRates = {
  readonly rates: Readonly<Record<string, number>>;
  readonly places: readonly PublicPlace[];
};

/**
 * The newest rates of each country in the public list `vat-rates.json` (ibericode/vat-rates, as of commit 006bb852, of
 * July 2025): facts only, for the comparison in docs/shops.md.
 */
export const publicRates: Readonly<Record<string, PublicRates>> = {
  AT: of('reduced1 10, reduced2 13, standard 20, parking 13', [
    ['Jungholz', '6691', 19],
    ['Mittelberg', '6991', 19],
  ]),
  BE: of('reduced1 6, reduced2 12, standard 21, parking 12'),
  BG: of('reduced 9, standard 20'),
  CY: of('reduced1 5, reduced2 9, standard 19'),
  CZ: of('reduced 12, standard 21'),
  DE: of('reduced 7, standard 19', [
    ['Büsingen am Hochrhein', '78266', 0],
    ['Heligoland', '27498', 0],
  ]),
  DK: of('standard 25'),
  EE: of('press_publications 9, reduced 13, standard 24'),
  ES: of('super_reduced 4, reduced 10, standard 21', [
    ['Canary Islands', '35001', 0],
    ['Ceuta', '51001', 0],
    ['Melilla', '52001', 0],
  ]),
  FI: of('reduced1 10, reduced2 14, standard 25.5'),
  FR: of('super_reduced 2.1, reduced1 5.5, reduced2 10, standard 20', [
    ['Guadeloupe', '97110', 8.5],
    ['Martinique', '97200', 8.5],
    ['Guyane', '97300', 0],
    ['Reunion', '97400', 8.5],
    ['Mayotte', '97600', 0],
  ]),
  GB: of('standard 20, reduced 5'),
  GR: of('reduced1 6, reduced2 13, standard 24', [['Mount Athos', '63086', 0]]),
  HR: of('reduced1 5, reduced2 13, standard 25'),
  HU: of('reduced1 5, reduced2 18, standard 27'),
  IE: of('super_reduced 4.8, reduced1 9, reduced2 13.5, standard 23, parking 13.5'),
  IT: of('super_reduced 4, reduced1 5, reduced2 10, standard 22', [
    ["Campione d'Italia", '22061', 0],
    ['Livigno', '23041', 0],
  ]),
  LT: of('reduced1 5, reduced2 9, standard 21'),
  LU: of('super_reduced 3, reduced1 8, standard 17, parking 14'),
  LV: of('reduced1 5, reduced2 12, standard 21'),
  MT: of('reduced1 5, reduced2 7, standard 18'),
  NL: of('reduced 9, standard 21'),
  PL: of('reduced1 5, reduced2 8, standard 23'),
  PT: of('reduced1 6, reduced2 13, standard 23, parking 13', [
    ['Madeira', '9000001', 22],
    ['Azores', '9500001', 18],
  ]),
  RO: of('reduced1 5, reduced2 9, standard 19'),
  SE: of('reduced1 6, reduced2 12, standard 25'),
  SI: of('reduced1 5, reduced2 9.5, standard 22'),
  SK: of('reduced1 5, reduced2 19, standard 23'),
};

function of(rates: string, places: readonly PublicPlace[] = []): PublicRates {
  const named = rates.split(', ').map((one) => one.split(' ') as [string, string]);
  return { rates: Object.fromEntries(named.map(([kind, rate]) => [kind, Number(rate)])), places };
}
