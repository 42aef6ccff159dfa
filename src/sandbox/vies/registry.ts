import { type Trader, traders } from '../data/traders.ts';
import type { TraderKey } from '../scenario/vies-script.ts';
import { isTrader, traderKey, type ViesState } from '../scenario/vies-state.ts';
import type { CheckVat } from './xml.ts';

const registered = new Map(traders.map((trader) => [traderKey(trader), trader]));

// The trader of 100, the official test number that is registered in every Member State.
const johnDoe = { name: 'John Doe', address: '123 Main St, Anytown, UK' };

/** The trader with a number in any letter case; undefined if the number is not registered. */
export function findTrader(state: ViesState, key: TraderKey): Trader | undefined {
  const scripted = state.traders.get(traderKey(key));
  if (scripted !== undefined) return isTrader(scripted) ? scripted : undefined;
  if (key.number === '100') return { ...key, ...johnDoe };
  return registered.get(traderKey(key));
}

// These Member States answer with empty texts.
const answersEmpty: readonly string[] = ['AT', 'CZ', 'IE', 'NL', 'RO'];

/** The answer to a number that is not registered: name and address are `---`, or empty. */
export function invalidAnswer(check: CheckVat): CheckVat & Pick<Trader, 'name' | 'address'> {
  if (check.vatNumber === '200' || !answersEmpty.includes(check.countryCode)) {
    return { ...check, name: '---', address: '---' };
  }
  // Czechia was seen to leave out the number, too.
  const vatNumber = check.countryCode === 'CZ' ? '' : check.vatNumber;
  return { ...check, vatNumber, name: '', address: '' };
}
