import type { Core } from './composition.ts';
import { dataSets } from './data-sets.ts';
import { createFxFollower } from './fx/follow.ts';
import type { KnownCurrencies } from './fx/known-currencies.ts';
import { addFxRangeRoute } from './fx/routes.ts';
import { dataSetKinds, type DataSetKind } from './platform/data-set-kinds.ts';
import type { PublishedSnapshots } from './platform/http/responses/published-snapshots.ts';
import type { CachedRoutes } from './platform/http/routes/cached-routes.ts';
import type { Freshness } from './platform/ops/data-set-status.ts';
import { createPublished } from './platform/publication/published.ts';
import { addSnapshotRoutes, type DataSetRouteParts } from './platform/publication/routes.ts';
import type { IsoDate } from './platform/time.ts';
import { addChangeRoutes } from './rates/routes.ts';

/** The published snapshots of each data set. */
export type Published = Readonly<Record<DataSetKind, PublishedSnapshots>>;

/** Creates the published snapshots of each data set; nothing is read yet, see {@link followPublications}. */
export function createAllPublished(parts: Parameters<typeof createPublished>[1]): Published {
  const all = dataSetKinds.map((kind) => [kind, createPublished(dataSets[kind], parts)]);
  return Object.fromEntries(all) as Published;
}

/** Reads the published snapshots of each data set now, and after each publication by any process. */
export async function followPublications(
  { db, log, watch }: Core,
  parts: { readonly published: Published; readonly currencies: KnownCurrencies },
): Promise<void> {
  const { published, currencies } = parts;
  /** The data sets of which more is in memory than their snapshots. */
  const followers: { readonly [Kind in DataSetKind]?: () => Promise<void> } = {
    fx: createFxFollower({ db, log, currencies, published: published.fx }),
  };
  for (const kind of dataSetKinds) {
    const refresh = followers[kind] ?? (async () => published[kind].refresh());
    watch.on(kind, refresh);
    await refresh();
  }
}

/** Adds the routes that every data set has, and the routes that only one has. */
export function addDataSetRoutes(
  published: Published,
  parts: {
    readonly db: Core['db'];
    readonly currencies: KnownCurrencies;
    readonly cachedRoutes: CachedRoutes;
  },
): void {
  const { db, currencies, cachedRoutes } = parts;
  const ownRoutes: { readonly [Kind in DataSetKind]?: (given: DataSetRouteParts) => void } = {
    rates: addChangeRoutes,
    fx: (given) => addFxRangeRoute({ ...given, currencies }),
  };
  for (const kind of dataSetKinds) {
    const given = { db, published: published[kind], cachedRoutes };
    addSnapshotRoutes(dataSets[kind], given);
    ownRoutes[kind]?.(given);
  }
}

/** How fresh the published snapshots of each data set are, for the status. */
export function describeFreshness(published: Published): Freshness[] {
  return dataSetKinds.map((kind) => {
    const newestDate = (): IsoDate | undefined => published[kind].newestDate;
    const { countMissed } = dataSets[kind];
    return { kind, newestDate, countMissed: (nowMs) => countMissed(newestDate(), nowMs) };
  });
}
