import type { Db } from '../database/database.ts';
import { ApiError, type ApiErrorName } from '../http/responses/api-errors.ts';
import { publicResult } from '../http/responses/prepared-response.ts';
import type { PublishedSnapshots } from '../http/responses/published-snapshots.ts';
import { createRepresentation, type Representation } from '../http/responses/representation.ts';
import type { CachedRoutes } from '../http/routes/cached-routes.ts';
import { addWithCsv, type CsvFile, type PathSuffix } from '../http/routes/csv-routes.ts';
import { readAs } from '../http/routes/read-request.ts';
import type { IsoDate } from '../time/time.ts';
import type { DataSet } from './data-set.ts';
import type { Neighbours } from './snapshot-table.ts';

/** The parts that the routes of every data set need. */
export type DataSetRouteParts = {
  readonly db: Db;
  readonly cachedRoutes: Pick<CachedRoutes, 'add'>;
  readonly published: PublishedSnapshots;
};

/** The header `Link` of the snapshot of a date; undefined for none. */
export type LinkOf = (date: IsoDate) => string | undefined;

/**
 * Adds the routes of a data set: the latest snapshot, one by date (interface 4.1, 4.4), both also as CSV, and the list of
 * dates.
 */
export function addSnapshotRoutes(
  { api, snapshots }: DataSet,
  {
    db,
    cachedRoutes,
    published,
    linkOf,
  }: DataSetRouteParts & { readonly linkOf?: LinkOf | undefined },
): void {
  const { path, routes, noneYet, notFound } = api;
  const toCsv = ({ body }: Representation, date: IsoDate): CsvFile => ({
    name: `${path.slice(1).replace('/', '-')}-${date}`,
    table: api.toTable(body.toString()),
  });

  addWithCsv(cachedRoutes, {
    ...readAs(routes.latest),
    url: path,
    find: () => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError(noneYet);
      return { data: latest, policy: 'latest', link: linkOf?.(latest.date) };
    },
    toJson: ({ representation }) => representation,
    toCsv: ({ representation, date }) => toCsv(representation, date),
  });

  cachedRoutes.add({
    ...readAs(routes.dates),
    url: `${path}/dates`,
    find: async (span) => {
      const dates = await snapshots.listDates(db, span);
      const body = { dates, count: dates.length, ...(await api.readMoreOfDates?.(db)) };
      return publicResult(createRepresentation(JSON.stringify(body)), 'changes');
    },
  });

  const refuse = async (date: IsoDate, suffix: PathSuffix): Promise<never> => {
    throw dateNotFound(notFound, { path, suffix }, await snapshots.findNeighbours(db, date));
  };
  addWithCsv(cachedRoutes, {
    ...readAs(routes.dated),
    url: `${path}/:date`,
    find: async ({ date }, suffix) => {
      const data = await published.find(date);
      if (data === undefined) return refuse(date, suffix);
      return { data, policy: 'immutable', link: linkOf?.(date) };
    },
    toJson: (representation) => representation,
    toCsv: (representation, { date }) => toCsv(representation, date),
  });
}

/** A 404 for a date, with links to the nearest dates that have a snapshot, in the same form (contract C10). */
export function dateNotFound(
  code: ApiErrorName,
  { path, suffix }: { readonly path: string; readonly suffix: PathSuffix },
  { previous, next }: Neighbours,
): ApiError {
  const links = [
    previous === undefined ? [] : `<${path}/${previous}${suffix}>; rel="prev"`,
    next === undefined ? [] : `<${path}/${next}${suffix}>; rel="next"`,
  ].flat();
  return new ApiError(code, links.length === 0 ? {} : { link: links.join(', ') });
}
