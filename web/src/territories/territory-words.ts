import { countryName } from '../countries.ts';
import { distinctRates } from '../goods/goods-words.ts';
import { valuesInWords } from '../rates/rate-words.ts';
import type { Territory } from '../wire.ts';
import { countInWords, listInWords } from '../words.ts';

/** “3 places of Spain differ: Ceuta, Canary Islands and Melilla.” */
export function describePlaces(places: readonly Territory[], country: string): string {
  if (places.length === 0)
    return `No place of ${countryName(country)} with VAT of its own is known.`;
  const names = listInWords(places.map(({ name }) => name));
  const count = countInWords(places.length, 'place');
  return `${count} of ${countryName(country)} ${places.length === 1 ? 'differs' : 'differ'}: ${names}.`;
}

/** The rule of the law for a territory, in one sentence. */
export function explainTerritory({ vatTerritory, treatAs, country }: Territory): string {
  switch (vatTerritory) {
    case 'outside':
      return 'Outside the VAT area of the EU: no EU VAT rate applies there, and goods sent there from the EU are an export, unless the note says otherwise.';
    case 'special rates':
      return `Part of the VAT area of ${countryName(country)}, with rates of its own.`;
    case 'part of another state':
      return `Treated as part of ${stateName(treatAs ?? country)} for VAT.`;
    case 'goods only':
      return 'Part of the VAT area of the EU for goods, but not for services.';
  }
}

/** States outside of the EU as which a territory can count. */
function stateName(code: string): string {
  return code === 'GB' ? 'the United Kingdom' : countryName(code);
}

/** “IGIC: standard 7 %, reduced 0 %, 1 %, 3 % and 5 %”; “no VAT is levied”. The note has the days since which they hold. */
export function lawRatesInWords({
  tax,
  standard,
  reduced,
  parking,
}: NonNullable<Territory['rates']>): string {
  if (tax === 'none') return 'no VAT is levied';
  const reducedPart =
    reduced === null
      ? ', reduced rates not listed'
      : reduced.length === 0
        ? ''
        : `, reduced ${valuesInWords(reduced)}`;
  // A service before 0.4 does not report it.
  const parkingPart = typeof parking === 'number' ? `, parking ${parking} %` : '';
  return `${tax}: standard ${standard} %${reducedPart}${parkingPart}`;
}

/** TEDB's own rates, which can be late; they are never merged with those of law. */
export function tedbRatesInWords(tedbRates: Territory['tedbRates']): string {
  return distinctRates(tedbRates).join(', ');
}

const applications: Readonly<Record<string, string>> = {
  'seller established there':
    'Only to sellers that are established there. The postcode of a customer does not decide.',
  'place of supply there': 'To supplies whose place is there, from any seller.',
  'place of supply there, under French law': 'To supplies whose place is there, under French law.',
};

/** Whose supplies the rates cover. */
export function applicationInWords(appliesTo: string): string {
  return applications[appliesTo] ?? appliesTo;
}
