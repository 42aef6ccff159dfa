import type { Server } from 'node:http';
import { BlockList, isIPv4, type Socket } from 'node:net';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { networkOf } from '../network.ts';
import { readKernelQueues } from './kernel-queues.ts';
import { type GateLimits, RequestGate } from './request-gate.ts';
import { WritingProgress } from './writing-progress.ts';

/** Bounds that are no settings. */
type Limits = GateLimits & {
  /** Bytes of requests that are not begun and of answers that are not sent, on all connections of a port. */
  readonly heldInAllMax: number;
  /** A connection with unsent bytes ends when none of them has left for this long. */
  readonly stallMs: number;
  /** A connection has this long for its first good key before it counts against its address. */
  readonly introductionMs: number;
  /** While there are more strange connections, the kernel is asked about all of them. */
  readonly strangeUnaskedMax: number;
};

const defaultLimits: Limits = {
  underWayMax: 16,
  underWayInAllMax: 2_048,
  unsentBytesMax: 65_536,
  heldInAllMax: 64 * 2 ** 20,
  stallMs: 10_000,
  introductionMs: 2_000,
  strangeUnaskedMax: 100,
};

/** How often connections are looked at. */
const sweepMs = 500;
/** How often the kernel is asked about connections that seem to stand still. */
const askEveryMs = 1_000;
/** Each reason is logged at most this often. */
const logEveryMs = 60_000;

/** Why a connection was ended. */
const closedReasons = ['address', 'connections', 'unread', 'memory'] as const;
type ClosedReason = (typeof closedReasons)[number];

export type ConnectionLimitsParts = {
  /** Which port it is, for metrics and the log. */
  readonly port: 'api' | 'operations';
  readonly connectionsMax: number;
  /** Of one address, while no good key was presented on them. */
  readonly perAddressMax: number;
  /** Networks of proxies, each of which stands for many clients. */
  readonly trustedProxies: readonly string[];
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'openConnections' | 'closedConnections'>;
  /** Others than those of the product; for tests. */
  readonly limits?: Partial<Limits>;
  /** The time in milliseconds from any beginning on. */
  readonly nowMs?: () => number;
};

type Connection = {
  readonly socket: Socket;
  /** What stands for its client while it is strange; undefined once it is known. */
  network: string | undefined;
  readonly progress: WritingProgress;
  readonly openedMs: number;
  isOver: boolean;
};

/**
 * Bounds what clients can make a port hold: connections, requests under way and answers that are not read.
 * One for each port, whichever way through HTTP a request takes.
 *
 * A connection is `strange` until a good key is presented on it, then `known`; those of trusted proxies are known
 * from the beginning. When a client has more than `perAddressMax` strange ones, its oldest end, but none that is younger than
 * 2 s: a caller that opens a thousand at once has the time to present its key on each. When there are
 * more than `connectionsMax` in all, the oldest strange one ends immediately, and where all others are known, the new one. So
 * a client that holds connections makes room for others, and callers with a key lose none to it.
 *
 * The state of a connection, whether strange or known, is one of:
 *
 *     reading ──16 under way, or 64 KB unsent──▸ full ──one is answered──▸ reading
 *        └──bytes stay in the socket──▸ quiet ◂────┘
 *                                         ├──a byte leaves──▸ reading, or full
 *                                         └──10 s──▸ ended (unread)
 *
 * A full connection is not read (`request-gate.ts`). That is a matter of `node:http`: the fast path has at most one
 * request of a connection under way and does not read while answers are unsent. Progress is that bytes leave, not
 * that all have left: a reader of 20 KB/s is served to the end (`writing-progress.ts`). Where there are many strange
 * connections, those count as quiet too whose answers have left the process and stay in the kernel. When
 * connections hold more than 64 MB in all, those end that have been quiet for longest, and then those that hold
 * most (memory).
 *
 * Nothing is done for each answer of the fast path: connections are looked at twice a second.
 */
export class ConnectionLimits {
  readonly #parts: ConnectionLimitsParts;
  readonly #limits: Limits;
  readonly #nowMs: () => number;
  readonly #proxies: BlockList;
  readonly #gate: RequestGate;
  readonly #open = new Map<Socket, Connection>();
  /** In the order in which they began. */
  readonly #strange = new Set<Connection>();
  readonly #strangeOf = new Map<string, Set<Connection>>();
  readonly #untold = new Map<ClosedReason, { count: number; toldAtMs: number }>();
  #askedAtMs = -Infinity;

  constructor(parts: ConnectionLimitsParts) {
    this.#parts = parts;
    this.#limits = { ...defaultLimits, ...parts.limits };
    this.#nowMs = parts.nowMs ?? (() => performance.now());
    this.#gate = new RequestGate(this.#limits);
    this.#proxies = toBlockList(parts.trustedProxies);
    // From the first scrape on, so that a rate can be told of the first one that is ended.
    for (const reason of closedReasons)
      parts.metrics.closedConnections.inc({ port: parts.port, reason }, 0);
  }

  /** Bounds the requests under way; to be called before anybody else takes the connections of a server. */
  guard(server: Server): void {
    this.#gate.guard(server);
  }

