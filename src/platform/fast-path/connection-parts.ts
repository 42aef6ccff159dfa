import type { Socket } from 'node:net';
import type { ApiError } from '../http/responses/api-errors.ts';
import type { Lookups } from '../http/routes/cached-routes.ts';
import type { RequestObserver } from '../http/server/access-log.ts';
import type { AnswerWriter } from './response-writer.ts';
import type { FastConnection } from './connection.ts';

/** A caller whose key works and may look things up. */
export type Admitted = {
  readonly keyId: string;
  /** Whether the key still works, as far as is known without asking anybody. */
  readonly isStillAdmitted: () => boolean;
  /** Counts a request, as so many as it costs, or throws the 429. */
  readonly charge: (cost: number) => void | Promise<void>;
};

/** The parts that a connection of the fast path works with. */
export type ConnectionParts = {
  /** Who presents a key; undefined for one that is not known, no longer works, or may not look things up. */
  readonly admit: (key: string) => Admitted | undefined | Promise<Admitted | undefined>;
  readonly lookups: Lookups;
  readonly writer: AnswerWriter;
  readonly observer: RequestObserver;
  /** The answer for whatever was thrown; tells of what is not an answer. */
  readonly toApiError: (error: unknown, of: object) => ApiError;
  /** Told once of a connection on which a request with a good key was answered. */
  readonly recognise: (socket: Socket) => void;
  /** Whether answers have to ask to close their connection. */
  readonly isClosing: () => boolean;
  /** Gives a connection, with the bytes that came and were not answered, to the general machinery. */
  readonly handOver: (connection: FastConnection, unread: Buffer) => void;
  readonly timeouts: { readonly firstHeadMs: number; readonly idleMs: number };
};
