import { traderBook } from '../data/traders.ts';
import type { Trader, TraderKey, ViesState } from '../scenario/vies-state.ts';
import { isTrader, traderKey } from '../scenario/vies-state.ts';
import type { CheckVat } from './xml.ts';

/** The Member States that VIES can ask, by registry code: the EU-27 and Northern Ireland. */
export const viesStates: readonly string[] = [...new Set(traderBook.map(({ country }) => country))];

const book = new Map(traderBook.map((trader) => [traderKey(trader), trader]));

// The number of the official test service that is on file everywhere.
const johnDoe = { name: 'John Doe', address: '123 Main St, Anytown, UK' };

/** The trader with a number in any letter case; null when the number is not on file. */
export function findTrader({ traders }: ViesState, key: TraderKey): Trader | null {
  const scripted = traders.get(traderKey(key));
  if (scripted !== undefined) return isTrader(scripted) ? scripted : null;
  if (key.number === '100') return { ...key, ...johnDoe };
  return book.get(traderKey(key)) ?? null;
}

const answersEmpty: readonly string[] = ['AT', 'CZ', 'IE', 'NL', 'RO'];

/** What is answered around a number that is not on file: `---`, or empty texts from some. */
export function invalidAnswer(check: CheckVat): CheckVat & Pick<Trader, 'name' | 'address'> {
  if (check.vatNumber === '200' || !answersEmpty.includes(check.countryCode)) {
    return { ...check, name: '---', address: '---' };
  }
  // Czechia was seen to leave out the number as well.
  const vatNumber = check.countryCode === 'CZ' ? '' : check.vatNumber;
  return { ...check, vatNumber, name: '', address: '' };
}
