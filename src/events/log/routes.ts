import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalidField } from '../../platform/http/responses/api-errors.ts';
import { rateOnly } from '../../platform/http/request-cost.ts';
import { addChargedRoute, type Charge } from '../../platform/http/routes/routes.ts';
import type { QueryOf } from '../../platform/http/routes/define-route.ts';
import { readAs } from '../../platform/http/routes/read-request.ts';
import type { Cursor, Cursors } from './cursor.ts';
import * as defined from './definitions.ts';
import type { EventWaits } from './event-waits.ts';
import type { LogQuery, LogReader, Read } from './log-reader.ts';
import { type Page, printPage } from './page.ts';

export type EventRouteParts = {
  readonly reader: LogReader;
  readonly waits: EventWaits;
  readonly charge: Charge;
  /** The events as receivers get them. */
  readonly events: Parameters<typeof defined.listEvents>[0];
  /** Rejects if the key of a request does not work any more. */
  readonly checkKey: (request: FastifyRequest) => Promise<void>;
};

/**
 * Adds `GET /events`, the event log (rules E1 to E6).
 *
 * Events of a key are about its stored checks and watches, so a key without the scope `checks` sees public events only.
 * Requests count against the rate limit only, so a reader that always waits uses up no quota (rule K10).
 */
export function addEventRoutes(app: FastifyInstance, parts: EventRouteParts): void {
  addChargedRoute(app, '/events', {
    ...readAs(defined.listEvents(parts.events)),
    scope: 'read',
    cost: rateOnly,
    charge: parts.charge,
    answer: async (parameters, request, reply) => {
      const page = await readPage(parts, parameters, { request, reply });
      return reply
        .header('cache-control', 'no-store')
        .type('application/json; charset=utf-8')
        .send(printPage(page));
    },
  });
}

type Wanted = QueryOf<ReturnType<typeof defined.listEvents>>;

async function readPage(
  { reader, waits, checkKey }: EventRouteParts,
  parameters: Wanted,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<Page> {
  const { apiKey } = request;
  if (apiKey === undefined) throw new Error('a route was reached without a key');
  const { limit, waitSeconds } = parameters;
  const after = readAfter(parameters.after, await reader.cursors());
  const seesOwn = apiKey.scopes.includes('checks');
  const types = { public: parameters.type.public, key: seesOwn ? parameters.type.key : [] };
  const query: LogQuery = { keyId: apiKey.id, types, after, limit };
  const { page, readTo } = orExpired(await reader.read(query));
  if (page.events.length > 0 || waitSeconds === 0 || after === 'now') return page;
  const left = leavingOf(request, reply);
  const wanted = { keyId: apiKey.id, types, limit, searchedTo: readTo };
  const until = { forMs: waitSeconds * 1_000, signal: left.signal };
  const found = await waits
    .wait(wanted, { ...until, check: () => checkKey(request) })
    .finally(left.release);
  return found ?? page;
}

/**
 * A signal that is aborted when the caller disconnects, or ends its side of the connection. A caller that has only ended
 * its side still gets the answer: an empty page.
 */
function leavingOf(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
): { readonly signal: AbortSignal; readonly release: () => void } {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  const others = waitingOn(socket).add(leave);
  response.once('close', leave);
  if (socket.readableEnded) leave();
  // Further requests come on the same connection, and an answered request is no longer left: an abort makes an exception.
  const release = (): void => {
    others.delete(leave);
    response.off('close', leave);
  };
  return { signal: leaving.signal, release };
}

/** Callbacks for the end of a connection, one for each request that waits on it. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** The waits of a connection, with one listener for all: its client may send many requests ahead. */
function waitingOn(socket: Socket): Set<() => void> {
  return waiting.getOrInsertComputed(socket, () => {
    const waits = new Set<() => void>();
    socket.once('end', () => {
      for (const leave of waits) leave();
    });
    return waits;
  });
}

/** Throws the 410 for a cursor that cannot be followed; its `Link` reads from the oldest event (rule E5). */
function orExpired(read: Read): Extract<Read, { readonly kind: 'page' }> {
  if (read.kind === 'page') return read;
  const link = `</events?after=${read.oldest}>; rel="first"`;
  throw new ApiError('cursorExpired', { link });
}

/** Reads the cursor, or throws the 400 for one of another service. */
function readAfter(after: string | undefined, cursors: Cursors): Cursor | 'now' | undefined {
  if (after === undefined || after === 'now') return after;
  const cursor = cursors.parse(after);
  if (cursor === undefined) throw invalidField('after', defined.after.expected);
  return cursor;
}
