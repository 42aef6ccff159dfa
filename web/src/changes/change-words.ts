import { rateKinds, rateName } from '../rates/rate-words.ts';
import type { GoodsDay } from './use-goods-changes.ts';
import type { GoodsDifference } from '../goods/goods-comparison.ts';
import type { RateChange } from '../wire.ts';

/** `reduced[1]` as “Second reduced rate”. */
export function fieldInWords(field: string): string {
  const [, kind = '', at = '0'] = /^(\w+)(?:\[(\d+)\])?$/.exec(field) ?? [];
  const known = rateKinds.find((one) => one === kind);
  return known === undefined ? field : rateName(known, Number(at));
}

/** “lowered”, “raised”, “introduced” or “removed”. */
export function moveInWords(change: RateChange): string {
  if (change.old === null) return 'introduced';
  if (change.new === null) return 'removed';
  return change.new > change.old ? 'raised' : 'lowered';
}

/** The changes of a day. */
export type Day = {
  readonly date: string;
  readonly rates: readonly RateChange[];
  readonly goods: readonly GoodsDifference[];
};

/** Groups changes by day, the newest first; the changes of a day keep their order. */
export function groupByDay(
  rates: readonly RateChange[],
  goods: readonly GoodsDay[],
): readonly Day[] {
  const ratesOf = Map.groupBy(rates, ({ snapshotDate }) => snapshotDate);
  const goodsOf = new Map(goods.map(({ date, differences }) => [date, differences]));
  const dates = [...new Set([...ratesOf.keys(), ...goodsOf.keys()])].toSorted().toReversed();
  return dates.map((date) => ({
    date,
    rates: ratesOf.get(date) ?? [],
    goods: goodsOf.get(date) ?? [],
  }));
}
