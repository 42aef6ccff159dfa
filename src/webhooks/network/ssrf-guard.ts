import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions } from 'node:tls';
import { type buildConnector, errors } from 'undici';
import { hostOf } from '../../platform/http/network.ts';
import { unlessAborted } from '../../platform/time/timers.ts';
import { skipInterimAnswers } from '../../platform/upstream/interim-answers.ts';
import { normalizeAddress } from './address-class.ts';
import type { Resolve } from './resolve.ts';

/** Ends an attempt at a receiver that must not be connected to. */
export class ReceiverRefused extends Error {
  override readonly name = 'ReceiverRefused';
  readonly why: RefusalReason;

  constructor(why: RefusalReason, host: string, options?: ErrorOptions) {
    super(`receiver ${host} refused: ${whys[why]}`, options);
    this.why = why;
  }
}

/** Why nothing is sent to a host: it has no address, or an address that is not allowed. */
const whys = {
  unresolved: 'the name has no address',
  notPublic: 'an address is not public',
} as const;

type RefusalReason = keyof typeof whys;

/** Keeps deliveries out of private networks (contract C30). */
export type SsrfGuard = {
  /**
   * Whether a receiver may have this URL; called when a subscription is made or changed. A name that does not resolve
   * before the signal is aborted is unresolved.
   */
  check(
    url: URL,
    signal: AbortSignal,
  ): Promise<
    { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly why: RefusalReason }
  >;
  /**
   * Opens the connections of an undici `Agent`: `new Agent({ connect: guard.connect })`.
   *
   * Fails with `ReceiverRefused`, undici's `ConnectTimeoutError`, or the socket's error.
   */
  readonly connect: buildConnector.connector;
};

export type SsrfGuardOptions = {
  readonly isAllowed: (address: string) => boolean;
  readonly resolve: Resolve;
  /** For resolving, connecting and the TLS handshake together; default 10 s. */
  readonly connectTimeoutMs?: number;
  /** TLS settings, such as further certificate authorities. Verification cannot be turned off. */
  readonly tls?: SecureContextOptions;
  /** Begins a TCP connection; only tests replace it. */
  readonly openSocket?: (to: { readonly host: string; readonly port: number }) => Socket;
};

/** Addresses of a name that are tried; a name with hundreds of them could otherwise be used to scan ports. */
const addressesTriedMax = 4;

/**
 * Makes the guard that every request to a receiver passes.
 *
 * A name is resolved once for each connection. Every address must be allowed, and the connection goes to one of
 * them; a second resolution could return other addresses. The address of the connected socket is compared before a
 * byte is sent. Addresses in URLs are checked in the same way.
 */
export function createSsrfGuard(options: SsrfGuardOptions): SsrfGuard {
  // Node resolves nothing if it is given an address.
  const openSocket: Settings['openSocket'] = (to) => connectTcp({ ...to, noDelay: true });
  const settings = { connectTimeoutMs: 10_000, tls: {}, openSocket, ...options };
  return {
    async check(url, signal) {
      try {
        // Undici takes the brackets of an IPv6 address off before it connects.
        await findAddresses(hostOf(url), settings, signal);
        return { kind: 'allowed' };
      } catch (error) {
        if (error instanceof ReceiverRefused) return { kind: 'refused', why: error.why };
        if (signal.aborted) return { kind: 'refused', why: 'unresolved' };
        throw error;
      }
    },

    connect: skipInterimAnswers((to, callback) => void connect(to, settings, callback)),
  };
}

type Settings = Required<SsrfGuardOptions>;

/** The end of a connection, as undici names it. */
type Target = { readonly protocol: string; readonly host: string; readonly port: number };

async function connect(
  { protocol, hostname: host, port }: buildConnector.Options,
  settings: Settings,
  callback: buildConnector.Callback,
): Promise<void> {
  const to = { protocol, host, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
  // Undici does not limit the time of a custom connector, and does not report that its request was aborted.
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

/** Resolves a host to its addresses in their canonical spelling. Throws `ReceiverRefused` unless all are allowed. */
async function findAddresses(
  host: string,
  { isAllowed, resolve }: Settings,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const literal = normalizeAddress(host);
  const answers = literal === undefined ? await resolveName(host, resolve, signal) : [literal];
  if (answers.length === 0) throw new ReceiverRefused('unresolved', host);
  return answers.map((answer) => {
    const address = normalizeAddress(answer);
    if (address === undefined || !isAllowed(address)) throw new ReceiverRefused('notPublic', host);
    return address;
  });
}

async function resolveName(
  host: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await resolve(host, signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new ReceiverRefused('unresolved', host, { cause });
  }
}

/** Connects to the first address that answers. */
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
    // An address that never answers must leave time for the next one.
    socket.setTimeout(connectTimeoutMs / addresses.length, () => socket.destroy(timeout(host)));
    try {
      await untilReady(socket, 'connect', signal);
    } catch (error) {
      failure = error;
      continue;
    }
    socket.setTimeout(0);
    // Nothing should be able to redirect the connection; if something did, this check finds it.
    if (normalizeAddress(socket.remoteAddress ?? '') === address) return socket;
    socket.destroy();
    throw new ReceiverRefused('notPublic', host);
  }
  throw failure;
}

/** Begins TLS on a connection, for the host's name and not for the address. */
async function secure(
  socket: Socket,
  host: string,
  { tls, signal }: Settings & { readonly signal: AbortSignal },
): Promise<Socket> {
  const secured = connectTls({
    ...tls,
    socket,
    // The certificate is checked against it if there is no server name.
    host,
    // A server name is never an address and has no dot at its end (RFC 6066 §3).
    servername: normalizeAddress(host) === undefined ? host.replace(/\.$/, '') : '',
    ALPNProtocols: ['http/1.1'],
    // Set explicitly, because an environment variable can turn off the default.
    rejectUnauthorized: true,
  });
  return untilReady(secured, 'secureConnect', signal);
}

/** Waits until a socket is ready; destroys it when the signal is aborted. */
async function untilReady<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<S> {
  const { promise, resolve, reject } = Promise.withResolvers<S>();
  socket.once(event, () => resolve(socket));
  // This listener stays: until undici has its own, an error of the socket would end the process.
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
