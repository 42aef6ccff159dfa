import type { Core } from './core.ts';
import { dataSets } from './data-sets.ts';
import { bankSeries } from '../fx/banks/banks.ts';
import { ecb } from '../fx/ecb/ecb.ts';
import { createFxFollower, KnownCurrencies, KnownPublications } from '../fx/follow.ts';
import { addLawRoutes, type LawSources } from '../fx/law/routes.ts';
import { addFxRangeRoute } from '../fx/range/routes.ts';
import type { Config } from '../platform/config/options.ts';
import { ApiError } from '../platform/http/responses/api-errors.ts';
import {
  allKinds,
  type BankName,
  type DataSetKind,
} from '../platform/publication/data-set-kinds.ts';
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
import { addExportRoutes } from '../rates/export/routes.ts';
import { addTerritoryRoutes } from '../rates/territories/routes.ts';
import { addChangeRoutes } from '../rates/routes.ts';

/** The published snapshots of each data set. */
export type Published = Readonly<Record<DataSetKind, PublishedSnapshots>>;

/** Creates the published snapshots of each data set; nothing is read yet, see {@link followPublications}, and never of a bank that is not enabled. */
export function createAllPublished(parts: Parameters<typeof createPublished>[1]): Published {
  const all = allKinds.map((kind) => [kind, createPublished(dataSets[kind], parts)]);
  return Object.fromEntries(all) as Published;
}

/** The facts about exchange rates that are in memory beside their snapshots. */
export type KnownFx = {
  readonly currencies: KnownCurrencies;
  readonly publications: KnownPublications;
  /** The publications of each enabled bank. */
  readonly banks: Readonly<Partial<Record<BankName, KnownPublications>>>;
};

/** Creates them, empty. */
export function createKnownFx({ fxBanks }: Pick<Config, 'fxBanks'>): KnownFx {
  const banks = fxBanks.map((name) => [name, new KnownPublications(bankSeries[name])]);
  return {
    currencies: new KnownCurrencies(),
    publications: new KnownPublications(ecb),
    banks: Object.fromEntries(banks) as KnownFx['banks'],
  };
}

/** Reads the published snapshots of each data set now, and after each publication by any process. */
export async function followPublications(
  { db, log, watch, kinds, config }: Core,
  parts: {
    readonly published: Published;
    readonly knownFx: KnownFx;
    readonly errata: KnownErrata;
  },
): Promise<void> {
  const { published, knownFx, errata } = parts;
  type Follow = (of: { readonly hasGoneBack: boolean }) => Promise<void>;
  const followBank =
    (bank: BankName): Follow =>
    async (of) => {
      await knownFx.banks[bank]?.refresh(db);
      await published[bank].refresh(of);
    };
  /** The data sets of which more is in memory than their snapshots. */
  const followers: { readonly [Kind in DataSetKind]?: Follow } = {
    fx: createFxFollower({ db, log, ...knownFx, published: published.fx }),
    ...Object.fromEntries(config.fxBanks.map((bank) => [bank, followBank(bank)])),
  };
  for (const kind of kinds) {
    const refresh: Follow = followers[kind] ?? (async (of) => published[kind].refresh(of));
    watch.on(kind, async (_, hasGoneBack) => refresh({ hasGoneBack }));
    await refresh({ hasGoneBack: false });
  }
  watch.on('errata', async () => errata.refresh());
  await errata.refresh();
  // Held publications decide which rates are certain.
  for (const follow of Object.values(followers)) {
    watch.on('held', async (_, hasGoneBack) => follow({ hasGoneBack }));
  }
}

/** Adds the routes that every data set has, and the routes that only one has. */
export function addDataSetRoutes(
  published: Published,
  parts: {
    readonly db: Core['db'];
    readonly clock: Core['clock'];
    readonly kinds: Core['kinds'];
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
      addCategoryRoutes({ ...given, reader, errata });
      addTerritoryRoutes({ ...given, reader });
      addErrataRoutes(cachedRoutes, errata);
      addExportRoutes({ ...given, linkOf: (date) => errata.linkOf(date) });
    },
    fx: (given) => {
      addFxRangeRoute({ ...given, currencies: knownFx.currencies });
      addLawRoutes({ ...given, sources: lawSources(published, knownFx), clock });
    },
  };
  const links: { readonly [Kind in DataSetKind]?: LinkOf } = {
    rates: (date) => errata.linkOf(date),
  };
  for (const kind of allKinds) {
    const isEnabled = parts.kinds.includes(kind);
    const given = { db, published: published[kind], cachedRoutes };
    const answering = isEnabled ? cachedRoutes : refusing(cachedRoutes);
    addSnapshotRoutes(dataSets[kind], { ...given, cachedRoutes: answering, linkOf: links[kind] });
    ownRoutes[kind]?.(given);
  }
}

/** Adds routes that answer 404, because their bank is not enabled (rule N1). */
function refusing(cachedRoutes: CachedRoutes): Pick<CachedRoutes, 'add'> {
  const find = (): never => {
    throw new ApiError('fxBankNotEnabled');
  };
  return { add: (route) => cachedRoutes.add({ ...route, find }) };
}

/** The publications from which laws are answered, by the names of banks that callers use. */
function lawSources(published: Published, { publications, banks }: KnownFx): LawSources {
  const all = Object.entries({ ...banks, ecb: publications }).map(([name, known]) => [
    name,
    { known, published: published[known.series.kind] },
  ]);
  return Object.fromEntries(all) as LawSources;
}

/** How fresh the published snapshots of each data set are, for the status. */
export function describeFreshness(
  published: Published,
  kinds: readonly DataSetKind[],
): Freshness[] {
  return kinds.map((kind) => {
    const newestDate = (): IsoDate | undefined => published[kind].newestDate;
    const { today, countMissed, nextRunMs, findSecondAnswerMs } = dataSets[kind];
    return {
      kind,
      newestDate,
      today,
      findSecondAnswerMs,
      countMissed: (nowMs) => countMissed(newestDate(), nowMs),
      nextRunMs: (state) => nextRunMs({ ...state, newest: newestDate(), isStart: false }),
    };
  });
}
