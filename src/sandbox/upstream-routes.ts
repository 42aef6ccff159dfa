import type { IncomingMessage, ServerResponse } from 'node:http';

import { ecbPath, type EcbSimulator } from './ecb/simulator.ts';
import type { RequestLog, SandboxRequest } from './request-log.ts';
import type { Scenario } from './scenario/scenario.ts';
import type { TedbSimulator } from './tedb/simulator.ts';
import type { Answer } from './transport/answer.ts';
import { sendAnswer, type TransportFault, transportFaults } from './transport/faults.ts';
import { dated, waitWhileOpen } from './transport/timing.ts';
import { answerVies } from './vies/simulator.ts';

/** The simulators, and what they share. */
export interface Upstreams {
  readonly scenario: Scenario;
  readonly requests: RequestLog;
  readonly tedb: TedbSimulator;
  readonly ecb: EcbSimulator;
}

/** Logs a request to TEDB and answers it as scripted. */
export async function handleTedb(
  upstreams: Upstreams,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  const { scenario, tedb } = upstreams;
  const { latencyMs } = scenario.state.tedb;
  const fault = scenario.takeTedbFault();
  const { answer, requestedDate, codes } = tedb.answer(
    headerOf(request, 'soapaction'),
    body,
    fault,
  );
  const { status } = answer;
  log(upstreams, request, { upstream: 'tedb', status, fault, requestedDate, codes });
  await send(upstreams, response, { answer, fault: transportOf(fault), latencyMs });
}

/** Logs a request for a file of the ECB and answers it as scripted. */
export async function handleEcb(
  upstreams: Upstreams,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const { scenario, ecb } = upstreams;
  const { latencyMs } = scenario.state.ecb;
  const fault = scenario.takeEcbFault();
  const transport = transportOf(fault);
  const file = path.slice(ecbPath.length);

  // A fault needs a body that is not compressed: a 304 or gzip would hide it.
  const hasFault = transport !== 'none';
  const answer = ecb.answer(
    {
      file,
      ifModifiedSince: hasFault ? undefined : headerOf(request, 'if-modified-since'),
      acceptsGzip: !hasFault && /\bgzip\b/.test(headerOf(request, 'accept-encoding') ?? ''),
    },
    fault,
  );
  log(upstreams, request, { upstream: 'ecb', status: answer.status, fault, file, codes: [] });
  await send(upstreams, response, { answer, fault: transport, latencyMs });
}

/** Logs a VAT check, answers it as scripted, and counts it while it is in flight. */
export async function handleVies(
  upstreams: Upstreams,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  const { answer, check, memberState, fault, latencyMs } = answerVies(upstreams.scenario, {
    contentType: headerOf(request, 'content-type'),
    action: headerOf(request, 'soapaction'),
    body,
  });
  log(upstreams, request, {
    upstream: 'vies',
    status: answer.status,
    fault,
    codes: check === undefined ? [] : [check.countryCode],
    vatNumber: check?.vatNumber,
  });

  const end = upstreams.requests.vies.begin(memberState ?? 'none');
  const { socket } = request;
  // A caller that hangs up may call again before this response emits `close`.
  socket.once('end', end);
  // The answer to `server-fault` is a SOAP fault already.
  const transport = fault === 'server-fault' ? 'none' : fault;
  await send(upstreams, response, { answer, fault: transport, latencyMs, dripMs: 1000 });
  socket.off('end', end);
  end();
}

function log(
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

async function send(
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
  const sent = dated(answer, scenario.clock);
  await waitWhileOpen(response, latencyMs);
  if (!response.destroyed) await sendAnswer(response, sent, fault, options);
}

/** The fault of the transport; `none` for a fault of the data. */
function transportOf(fault: string): TransportFault {
  return transportFaults.find((one) => one === fault) ?? 'none';
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
