import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { createSsrfGuard, type SsrfGuardOptions } from '../../src/webhooks/network/ssrf-guard.ts';

/** Connector of an undici `Agent`. */
export type MakeConnector = (options: SsrfGuardOptions) => buildConnector.connector;

type MakeConnection = (...to: Parameters<buildConnector.connector>) => Promise<void>;

/** The guard of the product. */
export const wholeGuard: MakeConnector = (options) => createSsrfGuard(options).connect;

/** Judges looked-up addresses only: an address in a URL is never looked up. */
export const lookUpOnlyGuard: MakeConnector = (options) =>
  connectVia(options, (addresses) => (addresses.every(options.isAllowed) ? addresses[0] : null));

/** Judges the addresses of a name, and looks it up again to connect. */
export const lookUpTwiceGuard: MakeConnector = (options) => {
  const guard = createSsrfGuard(options);
  const connect = connectVia(options, (addresses) => addresses[0] ?? null);
  const judgeAndConnect: MakeConnection = async (to, callback) => {
    const url = new URL(`${to.protocol}//${to.host}/`);
    const { kind } = await guard.check(url, AbortSignal.timeout(5_000));
    if (kind === 'allowed') connect(to, callback);
    else callback(new Error('refused'), null);
  };
  return (to, callback) => void judgeAndConnect(to, callback);
};

/** Judges the first of several answers and connects to the last. */
export const firstAnswerGuard: MakeConnector = (options) =>
  connectVia(options, (addresses) =>
    options.isAllowed(addresses[0] ?? '') ? addresses.at(-1) : null,
  );

/** Connects as Node does it, to one of a name's addresses; to none if the choice is null. */
function connectVia(
  { resolve }: SsrfGuardOptions,
  choose: (addresses: readonly string[]) => string | undefined | null,
): buildConnector.connector {
  const lookUp = async (...[host, { all }, callback]: Parameters<LookupFunction>) => {
    const address = choose(await resolve(host, AbortSignal.timeout(5_000)));
    if (address == null) return callback(new Error('refused'), '', 0);
    const family = address.includes(':') ? 6 : 4;
    return all === true ? callback(null, [{ address, family }]) : callback(null, address, family);
  };
  return buildConnector({ lookup: (...asked) => void lookUp(...asked) });
}
