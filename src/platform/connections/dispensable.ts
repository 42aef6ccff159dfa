import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request whose answer is not begun yet. */
type Waiting = { readonly response: ServerResponse; readonly answer: () => void };

/** An open connection: its age, its last answer, and the number of requests that wait on it. */
export type Connection = {
  readonly openedMs: number;
  /** The answer to its last request, and the number of this request among those of all connections. */
  last: ServerResponse | undefined;
  lastNumber: number;
  /** Requests that are answered after another one, in their order. */
  readonly waiting: Waiting[];
};

/** One in this many places is for connections that have not sent a working key yet. */
const introductionShare = 10;

/**
 * The connection that a new one replaces if all places are taken: the oldest without a key, if these are more than a tenth
 * of all; otherwise the one with a key that has been idle longest. So connections that are only held open lock no caller
 * out, and the tenth is for callers whose key is on its way.
 */
export function findDispensable(
  open: ReadonlyMap<Socket, Connection>,
  anonymous: ReadonlySet<Socket>,
  places: number,
): Socket | undefined {
  const [oldest] = anonymous;
  if (anonymous.size > Math.ceil(places / introductionShare)) return oldest;
  let idle: Socket | undefined;
  let number = Infinity;
  for (const [socket, connection] of open) {
    if (connection.lastNumber >= number || anonymous.has(socket) || isAnswering(connection)) {
      continue;
    }
    [idle, number] = [socket, connection.lastNumber];
  }
  return idle ?? oldest;
}

/** Whether an answer on a connection is not sent yet. */
export function isAnswering(connection: Connection | undefined): boolean {
  return connection?.last?.writableFinished === false;
}
