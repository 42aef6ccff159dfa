import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import type { Answer } from './transport/answer.ts';
import type { EcbSimulator } from './ecb/simulator.ts';
import { ecbPath } from './ecb/simulator.ts';
import type { RequestLog } from './request-log.ts';
import type { Scenario } from './scenario/scenario.ts';
import type { TedbSimulator } from './tedb/simulator.ts';
import type { TransportFault } from './transport/faults.ts';
import { sendAnswer, transportFaults } from './transport/faults.ts';
import { answerVies } from './vies/simulator.ts';

/** Everything that answers, and what it answers from. */
export interface Upstreams {
  readonly scenario: Scenario;
  readonly requests: RequestLog;
  readonly tedb: TedbSimulator;
  readonly ecb: EcbSimulator;
}

/** Answers a request to TEDB as the scenario wants it, and logs it. */
export async function handleTedb(
  upstreams: Upstreams,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  const { scenario, requests, tedb } = upstreams;
  const { latencyMs } = scenario.state.tedb;
  const fault = scenario.takeTedbFault();
  const { answer, askedDate, codes } = tedb.answer(headerOf(request, 'soapaction'), body, fault);

  requests.add({
    upstream: 'tedb',
    at: scenario.clock.now(),
    method: request.method ?? '',
    path: request.url ?? '',
    userAgent: headerOf(request, 'user-agent') ?? '',
    file: null,
    askedDate,
    codes,
    status: answer.status,
    fault,
  });
  await sendLater(response, dated(answer, scenario), latencyMs, transportOf(fault));
}

/** Answers a request for a file of the ECB as the scenario wants it, and logs it. */
export async function handleEcb(
  upstreams: Upstreams,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const { scenario, requests, ecb } = upstreams;
  const { latencyMs } = scenario.state.ecb;
  const fault = scenario.takeEcbFault();
  const transport = transportOf(fault);
  const file = path.slice(ecbPath.length);

  // A spoiled answer is a whole one in plain bytes: 304 and gzip would hide the damage.
  const isWhole = transport === 'none';
  const answer = ecb.answer(
    {
      file,
      ifModifiedSince: isWhole ? headerOf(request, 'if-modified-since') : undefined,
      acceptsGzip: isWhole && /\bgzip\b/.test(headerOf(request, 'accept-encoding') ?? ''),
    },
    fault,
  );

  requests.add({
    upstream: 'ecb',
    at: scenario.clock.now(),
    method: request.method ?? '',
    path: request.url ?? '',
    userAgent: headerOf(request, 'user-agent') ?? '',
    file,
    askedDate: null,
    codes: [],
    status: answer.status,
    fault,
  });
  await sendLater(response, dated(answer, scenario), latencyMs, transport);
}

/** Answers a VAT check as the scenario wants it, logs it, and counts it while it is in flight. */
export async function handleVies(
  upstreams: Upstreams,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  const { scenario, requests } = upstreams;
  const { answer, check, memberState, fault, latencyMs } = answerVies(scenario, {
    contentType: headerOf(request, 'content-type'),
    action: headerOf(request, 'soapaction'),
    body,
  });

  requests.add({
    upstream: 'vies',
    at: scenario.clock.now(),
    method: request.method ?? '',
    path: request.url ?? '',
    userAgent: headerOf(request, 'user-agent') ?? '',
    file: null,
    askedDate: null,
    codes: check === null ? [] : [check.countryCode],
    ...(check === null ? {} : { vatNumber: check.vatNumber }),
    status: answer.status,
    fault,
  });
  // The service's own failure is a fault of its own, which travels well.
  const way = fault === 'server-fault' ? 'none' : fault;
  const end = requests.vies.begin(memberState ?? 'none');
  const { socket } = request;
  // Whoever gives up may call again at once, a moment before the response is closed here.
  socket.once('end', end);
  await sendLater(response, dated(answer, scenario), latencyMs, way, { dripMs: 1000 });
  socket.off('end', end);
  end();
}

async function sendLater(
  response: ServerResponse,
  answer: Answer,
  latencyMs: number,
  fault: TransportFault,
  options: { readonly dripMs?: number } = {},
): Promise<void> {
  await waitWhileWanted(response, latencyMs);
  if (!response.destroyed) await sendAnswer(response, answer, fault, options);
}

/** Waits for as long as told, or until nobody waits for the answer any more. */
export async function waitWhileWanted(response: ServerResponse, latencyMs: number): Promise<void> {
  if (latencyMs === 0) return;
  const left = new AbortController();
  response.once('close', () => left.abort());
  await wait(latencyMs, undefined, { signal: left.signal }).catch(() => {});
}

/** Whoever answers lives in the sandbox's time, in the `Date` as well. */
export function dated(answer: Answer, { clock }: Scenario): Answer {
  const date = new Date(clock.now()).toUTCString();
  return { ...answer, headers: { ...answer.headers, Date: date } };
}

/** Faults of the data are no faults of the transport: they travel well. */
function transportOf(fault: string): TransportFault {
  return transportFaults.find((one) => one === fault) ?? 'none';
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
