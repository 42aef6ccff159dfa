import type { Trader, TraderField } from '../../numbers/trader.ts';

/** The fields of a trader that the BZSt compares, with their names in a question and in an answer. */
export const comparedFields = [
  { field: 'name', asked: 'firmenname', answered: 'ergFirmenname' },
  { field: 'street', asked: 'strasse', answered: 'ergStrasse' },
  { field: 'postcode', asked: 'plz', answered: 'ergPlz' },
  { field: 'city', asked: 'ort', answered: 'ergOrt' },
] as const satisfies readonly { field: TraderField; asked: string; answered: string }[];

/** The part of a trader that is sent: nothing without name and city, because no question has one of them alone. */
export function sentTrader(trader: Trader): Trader {
  if (trader.name === undefined || trader.city === undefined) return {};
  const fields = comparedFields.map(({ field }) => [field, trader[field]]);
  return Object.fromEntries(fields.filter(([, text]) => text !== undefined));
}
