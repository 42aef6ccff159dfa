import { BankRefresh } from '../fx/banks/bank-refresh.ts';
import { banks, bankSeries } from '../fx/banks/banks.ts';
import type { Config } from '../platform/config/options.ts';
import type { Log } from '../platform/log/log.ts';
import type { BankName } from '../platform/publication/data-set-kinds.ts';
import type { JobParts } from '../platform/publication/job-runs.ts';
import { chooseProxy } from '../platform/upstream/proxy.ts';
import type { RetryPolicy } from '../platform/upstream/retry.ts';
import { Upstream } from '../platform/upstream/upstream.ts';

/** The least time between two requests to a bank (rule N9). */
const pauseMsDefault = 1_000;

/** The job of each enabled bank, and its upstream by the same name. */
export type BankJobs = {
  readonly jobs: Readonly<Partial<Record<BankName, BankRefresh>>>;
  readonly upstreams: Readonly<Partial<Record<BankName, Upstream>>>;
};

/** Creates the job of each bank in FX_BANKS. */
export function createBankJobs(
  config: Config,
  parts: {
    readonly shared: JobParts & { readonly log: Log };
    readonly published: Omit<ConstructorParameters<typeof Upstream>[1], 'proxy'>;
    readonly retry: RetryPolicy;
    readonly pauseMs?: number | undefined;
  },
): BankJobs {
  const { shared, published, retry, pauseMs = pauseMsDefault } = parts;
  const all = config.fxBanks.map((name) => {
    const url = config[banks[name].setting];
    const upstream = new Upstream(name, { ...published, proxy: chooseProxy(url, config) });
    const source = { upstream, url, retry };
    const own = { bank: banks[name], series: bankSeries[name], source, gate: config.fxGate };
    return { name, upstream, job: new BankRefresh({ ...shared, ...own, pauseMs }) };
  });
  return {
    jobs: Object.fromEntries(all.map(({ name, job }) => [name, job])),
    upstreams: Object.fromEntries(all.map(({ name, upstream }) => [name, upstream])),
  };
}
