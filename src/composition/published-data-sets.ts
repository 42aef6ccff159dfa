import type { Core } from './core.ts';
import { dataSets } from './data-sets.ts';
import { createFxFollower, type KnownCurrencies, type KnownPublications } from '../fx/follow.ts';
import { addLawRoutes } from '../fx/law/routes.ts';
import { addFxRangeRoute } from '../fx/routes.ts';
import { dataSetKinds, type DataSetKind } from '../platform/publication/data-set-kinds.ts';
import type { PublishedSnapshots } from '../platform/http/responses/published-snapshots.ts';
import type { CachedRoutes } from '../platform/http/routes/cached-routes.ts';
import type { Freshness } from '../platform/ops/data-set-status.ts';
import { createPublished } from '../platform/publication/published.ts';
import {
  addSnapshotRoutes,
  type DataSetRouteParts,
  type LinkOf,
} from '../platform/publication/routes.ts';
import type { IsoDate } from '../platform/time/time.ts';
import { addErrataRoutes } from '../rates/errata/routes.ts';
import type { KnownErrata } from '../rates/errata/known-errata.ts';
import { CategoryReader } from '../rates/categories/category-reader.ts';
import { addCategoryRoutes } from '../rates/categories/routes.ts';
import { addTerritoryRoutes } from '../rates/territories/routes.ts';
import { addChangeRoutes } from '../rates/routes.ts';

/** The published snapshots of each data set. */
export type Published = Readonly<Record<DataSetKind, PublishedSnapshots>>;

/** Creates the published snapshots of each data set; nothing is read yet, see {@link followPublications}. */
export function createAllPublished(parts: Parameters<typeof createPublished>[1]): Published {
  const all = dataSetKinds.map((kind) => [kind, createPublished(dataSets[kind], parts)]);
  return Object.fromEntries(all) as Published;
}

/** The facts about exchange rates that are in memory beside their snapshots. */
export type KnownFx = {
  readonly currencies: KnownCurrencies;
  readonly publications: KnownPublications;
};

/** Reads the published snapshots of each data set now, and after each publication by any process. */
export async function followPublications(
  { db, log, watch }: Core,
  parts: {
    readonly published: Published;
    readonly knownFx: KnownFx;
    readonly errata: KnownErrata;
  },
): Promise<void> {
  const { published, knownFx, errata } = parts;
  /** The data sets of which more is in memory than their snapshots. */
  const followers: { readonly [Kind in DataSetKind]?: () => Promise<void> } = {
    fx: createFxFollower({ db, log, ...knownFx, published: published.fx }),
  };
  for (const kind of dataSetKinds) {
    const refresh = followers[kind] ?? (async () => published[kind].refresh());
    watch.on(kind, refresh);
    await refresh();
  }
  watch.on('errata', async () => errata.refresh());
  await errata.refresh();
  // Held publications decide which rates are certain.
  if (followers.fx !== undefined) watch.on('held', followers.fx);
}

/** Adds the routes that every data set has, and the routes that only one has. */
export function addDataSetRoutes(
  published: Published,
  parts: {
    readonly db: Core['db'];
    readonly clock: Core['clock'];
    readonly knownFx: KnownFx;
    readonly errata: KnownErrata;
    readonly cachedRoutes: CachedRoutes;
  },
): void {
  const { db, clock, knownFx, errata, cachedRoutes } = parts;
  const ownRoutes: { readonly [Kind in DataSetKind]?: (given: DataSetRouteParts) => void } = {
    rates: (given) => {
      addChangeRoutes(given);
      const reader = new CategoryReader(db);
      addCategoryRoutes({ ...given, reader });
      addTerritoryRoutes({ ...given, reader });
      addErrataRoutes(cachedRoutes, errata);
    },
    fx: (given) => {
      addFxRangeRoute({ ...given, currencies: knownFx.currencies });
      addLawRoutes({ ...given, known: knownFx.publications, clock });
    },
  };
  const links: { readonly [Kind in DataSetKind]?: LinkOf } = {
    rates: (date) => errata.linkOf(date),
  };
  for (const kind of dataSetKinds) {
    const given = { db, published: published[kind], cachedRoutes };
    addSnapshotRoutes(dataSets[kind], { ...given, linkOf: links[kind] });
    ownRoutes[kind]?.(given);
  }
}

/** How fresh the published snapshots of each data set are, for the status. */
export function describeFreshness(published: Published): Freshness[] {
  return dataSetKinds.map((kind) => {
    const newestDate = (): IsoDate | undefined => published[kind].newestDate;
    const { today, countMissed, nextRunMs } = dataSets[kind];
    return {
      kind,
      newestDate,
      today,
      countMissed: (nowMs) => countMissed(newestDate(), nowMs),
      nextRunMs: (state) => nextRunMs({ ...state, newest: newestDate(), isStart: false }),
    };
  });
}
