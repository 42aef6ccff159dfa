import type { Db } from '../platform/database/database.ts';
import type { HeldDifference } from '../platform/publication/held-difference.ts';
import type { HeldSnapshot } from '../platform/publication/held-store.ts';
import { countGoods } from './categories/category-change-log.ts';
import { type RateKind, rateKinds } from './categories/category-row.ts';
import { findSnapshotCategories } from './categories/category-store.ts';
import { readCandidateSets } from './categories/publish-categories.ts';
import { type CountryCode, memberState } from './member-states.ts';
import { parseSnapshot, type RateEntry } from './snapshot.ts';
import { findLastStored, findLatest } from './store.ts';

/** The rates of one kind that a country had, and those that it would have; none for an empty list. */
type KindDifference = {
  readonly country: CountryCode;
  readonly kind: RateKind;
  readonly old: readonly string[];
  readonly new: readonly string[];
};

/** Compares a held snapshot with the newest stored one: its rates by country and kind, and its goods by country. */
export async function compareHeldRates(db: Db, held: HeldSnapshot): Promise<HeldDifference> {
  const previous = await findLastStored(db);
  const { entries } = parseSnapshot(held.candidate);
  const rates = compareKinds(previous?.entries ?? [], entries);
  const known =
    previous === undefined ? undefined : await findSnapshotCategories(db, previous.version);
  const sets = readCandidateSets(held.candidate);
  const goods = await countGoods(db, known?.sets ?? {}, sets);
  const lists = { rates, goods };
  if (previous === undefined) {
    const notices = [`nothing is stored yet; this day has rates of ${entries.length} countries`];
    return { comparedWith: null, vanishes: [], notices, isAnnounced: false, lists };
  }
  const [was, is] = [countriesOf(previous.entries), countriesOf(entries)];
  const staying = rates.filter(({ country }) => was.has(country) && is.has(country));
  const describe = (country: CountryCode, side: 'old' | 'new'): string =>
    rates
      .filter((one) => one.country === country && one[side].length > 0)
      .map((one) => `${wordOf(one.kind)} ${one[side].join(', ')}`)
      .join('; ');
  const hasGoods = known !== undefined && Object.keys(sets).length > 0;
  return {
    comparedWith: previous.version,
    vanishes: [
      ...was
        .difference(is)
        .values()
        .map((one) => `${nameOf(one)} has no rates any more; it had: ${describe(one, 'old')}`),
      ...goods
        .filter(({ after }) => after === 0)
        .map(({ country, before }) => `all goods of ${nameOf(country)} vanish: ${before} entries`),
    ],
    notices: [
      ...is
        .difference(was)
        .values()
        .map((one) => `${nameOf(one)} has rates, which it had not: ${describe(one, 'new')}`),
      ...staying.flatMap(describeKind),
    ],
    // The first publication has no event, also after a backfill.
    isAnnounced:
      (await findLatest(db)) !== undefined && (rates.length > 0 || (hasGoods && goods.length > 0)),
    lists,
  };
}

function countriesOf(entries: readonly RateEntry[]): Set<CountryCode> {
  return new Set(entries.map(({ country }) => country));
}

/** Lists the kinds of rates that differ, by country, then kind. */
function compareKinds(
  previous: readonly RateEntry[],
  current: readonly RateEntry[],
): readonly KindDifference[] {
  const was = new Map(previous.map((entry) => [entry.country, entry]));
  const is = new Map(current.map((entry) => [entry.country, entry]));
  return [...new Set([...was.keys(), ...is.keys()])].sort().flatMap((country) =>
    rateKinds.flatMap((kind) => {
      const old = listOf(was.get(country), kind);
      const now = listOf(is.get(country), kind);
      return old.join() === now.join() ? [] : [{ country, kind, old, new: now }];
    }),
  );
}

function listOf(entry: RateEntry | undefined, kind: RateKind): readonly string[] {
  if (entry === undefined) return [];
  const { standard, reduced, superReduced, parking } = entry;
  const rates = { standard, super_reduced: superReduced, parking };
  return kind === 'reduced' ? reduced : [rates[kind] ?? []].flat();
}

/** Says if a kind of rate appears or vanishes. */
function describeKind({ country, kind, old, new: now }: KindDifference): readonly string[] {
  const word = wordOf(kind);
  if (now.length === 0) {
    return [`${nameOf(country)} has no ${word} rate any more; it had ${old.join(', ')}`];
  }
  if (old.length > 0) return [];
  return [`${nameOf(country)} has a ${word} rate, which it had not: ${now.join(', ')}`];
}

function wordOf(kind: RateKind): string {
  return kind.replace('_', '-');
}

/** `Germany (DE)`. */
function nameOf(country: CountryCode): string {
  return `${memberState(country).name} (${country})`;
}
