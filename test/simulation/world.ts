import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'undici';
import { createLog } from '../../src/platform/log/log.ts';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { createCore, type Core } from '../../src/composition/core.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { Config } from '../../src/platform/config/options.ts';
import { addDays, type Clock, formatInstant, type IsoDate } from '../../src/platform/time/time.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { type Server, startServer } from '../../src/composition/server.ts';
import type { Answer } from '../support/send-request.ts';
import { startUpstreams, type Upstreams } from './upstreams.ts';
import { setNow } from '../support/sandbox/scripts.ts';

/** The folder of databases, if the machine has it: in memory, because durability has tests of its own. */
const memoryFolder = '/dev/shm';
const retry = { attempts: 2, firstDelayMs: 1 };

/** The SECRET_KEY, which no output and no log line may contain. */
const secretKey = '5ec4e7'.repeat(11).slice(0, 64);

/**
 * The composed service in simulated time, with the sandbox as its upstreams.
 *
 * Upstreams follow the true time, the service a clock that may be wrong. Time moves only when the test moves it.
 */
export class World implements AsyncDisposable {
  readonly upstreams: Upstreams;
  /** The file of the database, read without the product. */
  readonly stored: DatabaseSync;
  /** The error of the service's clock in milliseconds. */
  skewMs = 0;
  readonly #folder: string;
  readonly #config: Config;
  #client: Client | undefined;
  #service: Server | undefined;
  #key = '';
  #outputs: string[] = [];

  static async start(day: IsoDate, atMs: number): Promise<World> {
    const parent = existsSync(memoryFolder) ? memoryFolder : tmpdir();
    const folder = mkdtempSync(join(parent, 'vatfx-simulation-'));
    const upstreams = await startUpstreams({ now: () => atMs }, addDays(day, -20));
    const world = new World(upstreams, folder);
    await world.startServer();
    return world;
  }

  private constructor(upstreams: Upstreams, folder: string) {
    this.upstreams = upstreams;
    this.#folder = folder;
    const file = join(folder, 'vatfx.db');
    this.#config = {
      ...readConfig({ DATABASE_URL: `file:${file}`, SECRET_KEY: secretKey }, '').config,
      port: 0,
      opsPort: 0,
      ...upstreams.settings,
    };
    this.stored = new DatabaseSync(file);
  }

  get scenario(): Scenario {
    return this.upstreams.scenario;
  }

  /** The true time. */
  get nowMs(): number {
    return this.upstreams.scenario.clock.now();
  }

  get isUp(): boolean {
    return this.#service !== undefined;
  }

  get secrets(): readonly string[] {
    return [this.#key, secretKey];
  }

  moveTo(epochMs: number): void {
    setNow(this.scenario, formatInstant(epochMs));
  }

  /** Polls once whether jobs are due, and runs them. */
  async tick(): Promise<void> {
    await this.#service?.tick();
  }

  /** Lets the server follow the writes of other processes, as it does twice a second. */
  async catchUp(): Promise<void> {
    await this.#service?.core.watch.poll();
  }

  async startServer(): Promise<void> {
    this.#service = await startServer({ ...this.#parts(), config: this.#config });
    if (this.#key !== '') return;
    const limits = { rateLimit: 'none', quota: 'none' } as const;
    const at = formatInstant(this.nowMs);
    const { key } = await createKey(this.#service.core.db, { name: 'simulation', ...limits, at });
    this.#key = key;
  }

  async stopService(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    const stopped = service?.stop();
    // The stop would wait for this test's idle connection.
    await this.#client?.destroy();
    this.#client = undefined;
    await stopped;
  }

  /** Does the work of a command: with a composition of its own, beside the server. */
  async command<T>(work: (core: Core) => Promise<T>): Promise<T> {
    const core = await createCore({ ...this.#parts(), config: this.#config });
    try {
      return await work(core);
    } finally {
      await core.stop();
    }
  }

  /** Sends requests as a caller; requests of one call share a connection. */
  async get(path: string): Promise<Answer> {
    return this.#sendRequest(path, { authorization: `Bearer ${this.#key}` });
  }

  /** Sends the key in wrong places, like a caller that has misread the reference. */
  async misplaceKey(): Promise<void> {
    for (const path of [`/rates?api_key=${this.#key}`, `/fx/${this.#key}`, `/${this.#key}`]) {
      await this.#sendRequest(path, {
        authorization: `Basic ${this.#key}`,
        'x-api-key': this.#key,
      });
    }
  }

  async #sendRequest(path: string, headers: Record<string, string>): Promise<Answer> {
    this.#client ??= new Client(this.#service?.apiUrl ?? '', { pipelining: 16 });
    const answer = await this.#client.request({ path, method: 'GET', headers });
    const text = await answer.body.text();
    this.#outputs.push(text, JSON.stringify(answer.headers));
    return { status: answer.statusCode, headers: answer.headers, text };
  }

  /** All answers and log lines since the last call. */
  takeOutputs(): readonly string[] {
    const outputs = this.#outputs;
    this.#outputs = [];
    return outputs;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopService();
    await this.upstreams.close();
    this.stored.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #parts() {
    const clock: Clock = { now: () => this.nowMs + this.skewMs };
    const write = (line: string): void => void this.#outputs.push(line);
    return { clock, retry, log: createLog('debug', { write }) };
  }
}
