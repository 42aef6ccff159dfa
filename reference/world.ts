import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createKey, type KeyChange } from '../src/access/authentication/key-changes.ts';
import { readConfig } from '../src/platform/config/config.ts';
import { bankNames } from '../src/platform/publication/data-set-kinds.ts';
import { formatInstant, isoDate } from '../src/platform/time/time.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/sandbox.ts';
import { type Server, startServer } from '../src/composition/server.ts';

/** An answer of the service. */
export type WorldAnswer = { readonly status: number; readonly text: string };

/** Sends requests with a key. */
export type Send = (method: string, path: string, body?: object) => Promise<WorldAnswer>;

/** A running service in scripted time, with a sandbox of its own. Each start has the same data. */
export class World {
  readonly sandbox: Sandbox;
  readonly service: Server;
  readonly #parts: AsyncDisposableStack;

  static async start(): Promise<World> {
    await using parts = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), 'vatfx-reference-'));
    parts.defer(() => rmSync(folder, { recursive: true, force: true }));
    const startMs = Date.parse('2026-11-16T06:00:00Z');
    const sandbox = await startSandbox({
      clock: { now: () => startMs },
      brief: true,
      historyFrom: isoDate('2022-12-01'),
    });
    parts.defer(async () => sandbox.close());
    const { port } = new URL(sandbox.url);
    const service = await startServer({
      config: {
        ...readConfig({ DATABASE_URL: `file:${join(folder, 'vatfx.db')}` }, '').config,
        port: 0,
        opsPort: 0,
        ...sandbox.settings,
        fxBanks: bankNames,
        webhookAllowHttp: true,
        webhookAllowPorts: [443, 8443, Number(port)],
        webhookAllowCidrs: ['127.0.0.1/32'],
      },
      log: pino({ level: 'silent' }),
      clock: sandbox.clock,
      bankPauseMs: 0,
    });
    parts.defer(async () => service.stop());
    return new World({ sandbox, service, parts: parts.move() });
  }

  private constructor(world: {
    readonly sandbox: Sandbox;
    readonly service: Server;
    readonly parts: AsyncDisposableStack;
  }) {
    this.sandbox = world.sandbox;
    this.service = world.service;
    this.#parts = world.parts;
  }

  /** Sets the time, and runs the jobs that are due then. */
  async advanceTo(moment: string): Promise<void> {
    this.sandbox.scenario.apply({ now: Date.parse(moment) });
    await this.service.tick();
  }

  /** Makes a key, and returns a function that sends requests with it. */
  async addCaller(name: string, limits: KeyChange = {}): Promise<Send> {
    const at = formatInstant(this.sandbox.clock.now());
    const { key } = await createKey(this.service.core.db, { name, ...limits, at });
    return async (method, path, body) => {
      const response = await fetch(`${this.service.apiUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.disposeAsync();
  }
}

/** Waits until a condition is met; throws after half a minute. */
export async function until(isMet: () => boolean | Promise<boolean>): Promise<void> {
  const endsMs = performance.now() + 30_000;
  while (!(await isMet())) {
    if (performance.now() > endsMs)
      throw new Error('the condition was not met within half a minute');
    await sleep(20);
  }
}
