import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Db } from '../../platform/database/database.ts';
import type { RevisionWatch } from '../../platform/database/replicas/revisions.ts';
import type { Log } from '../../platform/log/log.ts';
import type { EventLogStatus } from '../../platform/ops/status.ts';
import type { Clock } from '../../platform/time/time.ts';
import type { Timers } from '../../platform/time/timers.ts';
import { beginEpoch, findWentBack } from './epochs.ts';
import { createEventWaits } from './event-waits.ts';
import { LogMemory } from './log-memory.ts';
import { LogReader } from './log-reader.ts';
import type { LogRow } from './log-rows.ts';
import { type EventSources, printBody } from '../event-types.ts';
import type { PrintBody } from './page.ts';
import { addEventRoutes, type EventRouteParts } from './routes.ts';

/** Characters of bodies that are remembered, because they are made from many rows. */
const rememberedMax = 8_388_608;

export type EventLog = {
  addRoutes(
    app: FastifyInstance,
    parts: Pick<EventRouteParts, 'charge' | 'checkKey' | 'events'>,
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
  readonly watch: Pick<RevisionWatch, 'remember' | 'onGoneBack'>;
};

/**
 * Opens the event log, which is read by `GET /events`. The events are written by the outbox.
 *
 * It begins an epoch of the log, so that cursors from before a restore are known, and remembers what is read, so that a
 * database that went back is noticed. Call it before the first request.
 */
export async function openEventLog(parts: Parts): Promise<EventLog> {
  const { db, clock, watch } = parts;
  await beginEpoch(db, clock.now());
  const memory = new LogMemory(parts);
  await memory.open();
  watch.remember(memory);
  const shared = { ...parts, memory, printBody: rememberBodies(parts) };
  const reader = new LogReader(shared);
  const waits = createEventWaits({ ...shared, reader });
  return {
    addRoutes: (app, route) => addEventRoutes(app, { ...route, reader, waits }),
    describe: async () => {
      const { heldSeconds } = await reader.readHorizon();
      return {
        waitingReaders: waits.count,
        heldBackSeconds: heldSeconds === null ? null : Math.trunc(heldSeconds),
        wentBack: (await findWentBack(db, clock.now())) ?? null,
      };
    },
    stop: () => waits.stop(),
  };
}

/** Remembers the bodies that are made from other rows. A body never changes, unless the database went back. */
function rememberBodies(sources: Parts): PrintBody {
  const bodies = new LRUCache<string, string>({
    maxSize: rememberedMax,
    sizeCalculation: (body) => body.length + 1,
  });
  sources.watch.onGoneBack(() => bodies.clear());
  return async (row: LogRow) => {
    if (row.body !== undefined) return printBody(row, sources);
    const body = bodies.get(row.id) ?? (await printBody(row, sources));
    bodies.set(row.id, body);
    return body;
  };
}
