import type { BankName, DataSetKind } from '../../platform/publication/data-set-kinds.ts';
import { systemClock } from '../../platform/time/time.ts';
import { readDate } from '../../platform/upstream/check-answer.ts';
import {
  exchange,
  type ExchangeAnswer,
  type ExchangeRequest,
} from '../../platform/upstream/exchange.ts';
import { nameProxy, type Proxy } from '../../platform/upstream/proxy.ts';
import { createUpstreamAgent } from '../../platform/upstream/upstream-agent.ts';
import { UpstreamError } from '../../platform/upstream/upstream-error.ts';
import { sentenceOf } from '../command/report.ts';
import { type ClockReading, type Finding, type FindingWithClock, wrong } from './finding.ts';

/** Limits of an exchange; answers are much smaller. */
const limits = { deadlineMs: 10_000, bodyBytesMax: 1_000_000 } as const;
/** The Date header has whole seconds, and a cache may have stored it. */
const clockToleranceMs = 60_000;

/**
 * The names of the upstreams. None is that of a data set, because both are names of checks: a name in both lists
 * does not compile.
 */
type UpstreamName = Exclude<'tedb' | 'ecb' | 'vies', DataSetKind> | `${BankName} source`;

/** A small request to an upstream, and the parser of its answer. */
export type Probe = {
  readonly upstream: UpstreamName;
  readonly variable: string;
  readonly request: Pick<ExchangeRequest, 'url' | 'method' | 'headers' | 'body'>;
  /** The cap on the answer; small by default. */
  readonly bodyBytesMax?: number;
  readonly read: (answer: ExchangeAnswer) => Promise<Finding>;
};

/** Sends a probe, and compares the clock of this machine with that of the upstream. */
export async function sendProbe(
  probe: Probe,
  { userAgent, proxy }: { readonly userAgent: string; readonly proxy: Proxy | undefined },
): Promise<FindingWithClock> {
  const { upstream, variable, request, read, bodyBytesMax = limits.bodyBytesMax } = probe;
  const agent = createUpstreamAgent({ connections: 1, proxy });
  const startedMs = performance.now();
  let clock: ClockReading | undefined;
  let undated: string | undefined;
  try {
    const finding = await exchange(
      agent,
      {
        upstream,
        operation: 'doctor',
        userAgent,
        proxy,
        ...request,
        ...limits,
        bodyBytesMax,
        signal: new AbortController().signal,
      },
      async (answer) => {
        clock = compareClock(upstream, answer);
        if (clock === undefined) undated = upstream;
        return read(answer);
      },
    );
    const ms = Math.round(performance.now() - startedMs);
    const way = proxy === undefined ? '' : ` through the proxy ${nameProxy(proxy)}`;
    return { finding: { ...finding, found: `${finding.found} in ${ms} ms${way}` }, clock, undated };
  } catch (error) {
    const [found = ''] = sentenceOf(error).split(`${upstream}: doctor: `).slice(-1);
    const isOfProxy = error instanceof UpstreamError && error.kind === 'proxy';
    const advice = isOfProxy
      ? `check ${proxy?.variable}, NO_PROXY and the rules of the proxy`
      : `check ${variable}, and DNS, proxies and firewalls on the way to it`;
    return { finding: wrong(upstream, found, advice), clock };
  } finally {
    await agent.destroy();
  }
}

function compareClock(of: string, answer: ExchangeAnswer): ClockReading | undefined {
  const dateMs = readDate(answer);
  if (dateMs === undefined) return undefined;
  return { of, aheadMs: dateMs - systemClock.now(), toleranceMs: clockToleranceMs };
}
