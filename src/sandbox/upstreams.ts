import type { IncomingMessage, ServerResponse } from 'node:http';

import type { BankSimulators } from './banks/bank-simulators.ts';
import type { EcbSimulator } from './ecb/simulator.ts';
import type { RequestLog, SandboxRequest } from './request-log.ts';
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
}

/** A request to an upstream, and the response to it. */
export interface UpstreamCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query. */
  readonly path: string;
  readonly body: string;
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
