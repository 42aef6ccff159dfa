import { wordHash } from '../data/noise.ts';

/**
 * The goods and services that reduced rates apply to, in the sandbox's own short words.
 *
 * The identifiers of the categories are the service's; its descriptions, CN and CPA codes are not
 * repeated here: the codes are made up from the chapters of the nomenclature.
 */

export interface Code {
  readonly value: string;
  readonly description: string;
}

export interface Category {
  readonly identifier: string;
  readonly description: string;
  /** Which list of codes a row of this category carries, and from which chapters. */
  readonly codes: 'cn' | 'cpa' | 'none';
  readonly chapters: readonly string[];
}

const cn = (identifier: string, description: string, chapters: string): Category => ({
  identifier,
  description: `${description} (in the sandbox: goods of the chapters ${chapters})`,
  codes: 'cn',
  chapters: chapters.split(' '),
});
const cpa = (identifier: string, description: string, chapters: string): Category => ({
  identifier,
  description: `${description} (in the sandbox: services of the divisions ${chapters})`,
  codes: 'cpa',
  chapters: chapters.split(' '),
});
const bare = (identifier: string, description: string): Category => ({
  identifier,
  description,
  codes: 'none',
  chapters: [],
});

export const regionCategory = bare('REGION', 'A rate that one region has, or goods in it');

/** The category whose super-reduced rows surprise a reader: PL 8, PT 6. */
export const temporaryExemption = bare(
  'TEMPORARY_EXEMPTION_RATE',
  'Rate below the minimum instead of an exemption, for the time being',
);

export const reducedCategories: readonly Category[] = [
  cn('FOODSTUFFS', 'Food and drink for people and animals', '01 02 03 04 07 08 09 10 11 15 16 17'),
  cn('FOODSTUFFS', 'Prepared food, ingredients and supplements', '18 19 20 21 22 23'),
  cn('SUPPLY_WATER', 'Water from the mains', '22'),
  cn('PHARMACEUTICAL_PRODUCTS', 'Medicines for people and animals', '28 29 30 96'),
  cn('MEDICAL_EQUIPMENT', 'Aids for people with disabilities', '40 61 62 84 87 90 94'),
  cn('BICYCLES_ELECTRIC', 'Bicycles with and without a motor', '87'),
  cn('CHILDREN_CAR_SEATS', 'Car seats for children', '94'),
  cn('NEWSPAPERS', 'Newspapers on paper and online', '49'),
  cn('PERIODICALS', 'Magazines on paper and online', '49'),
  cn('LOAN_LIBRARIES', 'Books, also lent by libraries', '49 85'),
  cn('AGRICULTURAL_PRODUCTION', 'Supplies for farms other than machines', '06 12 14 25 31 38'),
  cn('PLANT', 'Live plants and flowers', '06'),
  cn('PICTURES', 'Paintings, drawings and collages', '97'),
  cn('SCULPTURES', 'Original sculptures', '97'),
  cn('POSTAGE', 'Stamps and first-day covers for collectors', '97'),
  cn('WOOD', 'Wood for burning', '44'),
  cn('FOSSIL_FUEL', 'Fuels for heating', '27'),
  cn('SUPPLY_GAS', 'Natural gas', '27'),
  cpa('TRANSPORT_PASSENGERS', 'Transport of passengers and their luggage', '49 50 51'),
  cpa('ACCOMMODATION', 'Hotels, holiday homes and camp sites', '55'),
  cpa('RESTAURANT', 'Restaurants and catering', '56'),
  cpa('CULTURAL_EVENTS', 'Theatres, museums, cinemas, fairs', '59 90 91 93'),
  cpa('SPORTING_EVENTS', 'Admission to sports', '93'),
  cpa('HOUSING_PROVISION', 'Housing as part of a social policy', '41 43 68'),
  cpa('PRIVATE_DWELLINGS', 'Repair of private dwellings', '41 43'),
  cpa('WASTE_TREATMENT', 'Sewage, streets and waste', '37 38 81'),
  cpa('SHOES_REPAIR', 'Small repairs of shoes and leather', '95'),
  cpa('DOMESTIC_CARE', 'Help in the home', '88'),
  bare('HAIRDRESSING', 'Hairdressers'),
  bare('SOCIAL_WELLBEING', 'Goods and services of charities'),
  bare('WRITERS_SERVICES', 'Services of writers, composers and performers, and their royalties'),
];

export const superReducedCategories: readonly Category[] = [
  cn('FOODSTUFFS', 'Staple food', '04 07 08 10 11 19'),
  cn('NEWSPAPERS', 'Newspapers', '49'),
  cn('PHARMACEUTICAL_PRODUCTS', 'Medicines', '30'),
  cn('MEDICAL_EQUIPMENT', 'Aids for people with disabilities', '87 90'),
  bare('EXEMPTION_SUPERREDUCED', 'A rate below the minimum, kept from 1991'),
];

export const parkingCategories: readonly Category[] = [
  cn('WINE_FRESH_GRAPE', 'Wine of fresh grapes', '22'),
  cn('FUEL_MINERAL_OIL', 'Mineral oils as fuel', '27'),
  bare('NEW_PARKING_RATE', 'Goods and services at the parking rate'),
];

export const exemptedCategories: readonly Category[] = [
  bare('MEDICAL_CARE', 'Medical care'),
  bare('CULTURAL_EVENTS', 'Culture, where it is exempt'),
  bare('SOCIAL_WELLBEING', 'Services of charities, where they are exempt'),
];

/** Codes of a category, the same for the same seed: `0406 21 00`, `55.3`. */
export function makeCodes(category: Category, seed: string, count: number): readonly Code[] {
  return Array.from({ length: count }, (_, index) => {
    const hash = wordHash(seed, category.identifier, index);
    const chapter = pick(category.chapters, hash);
    const heading = String(1 + (index % 60)).padStart(2, '0');
    const value =
      category.codes === 'cpa'
        ? `${chapter}.${1 + (index % 9)}`
        : `${chapter}${heading} ${10 + (hash % 80)} ${String(index % 100).padStart(2, '0')}`;
    const form = pick(forms, hash >>> 8);
    return { value, description: `${category.description.split(' (')[0]}: ${form}` };
  });
}

const forms: readonly string[] = [
  'Fresh',
  'Other',
  'Frozen',
  'Dried, whether or not in retail packings of a net weight not exceeding 2 kg',
  'Of a weight of 80 kg or more',
  'Prepared or preserved, with or without added sugar, other than for industrial use',
  'For retail sale',
  'Other than in bulk, including parts and accessories of the same chapter',
];

function pick(words: readonly string[], hash: number): string {
  return words[hash % words.length] ?? '';
}
