import type { IsoDate } from '../../platform/time/time.ts';
import { findFixed } from '../law/euro-accessions.ts';
import type { CurrencyCode, FxSnapshot } from '../snapshot.ts';

/** Currencies that a publication lacks though the one before it has them, and that the euro did not replace between both. */
export type MissingCurrencies = {
  readonly date: IsoDate;
  readonly currencies: readonly CurrencyCode[];
};

/**
 * Lists the publications that lack currencies of the one before them. That is no reason to hold one: the ECB stopped
 * publishing the rouble on 2022-03-02 without notice in its files, and the real history has four such days.
 *
 * @param publications Oldest first; the first one is only compared with.
 */
export function listMissing(publications: readonly FxSnapshot[]): readonly MissingCurrencies[] {
  return publications.flatMap(({ date, rates }, at) => {
    const previous = publications[at - 1];
    if (previous === undefined) return [];
    const euro = findFixed({ after: previous.date, through: date }).map((one) => one.currency);
    const currencies = [...previous.rates.keys()].filter(
      (code) => !rates.has(code) && !euro.includes(code),
    );
    return currencies.length === 0 ? [] : [{ date, currencies }];
  });
}

/**
 * The remarks on new publications: a sentence for each that lacks currencies, and for each whose currencies the stored one
 * before it lacks. None for a first start, whose history is not news.
 *
 * @param stored Oldest first.
 * @param added Oldest first, in any order to the stored ones.
 */
export function describeMissing(
  stored: readonly FxSnapshot[],
  added: readonly FxSnapshot[],
): readonly string[] {
  const newest = stored.at(-1)?.date;
  if (newest === undefined) return [];
  const newer = added.filter(({ date }) => date > newest);
  const [next] = newer;
  return listMissing([...stored.slice(-2), ...newer]).flatMap(({ date, currencies }) => {
    if (date > newest) return [`${date} is published without ${currencies.join(', ')}`];
    const again = currencies.filter((code) => next?.rates.has(code) === true);
    if (next === undefined || again.length === 0) return [];
    return [`${date} lacks ${again.join(', ')}, which ${next.date} has again`];
  });
}
