import { Agent } from 'node:http';
import { afterAll, beforeAll, onTestFailed, onTestFinished } from 'vitest';
import { createLog } from '../../src/platform/log/log.ts';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import type { Core } from '../../src/composition/core.ts';
import { type Clock, formatInstant, isoDate } from '../../src/platform/time/time.ts';
import { systemTimers, type Timers } from '../../src/platform/time/timers.ts';
import { type Server, startServer } from '../../src/composition/server.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { type Answer, sendRequest, type TestRequest } from './send-request.ts';
import { type PlainConfig, plainDefaults, sealConfig } from './plain-config.ts';
import { databaseSettings, makeDatabase } from './temporary-database.ts';
import { setNow } from './sandbox/scripts.ts';

export type StartOptions = {
  /** The initial time, a Friday after both publications; only `liveAt` and the scenario move it. */
  readonly at?: string;
  /** Settings that differ from the defaults. */
  readonly config?: Partial<PlainConfig>;
  /** Time for the deadlines and breakers of VAT checks; the machine's unless given. */
  readonly timers?: Timers;
  /** The first day in the ECB's full history; late, because 27 years would take too long. */
  readonly fxFrom?: string;
  /** Scripts the upstreams before the first run. */
  readonly script?: (scenario: Scenario) => void;
  /** Moments for which `liveAt` is called before the test begins. */
  readonly lived?: readonly string[];
};

/**
 * Starts the composed service against a sandbox of its own, both in scripted time: on free ports, with
 * an empty database and a key, nothing published and no job started. Ends with the test. If the test fails, the
 * warnings and errors of the service are printed.
 *
 *     const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
 *     const { status, headers, text } = await service.get('/rates');
 */
export async function startService(options: StartOptions = {}): Promise<TestService> {
  const parts = new AsyncDisposableStack();
  onTestFinished(async () => parts.disposeAsync());
  const service = await openService(options, parts);
  onTestFailed(() => printWarnings(service));
  return service;
}

