import type { Db } from '../../platform/database/database.ts';
import type { HeldDifference } from '../../platform/publication/held-difference.ts';
import type { HeldSnapshot } from '../../platform/publication/held-store.ts';
import { isoDate } from '../../platform/time/time.ts';
import { boundSentences } from '../../platform/values/quote.ts';
import { listMissing } from './missing-currencies.ts';
import type { Series } from '../series.ts';
import {
  compareSnapshots,
  type FxDifference,
  type FxSnapshot,
  perUnit,
  splitValue,
} from '../snapshot.ts';

/**
 * Compares a held publication with the newest one of its series, or of a bank with the one before it: currencies, units and
 * table number.
 */
export async function compareHeldPublication(
  db: Db,
  { kind, snapshots, parse, isProvedByAnswers }: Series,
  held: HeldSnapshot,
): Promise<HeldDifference> {
  const latest = isProvedByAnswers
    ? await snapshots.findBefore(db, isoDate(held.version))
    : await snapshots.findLatest(db);
  const current = parse(held.candidate);
  const previous: FxSnapshot =
    latest === undefined ? { date: current.date, rates: new Map() } : parse(latest.body);
  const differences = compareSnapshots(previous, current);
  const toRow = kind === 'fx' ? toValues : toValuesWithUnits;
  const tables = { old: previous.table ?? null, new: current.table ?? null };
  const lists = {
    currencies: differences.map((one) => ({ ...toRow(one), percent: percentOf(one) })),
    ...(tables.old === tables.new ? {} : { tables: [tables] }),
  };
  if (latest === undefined) {
    const notices = [`nothing is stored yet; this day has ${current.rates.size} currencies`];
    return { comparedWith: null, vanishes: [], notices, isAnnounced: false, lists };
  }
  const missing = listMissing([previous, current]).flatMap(({ currencies }) => currencies);
  const gone = differences.filter(({ upstream }) => upstream === null);
  const lost = gone.filter(({ currency }) => missing.includes(currency));
  return {
    comparedWith: latest.date,
    vanishes: lost.map(({ currency, stored }) => `${currency} vanishes; it was ${stored}`),
    notices: [
      ...gone
        .filter((one) => !lost.includes(one))
        .map(({ currency }) => `${currency} vanishes, because the euro has replaced it`),
      ...boundSentences(differences.flatMap(describeUnits)),
    ],
    // There is no event about exchange rates.
    isAnnounced: false,
    lists,
  };
}

function toValues({ currency, stored, upstream }: FxDifference) {
  return { currency, old: stored, new: upstream };
}

function toValuesWithUnits({ currency, stored, upstream }: FxDifference) {
  const [old, oldUnits] = stored === null ? [null, null] : splitValue(stored);
  const [now, newUnits] = upstream === null ? [null, null] : splitValue(upstream);
  return { currency, old, oldUnits, new: now, newUnits };
}

/** The move of a value for one unit, in percent with two decimals; null for a currency that one side lacks. */
function percentOf({ stored, upstream }: FxDifference): number | null {
  if (stored === null || upstream === null) return null;
  return Number(((perUnit(upstream) / perUnit(stored) - 1) * 100).toFixed(2));
}

/** Says if a currency appears, or is for another number of units. */
function describeUnits({ currency, stored, upstream }: FxDifference): readonly string[] {
  if (upstream === null) return [];
  const [rate, units] = splitValue(upstream);
  if (stored === null)
    return [`${currency} appears: ${rate}${units === '1' ? '' : ` for ${units}`}`];
  const [, before] = splitValue(stored);
  return before === units ? [] : [`${currency} is for ${units} units; it was for ${before}`];
}
