import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../platform/database/database.ts';
import { invalidField } from '../platform/http/api-errors.ts';
import { closedDateSpan } from '../platform/http/date-span.ts';
import type { PublishedSnapshots } from '../platform/http/published-snapshots.ts';
import { sendRepresentation } from '../platform/http/representation.ts';
import { addChargedRoute, type Charge } from '../platform/http/routes.ts';
import { addSnapshotRoutes } from '../platform/http/snapshot-routes.ts';
import type { IsoDate } from '../platform/time.ts';
import { currenciesExpected, parseCurrencies, RangePrinter } from './range.ts';
import type { CurrencyCode } from './snapshot.ts';
import { findNeighbours, listDates, readSpan } from './store.ts';

/** Ranges kept in memory, of up to 700 KB. */
const rememberedMax = 20;

type Parts = {
  readonly db: Db;
  readonly published: PublishedSnapshots<IsoDate>;
  readonly charge: Charge;
};

/** `/fx`, `/fx/:date` (interface 4.4), `/fx/dates` and `/fx/range`. */
export function addFxRoutes(app: FastifyInstance, parts: Parts): void {
  const { db, published, charge } = parts;
  addSnapshotRoutes(app, {
    ...parts,
    path: '/fx',
    operations: { latest: 'getLatestFx', dates: 'listFxDates', dated: 'getFx' },
    listDates: async (span) => listDates(db, span),
    findNeighbours: async (date) => findNeighbours(db, date),
    noneYet: 'noFxYet',
    notFound: 'fxSnapshotNotFound',
  });

  const remembered = published.createMemory(rememberedMax);
  addChargedRoute(app, '/fx/range', {
    operation: 'getFxRange',
    charge,
    read: readRange,
    answer: async (range, request, reply) => {
      const { from, to, currencies } = range;
      const key = `${from} ${to} ${currencies.join()}`;
      const found = await remembered.print(key, async () => printRange(db, range));
      return sendRepresentation(request, reply, found, 'changes');
    },
  });
}

type Range = {
  readonly from: IsoDate;
  readonly to: IsoDate;
  readonly currencies: readonly CurrencyCode[];
};

function readRange(request: FastifyRequest): Range {
  const span = closedDateSpan(request);
  const currencies = parseCurrencies((request.query as Record<string, unknown>)['currencies']);
  if (currencies === null) throw invalidField('currencies', currenciesExpected);
  return { ...span, currencies };
}

async function printRange(db: Db, { currencies, ...span }: Range): Promise<string> {
  const printer = new RangePrinter(currencies);
  for await (const snapshots of readSpan(db, span)) {
    for (const snapshot of snapshots) printer.add(snapshot);
  }
  return printer.print(span);
}
