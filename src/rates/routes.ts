import { publicResult } from '../platform/http/responses/prepared-response.ts';
import { createRepresentation } from '../platform/http/responses/representation.ts';
import { addWithCsv } from '../platform/http/routes/csv-routes.ts';
import { printAnswer } from '../platform/http/routes/define-route.ts';
import { readAs } from '../platform/http/routes/read-request.ts';
import type { DataSetRouteParts } from '../platform/publication/routes.ts';
import { changesTable } from './csv.ts';
import * as definitions from './definitions.ts';
import { listChanges, listChangesOf } from './store.ts';

/** Adds `/changes`, also with `.csv` (contract C36), and `/changes/:date` (interface 4.2, 4.3). */
export function addChangeRoutes({ db, published, cachedRoutes }: DataSetRouteParts): void {
  addWithCsv(cachedRoutes, {
    ...readAs(definitions.listChanges),
    url: '/changes',
    find: async (query) => ({ data: await listChanges(db, query), policy: 'changes' }),
    toJson: (changes, { limit }) => {
      const list = { changes, count: changes.length, limit };
      return createRepresentation(printAnswer(definitions.listChanges, list));
    },
    toCsv: (changes) => ({ name: 'changes', table: changesTable(changes) }),
  });

  cachedRoutes.add({
    ...readAs(definitions.listChangesOfDate),
    url: '/changes/:date',
    find: async ({ date }) => {
      // Read before the rows: a snapshot that is published in between must not make an answer final that lacks
      // its rows (contract C8).
      const { newestDate } = published;
      const policy = newestDate !== undefined && date <= newestDate ? 'immutable' : 'changes';
      const changes = await listChangesOf(db, date);
      const list = { snapshotDate: date, changes, count: changes.length };
      const text = printAnswer(definitions.listChangesOfDate, list);
      return publicResult(createRepresentation(text), policy);
    },
  });
}
