import { useState } from 'preact/hooks';
import { describeGoodsChange, type GoodsDifference } from '../goods/goods-comparison.ts';
import type { Api } from '../session/api.ts';
import type { RequestOutcome } from '../session/failure.ts';
import { type Load, useLoad } from '../session/load.ts';
import type { CategoryChanges, RateDates } from '../wire.ts';

/** The API has the changes of goods by day, so that each day is a request. */
const daysMax = 31;

/** The categories that changed with a stored day. */
export type GoodsDay = { readonly date: string; readonly differences: readonly GoodsDifference[] };

/** The changes of goods, as far as the days were compared. */
export type GoodsChanges = Pick<Load<unknown>, 'failure' | 'isLoading' | 'reload'> & {
  /** Days with changes. Undefined until they are known. */
  readonly days: readonly GoodsDay[] | undefined;
  /** The days that were compared, oldest first; empty if none has goods. */
  readonly compared: readonly string[];
  /** Compares earlier days as well; undefined if there are none. */
  readonly compareEarlier: (() => void) | undefined;
};

/**
 * Loads the changes of goods and services of the newest stored days.
 *
 * @param isWanted - If false, nothing is requested.
 */
export function useGoodsChanges(isWanted: boolean, since: string | undefined): GoodsChanges {
  const [count, setCount] = useState(daysMax);
  const stored = useLoad<RateDates>(isWanted ? '/rates/dates' : undefined);
  const from = stored.data?.categoriesFrom ?? undefined;
  const all = (stored.data?.dates ?? []).filter(
    (date) => from !== undefined && date >= from && date >= (since ?? ''),
  );
  const compared = all.slice(-count);
  const changes = useLoad<readonly GoodsDay[]>(
    compared.length === 0 ? undefined : compared.join(),
    fetchDays,
  );
  const { failure, reload } = stored.failure === undefined ? changes : stored;
  return {
    days: stored.data !== undefined && compared.length === 0 ? [] : changes.data,
    compared,
    compareEarlier:
      compared.length < all.length ? () => setCount((before) => before + daysMax) : undefined,
    failure,
    isLoading: stored.isLoading || changes.isLoading,
    reload,
  };
}

/** Requests the changes of days, which are separated by commas. */
async function fetchDays(
  api: Api,
  dates: string,
  signal: AbortSignal,
): Promise<RequestOutcome<readonly GoodsDay[]>> {
  const answers = await Promise.all(
    dates.split(',').map(async (date) => {
      const path = `/rates/${date}/categories/changes`;
      const answer = await api.get<CategoryChanges>(path, signal);
      return { date, answer };
    }),
  );
  const days: GoodsDay[] = [];
  for (const { date, answer } of answers) {
    if (answer.kind === 'failed') {
      const { failure } = answer;
      // A day that was stored without goods.
      if (failure.kind === 'refused' && failure.status === 404) continue;
      return answer;
    }
    const differences = answer.data.changes.map(describeGoodsChange);
    if (differences.length > 0) days.push({ date, differences });
  }
  return { kind: 'answered', data: days };
}
