import { BlockList, isIPv4, type Socket } from 'node:net';
import { networkOf } from '../network.ts';

/** A connection, as far as it matters here. */
type Opened = { readonly socket: Pick<Socket, 'remoteAddress'>; readonly openedMs: number };

/**
 * Connections on which no working key was sent yet, by client. A client is an address (`networkOf`).
 *
 * Connections of trusted proxies are never anonymous, because each proxy stands for many clients.
 */
export class AnonymousConnections<Connection extends Opened> {
  readonly #proxies: BlockList;
  /** In the order in which they were opened, with their client. */
  readonly #clients = new Map<Connection, string>();
  readonly #byClient = new Map<string, Set<Connection>>();

  /** Proxies are addresses, or networks with their prefix length. */
  constructor(trustedProxies: readonly string[]) {
    this.#proxies = toBlockList(trustedProxies);
  }

  get size(): number {
    return this.#clients.size;
  }

  has(connection: Connection): boolean {
    return this.#clients.has(connection);
  }

  /** All of them, the oldest first. */
  all(): Iterable<Connection> {
    return this.#clients.keys();
  }

  oldest(): Connection | undefined {
    const [first] = this.#clients.keys();
    return first;
  }

  add(connection: Connection): void {
    const { remoteAddress } = connection.socket;
    if (this.#isProxy(remoteAddress)) return;
    const client = networkOf(remoteAddress);
    this.#clients.set(connection, client);
    const ofClient = this.#byClient.get(client) ?? new Set();
    this.#byClient.set(client, ofClient.add(connection));
  }

  /** Call it when a connection sends a working key, or closes. */
  remove(connection: Connection): void {
    const client = this.#clients.get(connection);
    if (client === undefined) return;
    this.#clients.delete(connection);
    const ofClient = this.#byClient.get(client);
    ofClient?.delete(connection);
    if (ofClient?.size === 0) this.#byClient.delete(client);
  }

  /** The oldest connections of each client that has more than `max`, without those opened after `openedMs`. */
  listExcess(max: number, openedMs: number): readonly Connection[] {
    const excess: Connection[] = [];
    for (const ofClient of this.#byClient.values()) {
      let left = ofClient.size - max;
      for (const connection of ofClient) {
        if (left <= 0 || connection.openedMs > openedMs) break;
        excess.push(connection);
        left -= 1;
      }
    }
    return excess;
  }

  #isProxy(address: string | undefined): boolean {
    if (address === undefined) return false;
    return this.#proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  }
}

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
