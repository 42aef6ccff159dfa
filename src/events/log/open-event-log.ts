import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../platform/database/database.ts';
import type { Charge } from '../../platform/http/routes/routes.ts';
import type { Log } from '../../platform/log/log.ts';
import type { EventLogStatus } from '../../platform/ops/status.ts';
import type { Clock } from '../../platform/time/time.ts';
import type { Timers } from '../../platform/time/timers.ts';
import { beginEpoch } from './epochs.ts';
import { createEventWaits } from './event-waits.ts';
import { LogReader } from './log-reader.ts';
import type { LogRow } from './log-rows.ts';
import { type EventSources, printBody } from '../event-types.ts';
import type { PrintBody } from './page.ts';
import { addEventRoutes } from './routes.ts';

/** Characters of bodies that are remembered, because they are made from many rows. */
const rememberedMax = 8_388_608;

export type EventLog = {
  addRoutes(
    app: FastifyInstance,
    parts: {
      readonly charge: Charge;
      /** Rejects if the key of a request does not work any more. */
      readonly checkKey: (request: FastifyRequest) => Promise<void>;
    },
  ): void;
  describe(): Promise<EventLogStatus>;
  /** Ends all waiting requests. May be called more than once. */
  stop(): void;
};

type Parts = EventSources & {
  readonly db: Db;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
};

/**
 * Opens the event log, which is read by `GET /events`. The events are written by the outbox.
 *
 * It begins an epoch of the log, so that cursors from before a restore are known. Call it before the first request.
 */
export async function openEventLog(parts: Parts): Promise<EventLog> {
  const { db, clock } = parts;
  await beginEpoch(db, clock.now());
  const shared = { ...parts, printBody: rememberBodies(parts) };
  const reader = new LogReader(shared);
  const waits = createEventWaits({ ...shared, reader });
  return {
    addRoutes: (app, route) => addEventRoutes(app, { ...route, reader, waits }),
    describe: async () => {
      const { heldSeconds } = await reader.readHorizon();
      return {
        waitingReaders: waits.count,
        heldBackSeconds: heldSeconds === null ? null : Math.trunc(heldSeconds),
      };
    },
    stop: () => waits.stop(),
  };
}

/** Remembers the bodies that are made from other rows; a body never changes. */
function rememberBodies(sources: EventSources): PrintBody {
  const bodies = new LRUCache<string, string>({
    maxSize: rememberedMax,
    sizeCalculation: (body) => body.length + 1,
  });
  return async (row: LogRow) => {
    if (row.body !== undefined) return printBody(row, sources);
    const body = bodies.get(row.id) ?? (await printBody(row, sources));
    bodies.set(row.id, body);
    return body;
  };
}
