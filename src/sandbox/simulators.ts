import { readConfig } from '../platform/config/config.ts';
import type { Config } from '../platform/config/options.ts';
import { bankUpstreams } from './banks/routes.ts';
import { handleEcb } from './ecb/routes.ts';
import { ecbPath } from './ecb/simulator.ts';
import { handleTedb } from './tedb/routes.ts';
import { tedbPath } from './tedb/simulator.ts';
import { registryUpstreams } from './registries/routes.ts';
import type { Simulator, UpstreamCall, Upstreams } from './upstreams.ts';
import { handleVies } from './vies/routes.ts';
import { viesPath } from './vies/simulator.ts';

/** Every simulated upstream, in the order of the start page and of the printed settings. */
export const simulators = [
  {
    name: 'tedb',
    setting: 'tedbUrl',
    variable: 'TEDB_URL',
    path: tedbPath,
    methods: ['POST'],
    served: { '': 'TEDB, the SOAP service of the VAT rates' },
    handle: handleTedb,
  },
  {
    name: 'ecb',
    setting: 'ecbUrl',
    variable: 'ECB_URL',
    path: ecbPath,
    methods: ['GET', 'HEAD'],
    served: {
      'eurofxref-daily.xml': "the ECB's euro reference rates of the newest day",
      'eurofxref-hist-90d.xml': '... of 90 days',
      'eurofxref-hist.xml': '... since 1999-01-04',
    },
    handle: handleEcb,
  },
  {
    name: 'vies',
    setting: 'viesUrl',
    variable: 'VIES_URL',
    path: viesPath,
    methods: ['POST'],
    served: { '': 'VIES, the SOAP service of VAT numbers' },
    handle: handleVies,
  },
  ...registryUpstreams,
  ...bankUpstreams,
] as const satisfies readonly Simulator[];

type Known = (typeof simulators)[number];
/** Environment variables with the URLs of all simulators. */
export type UpstreamEnvironment = Readonly<Record<Known['variable'], string>>;
/** The same URLs as values of the configuration. */
export type UpstreamSettings = Pick<Config, Known['setting']>;

/** Answers a request to a simulator; undefined if it is to none of them. */
export function handleUpstream(
  upstreams: Upstreams,
  call: UpstreamCall,
): Promise<void> | undefined {
  const method = call.request.method ?? '';
  const simulator = simulators.find(
    ({ path, methods }: Simulator) =>
      methods.includes(method) &&
      (path.endsWith('/') ? call.path.startsWith(path) : call.path === path),
  );
  return simulator?.handle(upstreams, call);
}

/** The settings of a service whose upstreams are at a URL. */
export function environmentAt(url: string): UpstreamEnvironment {
  return Object.fromEntries(
    simulators.map(({ variable, path }) => [variable, `${url}${path}`]),
  ) as UpstreamEnvironment;
}

/** The same for a service in this process, as it reads them from its environment. */
export function settingsAt(url: string): UpstreamSettings {
  const { config } = readConfig(environmentAt(url), '');
  return Object.fromEntries(
    simulators.map(({ setting }) => [setting, config[setting]]),
  ) as UpstreamSettings;
}
