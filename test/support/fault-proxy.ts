import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { Dice } from './dice.ts';
import { type Fault, FaultyWay } from './faulty-way.ts';
import { findFreePort } from './server-process.ts';

/** From the client to the server, or back. */
export type Direction = 'toServer' | 'toClient';

/** The part of the traffic that a fault affects; all of it by default. */
export type Place = {
  readonly direction?: Direction;
  /** Connections that are open now, or later ones. */
  readonly connections?: 'open' | 'new';
};

type Connection = Readonly<Record<Direction, FaultyWay>> & { readonly sockets: readonly Socket[] };

const none: Fault = { kind: 'none' };

/**
 * A proxy before a server of this machine that causes faults, in each direction separately,
 * on open connections and on later ones.
 *
 *     const proxy = await FaultProxy.open(redis.port);
 *     proxy.set({ kind: 'reset', afterBytes: 20 }, { direction: 'toClient' });
 *     proxy.heal();
 */
export class FaultProxy {
  /** Number of connections so far. */
  accepted = 0;
  /** Not one that systems give to connections: while it refuses, another suite would get it. */
  readonly port: number;
  #toPort: number;
  readonly #dice: Dice;
  readonly #connections = new Set<Connection>();
  readonly #faults: Record<Direction, Fault> = { toServer: none, toClient: none };
  #flips = 0;
  #server: Server;

  /** Opens a proxy that is closed when the test ends. Random faults follow from the seed. */
  static async open(toPort: number, seed?: number): Promise<FaultProxy> {
    const proxy = await FaultProxy.start(toPort, seed);
    onTestFinished(async () => proxy[Symbol.asyncDispose]());
    return proxy;
  }

  /** Opens a proxy that the caller disposes of. */
  static async start(toPort: number, seed = 1): Promise<FaultProxy> {
    const proxy = new FaultProxy(toPort, seed, await findFreePort());
    await proxy.accept();
    return proxy;
  }

  private constructor(toPort: number, seed: number, port: number) {
    this.port = port;
    this.#toPort = toPort;
    this.#dice = new Dice(seed);
    this.#server = createServer();
  }

  /** Number of connections that are open at either end. */
  get openCount(): number {
    return this.#connections.size;
  }

  /** Number of bits flipped so far. */
  get flips(): number {
    const open = [...this.#connections];
    return open.reduce((sum, { toServer, toClient }) => {
      return sum + toServer.flips + toClient.flips;
    }, this.#flips);
  }

  /** Sets the port of the server for later connections; for a server that is started later. */
  leadTo(port: number): void {
    this.#toPort = port;
  }

  /** The URL of the server through this proxy. */
  urlOf(url: string): string {
    return url.replace(`:${this.#toPort}`, `:${this.port}`);
  }

  /** Begins a fault, in place of the one before. */
  set(fault: Fault, place: Place = {}): void {
    const { direction, connections } = place;
    const directions = direction === undefined ? directionsAll : [direction];
    for (const one of directions) {
      if (connections !== 'open') this.#faults[one] = fault;
      if (connections === 'new') continue;
      for (const connection of this.#connections) connection[one].set(fault);
    }
  }

  /** Adds latency to a round trip, half of it in each direction. */
  slowDown(roundTripMs: number): void {
    this.set({ kind: 'latency', delayMs: roundTripMs / 2 });
  }

  /**
   * Ends all faults; waiting bytes are passed on. If only later connections are healed, the open ones are
   * dropped as by a firewall: they stay in their black hole permanently.
   */
  heal(place: Place = {}): void {
    this.set(none, place);
  }

  /** Ends every connection immediately, and accepts new ones. */
  cut(): void {
    for (const { sockets } of this.#connections) for (const socket of sockets) socket.destroy();
  }

  /** Ends every connection, and refuses new ones. */
  async refuse(): Promise<void> {
    this.cut();
    if (this.#server.listening) await this.#server[Symbol.asyncDispose]();
  }

  /** Accepts connections again, at the same address. */
  async accept(): Promise<void> {
    this.#server = createServer({ allowHalfOpen: true }, (near) => this.#join(near));
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.refuse();
  }

  #join(near: Socket): void {
    const far = connect({ port: this.#toPort, host: '127.0.0.1', allowHalfOpen: true });
    this.accepted += 1;
    const connection: Connection = {
      sockets: [near, far],
      toServer: this.#wayOf('toServer', near, far),
      toClient: this.#wayOf('toClient', far, near),
    };
    const { toServer, toClient, sockets } = connection;
    this.#connections.add(connection);
    for (const socket of sockets) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.once('close', () => this.#forget(connection));
    }
    toServer.start();
    toClient.start();
  }

  #wayOf(direction: Direction, from: Socket, to: Socket): FaultyWay {
    const breakOff = (how: 'end' | 'reset'): void => {
      const connection = [...this.#connections].find(({ sockets }) => sockets.includes(from));
      connection?.toServer.stop();
      connection?.toClient.stop();
      for (const socket of [from, to]) {
        if (how === 'reset') socket.resetAndDestroy();
        else socket.end();
      }
    };
    return new FaultyWay(
      { from, to },
      { fault: this.#faults[direction], dice: this.#dice, breakOff },
    );
  }

  #forget(connection: Connection): void {
    const { sockets, toServer, toClient } = connection;
    if (!sockets.every(({ destroyed }) => destroyed)) return;
    if (!this.#connections.delete(connection)) return;
    this.#flips += toServer.flips + toClient.flips;
    toServer.stop();
    toClient.stop();
  }
}

const directionsAll = ['toServer', 'toClient'] as const;
