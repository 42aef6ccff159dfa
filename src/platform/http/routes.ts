import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type IsoDate, parseIsoDate } from '../time.ts';
import { ApiError, type ApiErrorName } from './api-errors.ts';

type Handler = (request: FastifyRequest, reply: FastifyReply) => unknown;
type Handlers = { readonly [Method in 'GET' | 'POST' | 'PATCH' | 'DELETE']?: Handler };

/**
 * Adds the routes of a path, HEAD with GET, and 405 for every other method.
 *
 * The 405 comes from a hook: after the key was checked, before a body is looked at (contract C2, C3).
 */
export function addRoutes(app: FastifyInstance, url: string, handlers: Handlers): void {
  const allowed = Object.keys(handlers).flatMap((m) => (m === 'GET' ? ['GET', 'HEAD'] : m));
  for (const [method, handler] of Object.entries(handlers)) app.route({ method, url, handler });
  app.route({
    method: otherMethods(app, allowed),
    url,
    onRequest: (_request, _reply, done) => {
      done(new ApiError('methodNotAllowed', { allow: allowed.join(', ') }));
    },
    handler: () => {},
  });
}

/** Adds a route that answers GET and HEAD. */
export function addReadRoute(app: FastifyInstance, url: string, handler: Handler): void {
  addRoutes(app, url, { GET: handler });
}

/** Counts a request against its key's limits, or throws the 429; waits only where it has to read. */
export type Charge = (request: FastifyRequest) => void | Promise<void>;

type ChargedRoute<Parameters> = {
  /** Gives what was asked for, or throws the 400. */
  readonly read: (request: FastifyRequest) => Parameters;
  readonly answer: (
    parameters: Parameters,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => unknown;
};

/**
 * Makes a handler whose requests are charged, in the order of contract C3: what was asked for is read first,
 * so a 400 costs nothing; then the charge; then the work.
 */
export function charged<Parameters>(charge: Charge, route: ChargedRoute<Parameters>): Handler {
  const { read, answer } = route;
  return (request, reply) => {
    const parameters = read(request);
    const pending = charge(request);
    return pending === undefined
      ? answer(parameters, request, reply)
      : pending.then(() => answer(parameters, request, reply));
  };
}

/** Adds a read route whose requests are charged. */
export function addChargedRoute<Parameters>(
  app: FastifyInstance,
  url: string,
  route: ChargedRoute<Parameters> & { readonly charge: Charge },
): void {
  addReadRoute(app, url, charged(route.charge, route));
}

/** For routes that take no parameters. */
export function readNothing(): void {}

/** The date in the path, or the answer that it is malformed (contract C5). */
export function dateParameter(request: FastifyRequest): IsoDate {
  const { date } = request.params as { date: string };
  const parsed = parseIsoDate(date);
  if (parsed === null) throw new ApiError('invalidDate');
  return parsed;
}

/** A 404 for a date, with links to the nearest dates that exist (contract C10). */
export function dateNotFound(
  code: ApiErrorName,
  path: string,
  neighbours: { readonly previous: string | undefined; readonly next: string | undefined },
): ApiError {
  const links = [
    neighbours.previous === undefined ? [] : `<${path}/${neighbours.previous}>; rel="prev"`,
    neighbours.next === undefined ? [] : `<${path}/${neighbours.next}>; rel="next"`,
  ].flat();
  return new ApiError(code, links.length === 0 ? {} : { link: links.join(', ') });
}

function otherMethods(app: FastifyInstance, allowed: readonly string[]): string[] {
  return METHODS.filter((method) => {
    if (allowed.includes(method) || method === 'CONNECT') return false;
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
    return true;
  });
}
