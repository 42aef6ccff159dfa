import { ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import { publicResult } from '../../platform/http/responses/prepared-response.ts';
import {
  type CachePolicy,
  createRepresentation,
} from '../../platform/http/responses/representation.ts';
import { addWithCsv, type PathSuffix } from '../../platform/http/routes/csv-routes.ts';
import { printAnswer } from '../../platform/http/routes/define-route.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { countFitting } from '../../platform/values/page-limit.ts';
import { dateNotFound, type DataSetRouteParts } from '../../platform/publication/routes.ts';
import type { IsoDate } from '../../platform/time/time.ts';
import type { KnownErrata } from '../errata/known-errata.ts';
import { parseSnapshot, source } from '../snapshot.ts';
import { rateSnapshots } from '../store.ts';
import { listCategoryChanges } from './category-change-log.ts';
import { countCategories } from './category-list.ts';
import { type CategoryPage, printCursor } from './category-cursor.ts';
import type { CategoryReader } from './category-reader.ts';
import { asListed, type Page, printPage } from './category-wire.ts';
import { categoriesTable } from './csv.ts';
import {
  categoryLimits,
  type CategoryRequest,
  expectedOf,
  findCategories,
  findCategoriesOfDate,
  listCategories,
  listChangesOfCategories,
} from './definitions.ts';
import { matchRows } from './match-rows.ts';
import type { MatchedRow, RowFilter } from './matched-row.ts';

type Parts = DataSetRouteParts & {
  readonly reader: CategoryReader;
  readonly errata: KnownErrata;
};

/** Adds the routes of rates by goods category, as JSON and as CSV (rules G3, G6). */
export function addCategoryRoutes(parts: Parts): void {
  const { cachedRoutes, published, reader } = parts;
  const find = async (query: Question, suffix: PathSuffix, policy: CachePolicy) => ({
    data: await findPage(parts, query, suffix),
    policy,
  });
  const toCsv = ({ version, rows }: Page) => ({
    name: `categories-${version}`,
    table: categoriesTable(version, rows),
  });

  addWithCsv(cachedRoutes, {
    ...readAs(findCategories, toQuestion),
    url: '/rates/categories',
    find: (query, suffix) => find(query, suffix, 'latest'),
    toJson: (page) => createRepresentation(printPage(page)),
    toCsv,
  });

  addWithCsv(cachedRoutes, {
    ...readAs(findCategoriesOfDate, toQuestion),
    url: '/rates/:date/categories',
    find: (query, suffix) => find(query, suffix, 'immutable'),
    toJson: (page) => createRepresentation(printPage(page)),
    toCsv,
  });

  cachedRoutes.add({
    ...readAs(listChangesOfCategories),
    url: '/rates/:date/categories/changes',
    find: async ({ date }) => {
      const changes = await listCategoryChanges(parts.db, date);
      if (changes === undefined) throw await findReason(parts, date);
      const list = { snapshotDate: date, changes: asListed(changes), count: changes.length };
      const body = printAnswer(listChangesOfCategories, list);
      return publicResult(createRepresentation(body), 'immutable');
    },
  });

  cachedRoutes.add({
    ...readAs(listCategories),
    url: '/rates/categories/list',
    find: async () => {
      const { latest } = published;
      if (latest === undefined) throw new ApiError('noRatesYet');
      const countries = await reader.find(latest.date);
      if (countries === undefined) throw new ApiError('noCategories');
      const { entries } = parseSnapshot(latest.representation.body.toString());
      const categories = countCategories(countries, entries);
      const list = { version: latest.date, source, categories, count: categories.length };
      return publicResult(createRepresentation(printAnswer(listCategories, list)), 'latest');
    },
  });
}

/** What a list of rows is asked for. */
type Question = {
  readonly filter: RowFilter;
  /** The date that the path names; undefined for the latest. */
  readonly date: IsoDate | undefined;
  readonly page: CategoryPage | undefined;
  /** 1 to 500; undefined if it is not given. */
  readonly limit: number | undefined;
};

/** Makes the question of the parameters, or throws the 400 for those that do not go together. */
function toQuestion(read: CategoryRequest): Question {
  const { country, category, cn, cpa, territories, uncoded, date, cursor: page, limit } = read;
  if ([country, category, cn, cpa].every((one) => one === undefined)) {
    throw invalidField('country', expectedOf.country);
  }
  if (uncoded !== undefined && cn === undefined && cpa === undefined) {
    throw invalidField('uncoded', expectedOf.uncoded);
  }
  const withTerritories = territories !== undefined;
  const withUncoded = uncoded !== undefined;
  const filter = { country, category, cn, cpa, withTerritories, withUncoded };
  return { filter, date, page, limit };
}

async function findPage(parts: Parts, query: Question, suffix: PathSuffix): Promise<Page> {
  const { published, reader, errata } = parts;
  const { filter, page } = query;
  const version = page?.date ?? query.date ?? published.newestDate;
  if (version === undefined) throw new ApiError('noRatesYet');
  const body = await published.findBody(version);
  const countries = await reader.find(version);
  if (body === undefined || countries === undefined) {
    // The date of a cursor that this service made has rows.
    if (page !== undefined && query.date === undefined) {
      throw invalidField('cursor', expectedOf.cursor);
    }
    throw await findReason(parts, version);
  }
  const { country } = filter;
  const goods = { version, countries, errata: errata.findGoods({ country, date: version }) };
  const matches = matchRows(goods, filter);
  const { rows } = matches;
  const from = page?.offset ?? 0;
  // A file has all rows, unless the caller asks for fewer.
  const isWhole = suffix === '.csv' && query.limit === undefined;
  const wanted = rows.slice(from, from + (query.limit ?? categoryLimits.default));
  const to = isWhole ? rows.length : from + countFitting(wanted.map(sizeOf));
  return {
    ...matches,
    version,
    rows: rows.slice(from, to),
    standard: readStandards(body, country),
    nextCursor: to < rows.length ? printCursor({ date: version, offset: to }) : null,
  };
}

/** The size of a row on a page. */
function sizeOf({ description, comment, cnCodes, cpaCodes }: MatchedRow): number {
  return (
    300 + description.length + (comment?.length ?? 0) + 12 * (cnCodes.length + cpaCodes.length)
  );
}

/** The 404 for a date without rows: it has no snapshot, or its snapshot has none (rule G3). */
async function findReason({ published, db }: Parts, date: IsoDate): Promise<ApiError> {
  if ((await published.findBody(date)) !== undefined) return new ApiError('noCategories');
  const nearest = await rateSnapshots.findNeighbours(db, date);
  return dateNotFound('snapshotNotFound', { path: '/rates', suffix: '' }, nearest);
}

function readStandards(
  body: string,
  country: string | undefined,
): Readonly<Record<string, string>> {
  const entries = parseSnapshot(body).entries.filter(
    (entry) => country === undefined || entry.country === country,
  );
  return Object.fromEntries(entries.map((entry) => [entry.country, entry.standard]));
}
