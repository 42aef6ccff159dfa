import type { Socket } from 'node:net';
import { type ApiError, endsConnection } from '../http/responses/api-errors.ts';
import { PreparedResponse } from '../http/responses/prepared-response.ts';
import type { CachedRoutes, RouteMatch } from '../http/routes/cached-routes.ts';
import type { AccessLog, AnsweredRequest } from '../http/server/access-log.ts';
import { formatRequestId } from '../http/server/request-id.ts';
import { andThen } from '../maybe-async.ts';
import type { Admitted } from './admission.ts';
import type { RequestHead } from './request-head.ts';
import type { ResponseWriter } from './response-writer.ts';
import { readTarget } from './target.ts';

/** A request as it was sent. Most callers send the same one again and again, so a connection keeps its last one. */
export type ParsedRequest = {
  /** All bytes of the request, as latin1. */
  readonly text: string;
  readonly head: RequestHead;
  /** The route for its target; undefined until it is needed, null if there is none. */
  match: RouteMatch | null | undefined;
  /** The parameters that the route parsed from it. */
  parameters: unknown;
};

/** A request that is being answered. */
export type PendingRequest = {
  readonly parsed: ParsedRequest;
  readonly caller: Admitted;
  readonly arrivedMs: number;
  readonly number: number;
};

/** The connection that a response is written to. */
export type Recipient = {
  readonly socket: Socket;
  /** Called after each response; the last one ends the connection. */
  onAnswered(nowMs: number, answer: { readonly isLast: boolean }): void;
};

export type ResponderParts = {
  readonly cachedRoutes: CachedRoutes;
  readonly writer: ResponseWriter;
  readonly accessLog: AccessLog;
  /** The answer to a thrown value; logs the value if it is a fault. */
  readonly toApiError: (error: unknown, of: object) => ApiError;
};

/** Whether a response is cached, and will be sent again, or is made for one request. */
type Writing = 'writeAgain' | 'writeOnce';

/** Answers requests of the fast path with cached routes, and records them; one for all connections. */
export class Responder {
  readonly #parts: ResponderParts;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  /**
   * Answers a request: true if the response is written, a promise if it will be. False if no cached route has
   * this target; nothing has happened then.
   */
  respond(recipient: Recipient, request: PendingRequest): boolean | Promise<void> {
    const known = this.#parts.cachedRoutes.findCached(request.parsed.head.target);
    const found = known ?? this.#match(request.parsed);
    return found !== null && this.#answer(recipient, request, found);
  }

  #match(parsed: ParsedRequest): RouteMatch | null {
    if (parsed.match === undefined) {
      const target = readTarget(parsed.head.target);
      parsed.match = (target && this.#parts.cachedRoutes.match(target)) ?? null;
    }
    return parsed.match;
  }

  #run(
    match: RouteMatch,
    { parsed, caller, arrivedMs }: PendingRequest,
  ): PreparedResponse | Promise<PreparedResponse> {
    const { route } = match;
    return this.#parts.cachedRoutes.respond(route, {
      target: parsed.head.target,
      keyId: caller.keyId,
      parameters: () => (parsed.parameters ??= route.read(match)),
      charge: caller.charge,
      elapsedMs: () => performance.now() - arrivedMs,
    });
  }

  /** Charges for a cached response or makes one, and writes it, or the error that is thrown instead. */
  #answer(
    recipient: Recipient,
    request: PendingRequest,
    found: PreparedResponse | RouteMatch,
  ): true | Promise<void> {
    const isCached = found instanceof PreparedResponse;
    const route = isCached ? found.route : found.route.url;
    const how = isCached ? 'writeAgain' : 'writeOnce';
    try {
      const response = isCached
        ? andThen(request.caller.charge(found.cost), () => found)
        : this.#run(found, request);
      if (response instanceof Promise) {
        return response.then(
          (late) => this.#write(recipient, request, late, how),
          (error: unknown) => this.#writeError(recipient, request, route, error),
        );
      }
      this.#write(recipient, request, response, how);
    } catch (error) {
      this.#writeError(recipient, request, route, error);
    }
    return true;
  }

  #write(
    recipient: Recipient,
    request: PendingRequest,
    response: PreparedResponse,
    how: Writing,
  ): void {
    const { number, parsed } = request;
    const answered = { number, ifNoneMatch: parsed.head.ifNoneMatch };
    const status = this.#parts.writer[how](recipient.socket, response, answered);
    this.#record(recipient, request, { route: response.route, status, refusal: null });
  }

  #writeError(recipient: Recipient, request: PendingRequest, route: string, thrown: unknown): void {
    const { number } = request;
    const requestId = formatRequestId(number);
    const error = this.#parts.toApiError(thrown, { requestId, route });
    this.#parts.writer.writeError(recipient.socket, error, number);
    this.#record(recipient, request, { route, status: error.status, refusal: error.reason });
  }

  #record(
    recipient: Recipient,
    { number, caller, arrivedMs }: PendingRequest,
    { route, status, refusal }: Pick<AnsweredRequest, 'route' | 'status' | 'refusal'>,
  ): void {
    const nowMs = performance.now();
    recipient.onAnswered(nowMs, { isLast: endsConnection(status) });
    this.#parts.accessLog.record({
      requestId: number,
      keyId: caller.keyId,
      method: 'GET',
      route,
      status,
      durationMs: nowMs - arrivedMs,
      refusal,
    });
  }
}
