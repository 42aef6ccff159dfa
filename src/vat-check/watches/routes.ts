import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import { addRoutes, type Charge, keyIdOf } from '../../platform/http/routes/routes.ts';
import type { Clock } from '../../platform/time/time.ts';
import { checkRoute, defaultsOf, type ServiceDefaults } from '../stored/requests/check-route.ts';
import type { OnDeleted } from '../stored/delete-checks.ts';
import * as definitions from './definitions.ts';
import { type PrintedWatch, printWatches } from './print-watch.ts';
import { toWantedWatch, toWatched } from './watch-request.ts';
import { deleteWatch, findWatch, listWatches, putWatch } from './watch-store.ts';
import type { Watch } from './watch.ts';

type RouteParts = {
  readonly db: Db;
  readonly charge: Charge;
  readonly clock: Clock;
  /** REQUESTERS, and the registries of the service. */
  readonly service: ServiceDefaults;
  readonly onDeleted: OnDeleted;
};

/** Adds the routes of watches (rule K13). A watch belongs to the key that created it. */
export function addWatchRoutes(app: FastifyInstance, parts: RouteParts): void {
  const { db, charge, clock } = parts;
  const print = async (watch: Watch | undefined): Promise<PrintedWatch> => {
    const [printed] = watch === undefined ? [] : await printWatches(db, [watch]);
    if (printed === undefined) throw new ApiError('notFound');
    return printed;
  };
  addRoutes(app, '/vatwatches', {
    GET: checkRoute(charge, {
      ...readAs(definitions.listWatches),
      answer: async (page, request) => {
        const { watches, nextCursor = null } = await listWatches(db, keyIdOf(request), page);
        return { watches: await printWatches(db, watches), count: watches.length, nextCursor };
      },
    }),
  });
  const getRoute = readAs(definitions.getWatch, (read) => toWatched(read, parts.service));
  addRoutes(app, '/vatwatches/:country/:vat', {
    PUT: checkRoute(charge, {
      ...readAs(definitions.putWatch, (read, request: FastifyRequest) =>
        toWantedWatch(read, defaultsOf(request, parts.service)),
      ),
      readPath: getRoute.read,
      answer: async (wanted, request, reply) => {
        const put = await putWatch(
          db,
          { ...wanted, keyId: keyIdOf(request) },
          { nowMs: clock.now() },
        );
        if (put.kind === 'tooMany') throw new ApiError('watchLimit');
        reply.code(put.kind === 'created' ? 201 : 200);
        return print(put.watch);
      },
    }),
    GET: checkRoute(charge, {
      ...getRoute,
      answer: async (watched, request) => print(await findWatch(db, keyIdOf(request), watched)),
    }),
    DELETE: checkRoute(charge, {
      ...readAs(definitions.deleteWatch, (read) => toWatched(read, parts.service)),
      answer: async (watched, request, reply) => {
        const isDeleted = await deleteWatch(db, keyIdOf(request), watched, parts.onDeleted);
        if (!isDeleted) throw new ApiError('notFound');
        reply.code(204);
      },
    }),
  });
}
