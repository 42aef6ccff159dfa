import { afterAll, beforeAll } from 'vitest';
import type { PlainConfig } from '../../support/plain-config.ts';
import { addDays, isoDate, type IsoDate } from '../../../src/platform/time/time.ts';
import { ecbPath } from '../../../src/sandbox/ecb/simulator.ts';
import { tedbPath } from '../../../src/sandbox/tedb/simulator.ts';
import { viesPath } from '../../../src/sandbox/vies/simulator.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { shareService, type TestService } from '../../support/start-service.ts';
import { startTlsFront } from './tls-front.ts';

export type UpstreamName = 'tedb' | 'ecb' | 'vies';

/** The first simulated day; there are no holidays of the ECB between it and Christmas. */
const firstDay = '2026-06-01';

/** A service whose upstreams are behind a proxy each, and its twin without faults. */
export type UpstreamWorld = {
  readonly service: () => TestService;
  readonly twin: () => TestService;
  readonly proxies: Readonly<Record<UpstreamName, FaultProxy>>;
  /** Moves to the next day on which both upstreams publish; its jobs have not run. */
  readonly nextDay: () => IsoDate;
};

/** For all tests of a file; with `https` the proxies pass on TLS. */
export async function shareUpstreamWorld(
  scheme: 'http' | 'https',
  seed: number,
): Promise<UpstreamWorld> {
  const proxies = {
    tedb: await FaultProxy.start(0, seed),
    ecb: await FaultProxy.start(0, seed + 1),
    vies: await FaultProxy.start(0, seed + 2),
  };
  const urlOf = (name: UpstreamName, path: string): string =>
    `${scheme}://127.0.0.1:${proxies[name].port}${path}`;
  const config: Partial<PlainConfig> = {
    tedbUrl: urlOf('tedb', tedbPath),
    ecbUrl: urlOf('ecb', ecbPath).replace(/\/$/, ''),
    viesUrl: urlOf('vies', viesPath),
    viesTimeoutMs: 1_000,
  };
  const at = `${firstDay}T00:00:00Z`;
  const service = shareService({ at, fxFrom: '2026-05-01', config });
  const twin = shareService({ at, fxFrom: '2026-05-01' });
  const parts = new AsyncDisposableStack();
  let day = isoDate(firstDay);
  beforeAll(async () => {
    let port = Number(new URL(service().sandbox.url).port);
    if (scheme === 'https') port = parts.use(await startTlsFront(port)).port;
    for (const proxy of Object.values(proxies)) parts.use(proxy).leadTo(port);
    for (const one of [service(), twin()]) await one.liveAt(`${day}T16:00:00Z`);
  });
  afterAll(async () => parts.disposeAsync());

  const nextDay = (): IsoDate => {
    do day = addDays(day, 1);
    while ([0, 6].includes(new Date(day).getUTCDay()));
    return day;
  };
  return { service, twin, proxies, nextDay };
}
