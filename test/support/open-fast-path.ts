import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { ResponseWriter } from '../../src/platform/fast-path/response-writer.ts';
import type { Admitted } from '../../src/platform/fast-path/admission.ts';
import type { ConnectionParts } from '../../src/platform/fast-path/connection.ts';
import { FastPath } from '../../src/platform/fast-path/fast-path.ts';
import { Responder } from '../../src/platform/fast-path/responder.ts';
import { toApiError } from '../../src/platform/http/server/error-handler.ts';
import type { RouteResult } from '../../src/platform/http/responses/prepared-response.ts';
import { ResponseCache } from '../../src/platform/http/responses/response-cache.ts';
import { CachedRoutes } from '../../src/platform/http/routes/cached-routes.ts';
import { AccessLog } from '../../src/platform/http/server/access-log.ts';
import { RequestMetrics } from '../../src/platform/request-metrics.ts';
import { systemClock } from '../../src/platform/time.ts';
import { createLimits } from './open-limited.ts';
import { Wire } from './wire.ts';

/** The parts of a fast path that a test chooses. */
export type FastPathOptions = Partial<Pick<ConnectionParts, 'admit' | 'isClosing' | 'timeouts'>> & {
  /** The response to `/things/<name>`. */
  readonly find: (name: string) => RouteResult | Promise<RouteResult>;
};

/** A caller without limits. */
export const unlimitedCaller: Admitted = {
  keyId: 'key_1',
  isStillAdmitted: () => true,
  charge: () => undefined,
};

/** A request for `/things/<name>`. */
export function requestFor(name: string): string {
  return `GET /things/${name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\n\r\n`;
}

/** A fast path with one cached route, in front of a plain server that answers with its target; ends with the test. */
export class OpenFastPath {
  readonly fastPath: FastPath;
  readonly cache = new ResponseCache();
  /** Targets of the requests that the plain server got. */
  readonly left: string[] = [];
  readonly logLines: string[] = [];
  readonly #server: Server;

  private constructor(options: FastPathOptions) {
    const app = fastify();
    const cachedRoutes = new CachedRoutes({ app, charge: () => {}, cache: this.cache });
    cachedRoutes.add<string>({
      url: '/things/:name',
      operation: 'getThing',
      read: ({ params }) => params['name'] ?? '',
      find: options.find,
    });
    this.#server = createServer((request: IncomingMessage, response: ServerResponse) => {
      this.left.push(request.url ?? '');
      response.end(`general ${request.url}`);
    });
    const log = createLog('info', { write: (line) => void this.logLines.push(line) });
    this.fastPath = new FastPath(this.#server, {
      admit: () => unlimitedCaller,
      guard: createLimits().limits.connections,
      isClosing: () => false,
      timeouts: { firstHeadMs: 60_000, idleMs: 60_000 },
      ...options,
      responder: new Responder({
        cachedRoutes,
        writer: new ResponseWriter({ clock: systemClock, keepAliveSeconds: 65, fixedFields: {} }),
        accessLog: new AccessLog({ log, requests: new RequestMetrics() }),
        toApiError: (error, of) => toApiError(error, of, log),
      }),
    });
  }

  static async open(options: FastPathOptions): Promise<OpenFastPath> {
    const opened = new OpenFastPath(options);
    opened.#server.listen(0, '127.0.0.1');
    await once(opened.#server, 'listening');
    onTestFinished(async () => {
      opened.fastPath.close();
      opened.#server.closeAllConnections();
      await opened.#server[Symbol.asyncDispose]();
    });
    return opened;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async connect(): Promise<Wire> {
    return Wire.open(this.url);
  }
}
