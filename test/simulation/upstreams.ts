import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Clock, IsoDate } from '../../src/platform/time/time.ts';
import type { Answer } from '../../src/sandbox/transport/answer.ts';
import { HmrcSimulator } from '../../src/sandbox/registries/hmrc.ts';
import { createBanks } from '../../src/sandbox/banks/bank-simulators.ts';
import { EcbSimulator } from '../../src/sandbox/ecb/simulator.ts';
import { RequestLog } from '../../src/sandbox/request-log.ts';
import { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { handleUpstream, settingsAt, type UpstreamSettings } from '../../src/sandbox/simulators.ts';
import { TedbSimulator } from '../../src/sandbox/tedb/simulator.ts';

/** Days in the file of past days; the real one has 62. */
const pastDays = 12;

/**
 * The sandbox's upstreams with short documents: every rate in one row without its goods, and fewer past days. Parsing
 * documents of full length would take most of the time of a simulated day.
 */
export type Upstreams = {
  readonly scenario: Scenario;
  readonly requests: RequestLog;
  readonly settings: UpstreamSettings;
  close(): Promise<void>;
};

/** Starts them on a free port; the clock stands, and the scenario moves it. */
export async function startUpstreams(clock: Clock, historyFrom: IsoDate): Promise<Upstreams> {
  const scenario = new Scenario(clock);
  const requests = new RequestLog();
  const tedb = new ShortTedb(scenario, 'brief');
  const ecb = new ShortEcb(scenario, historyFrom);
  const banks = createBanks(scenario, historyFrom);
  const parts = { scenario, requests, tedb, ecb, banks, hmrc: new HmrcSimulator(scenario) };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    const body = await text(request);
    const answered = handleUpstream(parts, { request, response, path, body });
    if (answered === undefined) response.writeHead(404).end();
    await answered;
  };
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    scenario,
    requests,
    settings: settingsAt(url),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

class ShortTedb extends TedbSimulator {
  readonly #short = new WeakMap<object, Buffer>();

  override answer(
    ...asked: Parameters<TedbSimulator['answer']>
  ): ReturnType<TedbSimulator['answer']> {
    const whole = super.answer(...asked);
    const { status, body } = whole.answer;
    if (status !== 200 || typeof body !== 'object') return whole;
    const known = this.#short.get(body) ?? Buffer.from(shortenRates(body.toString()));
    this.#short.set(body, known);
    return { ...whole, answer: withBody(whole.answer, known) };
  }
}

class ShortEcb extends EcbSimulator {
  override answer(...[request, fault]: Parameters<EcbSimulator['answer']>): Answer {
    const answer = super.answer({ ...request, acceptsGzip: false }, fault);
    if (typeof answer.body !== 'object' || !request.file.includes('90d')) return answer;
    return withBody(answer, shortenPast(answer.body.toString()));
  }
}

/** One row for each distinct rate of a Member State, without codes and texts about goods. */
function shortenRates(document: string): string {
  const seen = new Set<string>();
  return document
    .replaceAll(/<(cnCodes|cpaCodes)>.*?<\/\1>/gs, '')
    .replaceAll(/<description>[^<]*<\/description>/g, '<description>Goods</description>')
    .replaceAll(/<vatRateResults>.*?<\/vatRateResults>/gs, (row) => {
      // Rows of regions, and rows that readers ignore, are all kept.
      const isOrdinary = !/REGION|VAT/.test(row);
      const key = row.replaceAll(/<(category|comment)>.*?<\/\1>/gs, '');
      if (isOrdinary && seen.has(key)) return '';
      if (isOrdinary) seen.add(key);
      return row;
    });
}

function shortenPast(document: string): string {
  let at = -1;
  for (let days = 0; days <= pastDays; days += 1) {
    at = document.indexOf('<Cube time=', at + 1);
    if (at === -1) return document;
  }
  return document.slice(0, at) + document.slice(document.lastIndexOf('</Cube>'));
}

function withBody(answer: Answer, body: string | Uint8Array): Answer {
  const length = 'Content-Length' in answer.headers;
  const sized = length ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  return { ...answer, headers: { ...answer.headers, ...sized }, body };
}
