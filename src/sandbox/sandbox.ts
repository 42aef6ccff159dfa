import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostInUrl } from '../platform/http/network.ts';

import { type Clock, type IsoDate, systemClock } from '../platform/time/time.ts';
import type { Answer } from './transport/answer.ts';
import { createBanks } from './banks/bank-simulators.ts';
import { HmrcSimulator } from './registries/hmrc.ts';
import { EcbSimulator } from './ecb/simulator.ts';
import { sorryPage, sorryPath } from './transport/error-pages.ts';
import { handleReceiver, receiverPath } from './receiver/routes.ts';
import { Receivers } from './receiver/receivers.ts';
import { RequestLog } from './request-log.ts';
import { Scenario } from './scenario/scenario.ts';
import { answerScenario } from './scenario/routes.ts';
import {
  environmentAt,
  handleUpstream,
  settingsAt,
  type UpstreamEnvironment,
  type UpstreamSettings,
} from './simulators.ts';
import { makeStartPage } from './start-page.ts';
import { TedbSimulator } from './tedb/simulator.ts';
import { sendAnswer } from './transport/faults.ts';
import type { Upstreams } from './upstreams.ts';

export interface SandboxOptions {
  /** Loopback by default, because the sandbox has no authentication. URLs have loopback also if this is every address. */
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The clock that the sandbox's own clock is based on; the real one by default. */
  readonly clock?: Clock;
  /** Makes the answers of TEDB small, for tests that go through months. */
  readonly brief?: boolean;
  /** The first day of the ECB's full history; by default the real one, which makes a large file. */
  readonly historyFrom?: IsoDate;
  /** The first day of the national banks' histories; that of the ECB's by default. */
  readonly bankHistoryFrom?: IsoDate;
}

export interface Sandbox {
  /** Without a slash at the end. */
  readonly url: string;
  /** The environment variables of a service whose upstreams are here. */
  readonly environment: UpstreamEnvironment;
  /** The same as values of the configuration, for a service in this process. */
  readonly settings: UpstreamSettings;
  /** For `TEDB_URL`. */
  readonly tedbUrl: string;
  /** For `ECB_URL`: the folder, with a slash at the end. */
  readonly ecbUrl: string;
  /** For `VIES_URL`. */
  readonly viesUrl: string;
  /** The URL of the webhook receiver of a name. */
  receiverUrl(name: string): string;
  readonly scenario: Scenario;
  readonly requests: RequestLog;
  readonly receivers: Receivers;
  /** The sandbox's clock, for a service that has to be in the same day. */
  readonly clock: Clock;
  /** Ends immediately, hanging answers included. */
  close(): Promise<void>;
}

/** Starts the simulated upstreams and the webhook receivers on one port. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const host = options.host ?? '127.0.0.1';
  const scenario = new Scenario(options.clock ?? systemClock);
  const { bankHistoryFrom = options.historyFrom } = options;
  const upstreams: Upstreams = {
    scenario,
    requests: new RequestLog(),
    tedb: new TedbSimulator(scenario, options.brief === true ? 'brief' : 'full'),
    ecb: new EcbSimulator(scenario, options.historyFrom),
    banks: createBanks(scenario, bankHistoryFrom),
    hmrc: new HmrcSimulator(scenario),
  };
  const receivers = new Receivers(scenario.clock);

  const server = createServer((request, response) => {
    handle(upstreams, receivers, request, response).catch((error: unknown) => {
      // The peer hung up in the middle of a request, or the sandbox has a bug.
      if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'text/plain' });
      response.end(`sandbox: ${String(error)}\n`);
    });
  });
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const url = `http://${hostInUrl(reachable)}:${port}`;
  const environment = environmentAt(url);
  return {
    url,
    environment,
    settings: settingsAt(url),
    tedbUrl: environment.TEDB_URL,
    ecbUrl: environment.ECB_URL,
    viesUrl: environment.VIES_URL,
    receiverUrl: (name) => `${url}${receiverPath}${name}`,
    scenario,
    requests: upstreams.requests,
    receivers,
    clock: scenario.clock,
    close: () => closeServer(server),
  };
}

async function handle(
  upstreams: Upstreams,
  receivers: Receivers,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const bytes = await readBody(request);
  if (bytes === undefined) return sendAnswer(response, tooLarge, 'none');
  if (path.startsWith(receiverPath)) {
    // A signature is over bytes: two different bodies can decode to the same text.
    return handleReceiver(upstreams.scenario, receivers, { request, response, path, bytes });
  }

  const body = bytes.toString();
  const answered = handleUpstream(upstreams, { request, response, path, body });
  if (answered !== undefined) return answered;
  return sendAnswer(response, answerPage(upstreams, request, path, body), 'none');
}

function answerPage(
  { scenario }: Upstreams,
  request: IncomingMessage,
  path: string,
  body: string,
): Answer {
  switch (path) {
    case '/_scenario':
      return answerScenario(scenario, request.method ?? '', body);
    case '/':
      return makeStartPage(`http://${request.headers.host ?? ''}`);
    case sorryPath:
      return sorryPage;
    default:
      return notFound;
  }
}

const largestBody = 1024 * 1024;

/** The body of a request; undefined if it is larger than a megabyte. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // The rest is read as well: a peer that is still sending would not read the answer.
    if (size <= largestBody) chunks.push(chunk);
  }
  return size > largestBody ? undefined : Buffer.concat(chunks);
}

const notFound = {
  status: 404,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: 'sandbox: nothing is served here; GET / lists what is\n',
};

const tooLarge = {
  status: 413,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' },
  body: `sandbox: the body has more than ${largestBody} bytes\n`,
};

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