function printWarnings({ logLines }: TestService): void {
  for (const line of logLines.filter((one) => /^\{"level":"(?:warn|error|fatal)"/.test(one))) {
    process.stderr.write(`${line}\n`);
  }
}

/**
 * Starts one service for all tests of a file or of a `describe`, for tables of tests that only read.
 *
 *     const service = shareService();
 *     it.each(odd)('refuses %s', async (path) => { await service().get(path) …
 */
export function shareService(options: StartOptions = {}): () => TestService {
  const parts = new AsyncDisposableStack();
  let service: TestService | undefined;
  beforeAll(async () => {
    service = await openService(options, parts);
  });
  afterAll(async () => parts.disposeAsync());
  return () => {
    if (service === undefined) throw new Error('the shared service is there in tests only');
    return service;
  };
}

/** Starts a service that ends with the given stack. */
export async function openService(
  options: StartOptions,
  parts: AsyncDisposableStack,
): Promise<TestService> {
  const { url } = parts.use(makeDatabase());

  const startMs = Date.parse(options.at ?? '2026-11-20T16:00:00Z');
  const standing: Clock = { now: () => startMs };
  const historyFrom = isoDate(options.fxFrom ?? '2026-09-01');
  const sandbox = await startSandbox({ clock: standing, brief: true, historyFrom });
  parts.defer(async () => sandbox.close());
  const settings = databaseSettings(url);
  const config = {
    ...plainDefaults(),
    databaseUrl: settings.DATABASE_URL,
    secretKey: settings.SECRET_KEY ?? '',
    port: 0,
    opsPort: 0,
    ...sandbox.settings,
    ...options.config,
  };
  const service = new TestService(sandbox, config, options.timers);
  parts.defer(async () => service.stop());
  await service.start();
  options.script?.(sandbox.scenario);
  for (const moment of options.lived ?? []) await service.liveAt(moment);
  return service;
}

/** A running service, and actions of tests on it. */
export class TestService {
  readonly sandbox: Sandbox;
  readonly config: PlainConfig;
  /** Every line of the log so far, at all levels, as JSON text. */
  readonly logLines: string[] = [];
  readonly #timers: Timers;
  readonly #agent = new Agent({ keepAlive: true });
  #service: Server | undefined;
  #key = '';

  constructor(sandbox: Sandbox, config: PlainConfig, timers: Timers = systemTimers) {
    this.sandbox = sandbox;
    this.config = config;
    this.#timers = timers;
  }

  get apiUrl(): string {
    return this.#running.apiUrl;
  }

  get opsUrl(): string {
    return this.#running.opsUrl;
  }

  get routes(): Server['routes'] {
    return this.#running.routes;
  }

  get core(): Core {
    return this.#running.core;
  }

  get scenario(): Scenario {
    return this.sandbox.scenario;
  }

  /** A key that works. */
  get key(): string {
    return this.#key;
  }

  /** Sets the time of service and sandbox, and checks once whether the jobs are due. */
  async liveAt(moment: string): Promise<void> {
    setNow(this.scenario, moment);
    await this.#running.tick();
  }

  /** Lets some time pass for service and sandbox, without a look at the jobs: clocks stand still otherwise. */
  passTime(ms: number): void {
    this.scenario.apply({ now: this.scenario.clock.now() + ms });
  }

  /** Makes the background attempts of stored checks that are due now, and waits for their results. */
  async attemptDueChecks(): Promise<void> {
    await this.#running.attemptDueChecks();
  }

  /** Starts the tickers of the jobs, as `serve` does. */
  startJobs(): void {
    this.#running.startJobs();
  }

  /** Lets webhooks be delivered, as `serve` does. */
  startDelivery(): void {
    this.#running.startDelivery();
  }

  /** GET on the API with the ready key; a header of one's own wins. */
  async get(path: string, headers: TestRequest['headers'] = {}): Promise<Answer> {
    return this.sendRequest({
      path,
      headers: { authorization: `Bearer ${this.#key}`, ...headers },
    });
  }

  /** Sends exactly this request to the API, without a key unless the headers have one. */
  async sendRequest(question: TestRequest): Promise<Answer> {
    return sendRequest(this.apiUrl, question, this.#agent);
  }

  /** Sends a request to the operations port. */
  async sendToOps(
    path: string,
    method = 'GET',
    headers: TestRequest['headers'] = {},
    body?: string,
  ): Promise<Answer> {
    const sent = { path, method, headers, ...(body !== undefined && { body }) };
    return sendRequest(this.opsUrl, sent, this.#agent);
  }

  /** Stops and starts on the same data; the addresses change, the key stays. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async start(): Promise<void> {
    const log = createLog('debug', { write: (line) => void this.logLines.push(line) });
    const { clock } = this.sandbox;
    const retry = { attempts: 2, firstDelayMs: 1 };
    const timers = this.#timers;
    this.#service = await startServer({
      config: sealConfig(this.config),
      log,
      clock,
      timers,
      // The true time, also if the clock of the service is another one.
      uptime: () => this.scenario.clock.now(),
      retry,
      bankPauseMs: 0,
    });
    if (this.#key === '') await this.useNewKey();
  }

  /** Creates a key without limits, and uses it from now on: time stands still, so a reached limit would stay reached. */
  async useNewKey(): Promise<void> {
    const at = formatInstant(this.sandbox.clock.now());
    const limits = { rateLimit: 'none', quota: 'none' } as const;
    const { key } = await createKey(this.core.db, { name: 'test', ...limits, at });
    this.#key = key;
  }

  /** Ends the service; its data stays for a next start. */
  async stop(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    const stopped = service?.stop();
    // Our own idle connections would be waited for.
    this.#agent.destroy();
    await stopped;
  }

  get #running(): Server {
    if (this.#service === undefined) throw new Error('the service is not running');
    return this.#service;
  }
}
