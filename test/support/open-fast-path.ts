import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { AnswerWriter } from '../../src/platform/fast-path/response-writer.ts';
import type { Admitted, ConnectionParts } from '../../src/platform/fast-path/connection-parts.ts';
import { FastPath } from '../../src/platform/fast-path/fast-path.ts';
import { toApiError } from '../../src/platform/http/server/app.ts';
import { AnswerMemory } from '../../src/platform/http/responses/response-cache.ts';
import { type Lookup, Lookups } from '../../src/platform/http/routes/cached-routes.ts';
import { RequestObserver } from '../../src/platform/http/server/access-log.ts';
import { RequestMetrics } from '../../src/platform/request-metrics.ts';
import { systemClock } from '../../src/platform/time.ts';
import { Wire } from './wire.ts';

type Found = Awaited<ReturnType<Lookup<string>['find']>>;

/** What a test decides of the parts that a fast path is given. */
export type FastPathOptions = Partial<Pick<ConnectionParts, 'admit' | 'isClosing' | 'timeouts'>> & {
  /** What `/things/<name>` is. */
  readonly find: (name: string) => Found | Promise<Found>;
};

/** Lets everybody in, and counts. */
export const anybody: Admitted = {
  keyId: 'key_1',
  isStillAdmitted: () => true,
  charge: () => undefined,
};

/** A request for `/things/<name>`. */
export function askFor(name: string): string {
  return `GET /things/${name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer k\r\n\r\n`;
}

/** A fast path with one look-up in front of a plain server, which says what it was asked; ends with the test. */
export class OpenFastPath {
  readonly fastPath: FastPath;
  readonly memory = new AnswerMemory();
  /** What the general machinery was asked. */
  readonly left: string[] = [];
  readonly logLines: string[] = [];
  readonly #server: Server;

  private constructor(options: FastPathOptions) {
    const app = fastify();
    const lookups = new Lookups(this.memory);
    lookups.add<string>(app, () => undefined, {
      url: '/things/:name',
      operation: 'getThing',
      read: ({ params }) => params['name'] ?? '',
      find: options.find,
    });
    this.#server = createServer((request: IncomingMessage, response: ServerResponse) => {
      this.left.push(request.url ?? '');
      response.end(`general ${request.url}`);
    });
    const log = pino({ base: null }, { write: (line) => this.logLines.push(line) });
    this.fastPath = new FastPath(this.#server, {
      admit: () => anybody,
      recognise: () => {},
      isClosing: () => false,
      timeouts: { firstHeadMs: 60_000, idleMs: 60_000 },
      ...options,
      lookups,
      writer: new AnswerWriter({ clock: systemClock, keepAliveSeconds: 65, fixedFields: {} }),
      observer: new RequestObserver({ log, metrics: { requests: new RequestMetrics() } }),
      toApiError: (error, of) => toApiError(error, of, log),
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
