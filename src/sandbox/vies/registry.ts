import { type Trader, traders } from '../data/traders.ts';
import type { TraderKey } from '../scenario/vies-script.ts';
import { isTrader, traderKey, type ViesState } from '../scenario/vies-state.ts';
import type { CheckedNumber } from './xml.ts';

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

/** Whether the test service answers for a number: 100 and 200, unless a script registers or deregisters it. */
export function isTestNumber(state: ViesState, key: TraderKey): boolean {
  return ['100', '200'].includes(key.number) && !state.traders.has(traderKey(key));
}

/** Whether numbers of a Member State may have this length: that of one of its traders in the table. */
export function hasPossibleLength({ country, number }: TraderKey): boolean {
  return traders.some((one) => one.country === country && one.number.length === number.length);
}

// These Member States answer checkVat with empty texts.
const answersEmpty: readonly string[] = ['AT', 'CZ', 'IE', 'NL', 'RO'];

/** The answer of checkVat to a number that is not registered: name and address are `---`, or empty. */
export function invalidAnswer({
  countryCode,
  vatNumber,
}: CheckedNumber): CheckedNumber & Pick<Trader, 'name' | 'address'> {
  if (vatNumber === '200' || !answersEmpty.includes(countryCode)) {
    return { countryCode, vatNumber, name: '---', address: '---' };
  }
  // Czechia was seen to leave out the number, too.
  return {
    countryCode,
    vatNumber: countryCode === 'CZ' ? '' : vatNumber,
    name: '',
    address: '',
  };
}
