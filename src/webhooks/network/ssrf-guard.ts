import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions } from 'node:tls';
import { type buildConnector, errors } from 'undici';
import { unlessAborted } from '../../platform/unless-aborted.ts';
import { normalizeAddress } from './address-class.ts';
import type { Resolve } from './resolve.ts';

/** Why nothing is sent to a host: it has no address, or one that is not allowed. */
export type TargetRefusal = 'unresolved' | 'notPublic';

/** What an attempt ends with when its receiver may not be connected to. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused';
  readonly why: TargetRefusal;

  constructor(why: TargetRefusal, host: string, options?: ErrorOptions) {
    super(`receiver ${host} refused: ${whys[why]}`, options);
    this.why = why;
  }
}

const whys = {
  unresolved: 'the name has no address',
  notPublic: 'an address is not public',
} as const satisfies Record<TargetRefusal, string>;

/** Keeps deliveries out of private networks (contract C30). */
export type TargetGuard = {
  /** Tells at registration whether a receiver may have this URL. */
  check(
    url: URL,
    signal: AbortSignal,
  ): Promise<
    { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly why: TargetRefusal }
  >;
  /**
   * Opens the connections of an undici `Agent`: `new Agent({ connect: guard.connect })`.
   *
   * Fails with `TargetRefused`, with undici's `ConnectTimeoutError`, or with what the socket says.
   */
  readonly connect: buildConnector.connector;
};

export type TargetGuardOptions = {
  readonly isAllowed: (address: string) => boolean;
  readonly resolve: Resolve;
  /** For resolving, connecting and the TLS handshake together; default 10 s. */
  readonly connectTimeoutMs?: number;
  /** Whom to trust besides the machine's authorities, and the like; verification cannot be turned off. */
  readonly tls?: SecureContextOptions;
  /** Begins a TCP connection; another one only for tests. */
  readonly openSocket?: (to: { readonly host: string; readonly port: number }) => Socket;
};

/** So that a name with hundreds of addresses is not a port scan. */
const addressesTriedMax = 4;

/**
 * Makes the guard in front of all that goes to receivers.
 *
 * A name is resolved once for each connection, every answer must be allowed, and the connection goes to
 * one of those answers: a second look at DNS could be told something else. Where it arrived is compared
 * again before a byte is sent. Addresses in URLs are never resolved and take the same way.
 */
export function createTargetGuard(options: TargetGuardOptions): TargetGuard {
  const settings = { connectTimeoutMs: 10_000, tls: {}, openSocket: connectPlain, ...options };
  return {
    async check(url, signal) {
      try {
        // Undici takes the brackets of an IPv6 address off before it connects.
        await findAddresses(url.hostname.replace(/^\[(.*)\]$/, '$1'), settings, signal);
        return { kind: 'allowed' };
      } catch (error) {
        if (error instanceof TargetRefused) return { kind: 'refused', why: error.why };
        throw error;
      }
    },

    connect: (to, callback) => void connect(to, settings, callback),
  };
}

type Settings = Required<TargetGuardOptions>;

/** Where a connection goes, as undici says it. */
type Target = { readonly protocol: string; readonly host: string; readonly port: number };

async function connect(
  { protocol, hostname: host, port }: buildConnector.Options,
  settings: Settings,
  callback: buildConnector.Callback,
): Promise<void> {
  const to = { protocol, host, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  // Undici neither times a connector of others nor tells it when the request is given up.
  const signal = AbortSignal.timeout(settings.connectTimeoutMs);
  let socket: Socket;
  try {
    socket = await open(to, settings, signal);
  } catch (error) {
    callback(signal.aborted ? timeout(host, error) : toError(error), null);
    return;
  }
  callback(null, socket);
}

async function open(to: Target, settings: Settings, signal: AbortSignal): Promise<Socket> {
  const addresses = await findAddresses(to.host, settings, signal);
  const socket = await openFirst(to, addresses, { ...settings, signal });
  return to.protocol === 'https:' ? secure(socket, to.host, { ...settings, signal }) : socket;
}

/** The addresses of a host in one spelling, all of them allowed; throws `TargetRefused`. */
async function findAddresses(
  host: string,
  { isAllowed, resolve }: Settings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = normalizeAddress(host);
  const answers = literal === undefined ? await ask(host, resolve, signal) : [literal];
  if (answers.length === 0) throw new TargetRefused('unresolved', host);
  return answers.map((answer) => {
    const address = normalizeAddress(answer);
    if (address === undefined || !isAllowed(address)) throw new TargetRefused('notPublic', host);
    return address;
  });
}

async function ask(
  host: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await resolve(host, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new TargetRefused('unresolved', host, { cause });
  }
}

/** Connects to the first of the addresses that answers. */
async function openFirst(
  { host, port }: Target,
  allAddresses: readonly string[],
  { openSocket, connectTimeoutMs, signal }: Settings & { readonly signal: AbortSignal },
): Promise<Socket> {
  const addresses = allAddresses.slice(0, addressesTriedMax);
  let failure: unknown;
  for (const address of addresses) {
    signal.throwIfAborted();
    const socket = openSocket({ host: address, port });
    // One address that swallows packets must leave time for the next.
    socket.setTimeout(connectTimeoutMs / addresses.length, () => socket.destroy(timeout(host)));
    try {
      await untilReady(socket, 'connect', signal);
    } catch (error) {
      failure = error;
      continue;
    }
    socket.setTimeout(0);
    // Nothing should be able to lead it elsewhere; this is what notices if something did.
    if (normalizeAddress(socket.remoteAddress ?? '') === address) return socket;
    socket.destroy();
    throw new TargetRefused('notPublic', host);
  }
  throw failure;
}

function connectPlain(to: { readonly host: string; readonly port: number }): Socket {
  // Given an address, Node asks nobody and tries no second one.
  return connectTcp({ ...to, noDelay: true });
}

/** Makes a connection a TLS one, to the name and not to the address. */
async function secure(
  socket: Socket,
  host: string,
  { tls, signal }: Settings & { readonly signal: AbortSignal },
): Promise<Socket> {
  const secured = connectTls({
    ...tls,
    socket,
    // What the certificate must be for, where there is no server name.
    host,
    // No server name is an address or ends in a dot (RFC 6066 §3).
    servername: normalizeAddress(host) === undefined ? host.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    // Said aloud, because an environment variable could turn off the default.
    rejectUnauthorized: true,
  });
  return untilReady(secured, 'secureConnect', signal);
}

/** Waits for the event that makes a socket ready; destroys it once the signal is aborted. */
async function untilReady<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>();
  socket.once(event, () => resolve(socket));
  // Stays: until undici listens, a failing socket would end the process.
  socket.once('error', reject);
  try {
    return await unlessAborted(signal, promise);
  } catch (error) {
    socket.destroy(toError(error));
    throw error;
  }
}

function timeout(host: string, cause?: unknown): Error {
  const error = new errors.ConnectTimeoutError(`no connection to ${host} in time`);
  return Object.assign(error, { cause });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