  /** Counts the connections of a server and looks after them, until what it returns is called; not listening yet. */
  watch(server: Server): () => void {
    server.prependListener('connection', (socket: Socket) => this.#take(socket));
    const timer = setInterval(() => void this.sweep(), sweepMs).unref();
    return () => clearInterval(timer);
  }

  /** Tells that a good key was presented on a connection. */
  readonly recognise = (socket: Socket): void => {
    const connection = this.#open.get(socket);
    if (connection?.network !== undefined) this.#forgetStrange(connection);
  };

  /** Ends what stands still, or is too much; done by itself once a server is watched. */
  async sweep(): Promise<void> {
    const nowMs = this.#nowMs();
    this.#endCrowds(nowMs);
    const held: { connection: Connection; bytes: number; quietMs: number }[] = [];
    let inAll = 0;
    for (const connection of this.#open.values()) {
      const { socket, progress } = connection;
      const quietMs = progress.quietMs(nowMs);
      const unsentBytes = Math.max(socket.writableLength, this.#gate.unsentBytes(socket));
      const bytes = unsentBytes + socket.readableLength;
      if (bytes === 0) continue;
      inAll += bytes;
      held.push({ connection, bytes, quietMs });
    }
    if (inAll > this.#limits.heldInAllMax) {
      held.sort((a, b) => b.quietMs - a.quietMs || b.bytes - a.bytes);
      for (const { connection, bytes } of held) {
        if (inAll <= this.#limits.heldInAllMax) break;
        inAll -= bytes;
        this.#end(connection, 'memory');
      }
    }
    this.#tellUntold(nowMs);
    const still = held.filter(({ quietMs }) => quietMs >= this.#limits.stallMs / 2);
    const doubtful = new Set(still.map(({ connection }) => connection));
    const isCrowded = this.#strange.size > this.#limits.strangeUnaskedMax;
    await this.#endStill(isCrowded ? doubtful.union(this.#strange) : doubtful);
  }

  #take(socket: Socket): void {
    const { connectionsMax, metrics, port } = this.#parts;
    const { remoteAddress } = socket;
    const network = this.#isProxy(remoteAddress) ? undefined : networkOf(remoteAddress);
    const progress = new WritingProgress(socket);
    const openedMs = this.#nowMs();
    const connection: Connection = { socket, network, progress, openedMs, isOver: false };
    this.#open.set(socket, connection);
    metrics.openConnections.inc({ port });
    socket.once('close', () => {
      connection.isOver = true;
      this.#open.delete(socket);
      this.#forgetStrange(connection);
      metrics.openConnections.dec({ port });
    });
    if (network !== undefined) {
      this.#strange.add(connection);
      const ofNetwork = this.#strangeOf.get(network) ?? new Set();
      this.#strangeOf.set(network, ofNetwork.add(connection));
    }
    if (this.#open.size > connectionsMax) {
      this.#end(firstOf(this.#strange) ?? connection, 'connections');
    }
  }

  /** Ends the oldest strange connections of each client that has too many. */
  #endCrowds(nowMs: number): void {
    const { perAddressMax } = this.#parts;
    for (const ofNetwork of this.#strangeOf.values()) {
      for (const connection of ofNetwork) {
        if (ofNetwork.size <= perAddressMax) break;
        if (nowMs - connection.openedMs < this.#limits.introductionMs) break;
        this.#end(connection, 'address');
      }
    }
  }

  #forgetStrange(connection: Connection): void {
    const { network } = connection;
    if (network === undefined) return;
    connection.network = undefined;
    this.#strange.delete(connection);
    const ofNetwork = this.#strangeOf.get(network);
    ofNetwork?.delete(connection);
    if (ofNetwork?.size === 0) this.#strangeOf.delete(network);
  }

  #end(connection: Connection | undefined, reason: ClosedReason): void {
    if (connection === undefined || connection.isOver) return;
    connection.isOver = true;
    // Its `close` comes in a later turn of the event loop.
    this.#open.delete(connection.socket);
    this.#forgetStrange(connection);
    connection.socket.destroy();
    const { metrics, port } = this.#parts;
    metrics.closedConnections.inc({ port, reason });
    const untold = this.#untold.get(reason) ?? { count: 0, toldAtMs: -Infinity };
    untold.count += 1;
    this.#untold.set(reason, untold);
  }

  /** Ends those that stand still by what the kernel says as well. */
  async #endStill(connections: ReadonlySet<Connection>): Promise<void> {
    const { stallMs } = this.#limits;
    if (connections.size === 0) return;
    if (this.#nowMs() - this.#askedAtMs < askEveryMs) return;
    this.#askedAtMs = this.#nowMs();
    const queues = await readKernelQueues();
    const nowMs = this.#nowMs();
    for (const connection of connections) {
      const { progress, socket } = connection;
      if (queues !== undefined) progress.compare(queues(socket), nowMs);
      const isStill = queues === undefined || progress.isConfirmed;
      if (isStill && progress.quietMs(nowMs) >= stallMs) this.#end(connection, 'unread');
    }
  }

  #tellUntold(nowMs: number): void {
    const { log, port } = this.#parts;
    for (const [reason, untold] of this.#untold) {
      if (untold.count === 0 || nowMs - untold.toldAtMs < logEveryMs) continue;
      log.warn({ port, reason, count: untold.count }, 'connections ended by their limits');
      untold.count = 0;
      untold.toldAtMs = nowMs;
    }
  }

  #isProxy(address: string | undefined): boolean {
    if (address === undefined) return false;
    return this.#proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}

function firstOf<T>(values: ReadonlySet<T>): T | undefined {
  const [first] = values;
  return first;
}

/** Addresses, and networks with their prefix length. */
function toBlockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
