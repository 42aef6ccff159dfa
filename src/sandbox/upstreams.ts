import type { IncomingMessage, ServerResponse } from 'node:http';

import type { OptionKey } from '../platform/config/options.ts';
import type { BankSimulators } from './banks/bank-simulators.ts';
import type { HmrcSimulator } from './registries/hmrc.ts';
import type { EcbSimulator } from './ecb/simulator.ts';
import type { RequestLog, SandboxRequest, SimulatorName } from './request-log.ts';
import type { Scenario } from './scenario/scenario.ts';
import type { TedbSimulator } from './tedb/simulator.ts';
import { type Answer, dated, waitWhileOpen } from './transport/answer.ts';
import { sendAnswer, type TransportFault, transportFaults } from './transport/faults.ts';

/** The state of the simulators, and what they share. */
export interface Upstreams {
  readonly scenario: Scenario;
  readonly requests: RequestLog;
  readonly tedb: TedbSimulator;
  readonly ecb: EcbSimulator;
  readonly banks: BankSimulators;
  readonly hmrc: HmrcSimulator;
}

/** A request to an upstream, and the response to it. */
export interface UpstreamCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query. */
  readonly path: string;
  readonly body: string;
}

/** A simulated upstream. */
export interface Simulator {
  readonly name: SimulatorName;
  /** The setting of a service that has the URL of this upstream. */
  readonly setting: OptionKey;
  /** The environment variable of that setting. */
  readonly variable: `${string}_URL`;
  /** With a slash at the end it stands for every path below it. */
  readonly path: string;
  /** The first one is on the start page. */
  readonly methods: readonly string[];
  /** Paths below `path`, each with its text on the start page. */
  readonly served: Readonly<Record<string, string>>;
  readonly handle: (upstreams: Upstreams, call: UpstreamCall) => Promise<void>;
}

/** Adds a request to the log. */
export function logRequest(
  { requests, scenario }: Upstreams,
  request: IncomingMessage,
  entry: Omit<SandboxRequest, 'at' | 'method' | 'path' | 'userAgent'>,
): void {
  requests.add({
    ...entry,
    at: scenario.clock.now(),
    method: request.method ?? '',
    path: request.url ?? '',
    userAgent: headerOf(request, 'user-agent') ?? '',
  });
}

/** Sends an answer after its latency, with a fault of the transport. */
export async function sendScripted(
  { scenario }: Upstreams,
  response: ServerResponse,
  sending: {
    readonly answer: Answer;
    readonly fault: TransportFault;
    readonly latencyMs: number;
    readonly dripMs?: number;
  },
): Promise<void> {
  const { answer, fault, latencyMs, ...options } = sending;
  const { dateMinutes } = scenario.state;
  const sent = dated(answer, scenario.clock, dateMinutes);
  // Otherwise Node adds one.
  response.sendDate = dateMinutes !== null;
  await waitWhileOpen(response, latencyMs);
  if (!response.destroyed) await sendAnswer(response, sent, fault, options);
}

/** The fault of the transport; `none` for a fault of the data. */
export function transportOf(fault: string): TransportFault {
  return transportFaults.find((one) => one === fault) ?? 'none';
}

export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
