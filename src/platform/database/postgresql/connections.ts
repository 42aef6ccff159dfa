import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { withTimeout } from '../../time/timers.ts';
import { isRefusal, outageOf } from './errors.ts';
import type { DatabaseUnavailableError } from '../unavailable.ts';

/** Connections that a process keeps although others need some. */
const keptMin = 2;
/** Time after a refused connection in which no further one is tried. */
const fullMs = 3_000;
/** Time that a process which starts waits for its first connection: others need a few seconds to leave it one. */
const firstMs = 10_000;
/** Pause between two attempts of a process that has no connection. */
const pauseMs = 250;
/** An idle connection is closed after it, so that other processes get one. The connection used last is taken first. */
const idleMs = 3_000;
/** Maximum time that closing waits for running statements. */
const endMs = 2_000;

/** The limit of a process's connections, and the functions that are called if connections are refused or fail. */
export type ConnectionOptions = {
  /** Maximum of connections. */
  readonly connections: number;
  /** Called when PostgreSQL refuses a further one for the first time since all were open. */
  readonly onRefused?: ((reason: unknown, open: number) => void) | undefined;
  /** Called when one could not be opened for the first time since the last success. */
  readonly onFailed?: ((outage: DatabaseUnavailableError) => void) | undefined;
  /** Reads the address again after a failure to connect; undefined if it cannot be used. */
  readonly readUrl?: (() => string | undefined) | undefined;
};

/**
 * The connections of a process to PostgreSQL, at most so many.
 *
 * If the limit of the role, the database, the server or a pooler is reached, work waits for a connection that is open. The
 * process then closes one of its connections if it has more than two, so that another process gets it, and tries one more after
 * three seconds. So processes that share a limit come to equal parts, and a command finds a free connection.
 */
export class Connections {
  readonly #pool: Pool;
  readonly #wanted: ConnectionOptions;
  readonly #waitMs: number;
  readonly #open = new Set<PoolClient>();
  /** The refusal that limits this process; undefined if all of its connections may be opened. */
  #refusal: unknown;
  #triesAgainAtMs = -Infinity;
  #isLeavingOne = false;
  #hasFailed = false;
  #hasOpened = false;

  constructor(
    config: PoolConfig & { readonly connectionTimeoutMillis: number },
    wanted: ConnectionOptions,
  ) {
    this.#wanted = wanted;
    this.#waitMs = config.connectionTimeoutMillis;
    this.#pool = new Pool({ ...config, max: wanted.connections, idleTimeoutMillis: idleMs });
    // An idle connection that breaks needs no handling: the pool makes another one for the next query.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => {
      this.#opened(client);
      client.on('error', () => {});
    });
    this.#pool.on('remove', (client) => this.#open.delete(client));
  }

  get options(): object {
    return this.#pool.options;
  }

  /** Returns a connection as soon as one is free; rejects with an outage if that takes too long, or none can be opened. */
  async connect(): Promise<PoolClient> {
    const untilMs = performance.now() + (this.#hasOpened ? this.#waitMs : firstMs);
    for (;;) {
      this.#tryAgain();
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (!isRefusal(error)) {
          if (isWaitOver(error)) throw outageOf(this.#refusal ?? error);
          if (this.#hasNewUrl()) continue;
          throw this.#failed(outageOf(error));
        }
        this.noteRefusal(error);
        if (performance.now() >= untilMs) throw this.#failed(outageOf(error));
        if (this.#pool.totalCount === 0) await sleep(pauseMs);
      }
    }
  }

  /** Gives a connection back. */
  release(client: PoolClient, isBroken: boolean): void {
    const isEnding = isBroken || this.#open.size > this.#pool.options.max;
    // Before the connection has ended, so that no second one is closed for the same refusal.
    if (isEnding) this.#open.delete(client);
    client.release(isEnding);
  }

  /** Lets this process open no further connection for a while. */
  noteRefusal(error: unknown): void {
    if (this.#refusal === undefined) this.#wanted.onRefused?.(error, this.#open.size);
    this.#refusal = error;
    const { options } = this.#pool;
    const nowMs = performance.now();
    const open = this.#open.size;
    // Several connections are refused together; one of those that are open is closed for all of them.
    const isFirst = nowMs >= this.#triesAgainAtMs;
    if (isFirst) {
      this.#triesAgainAtMs = nowMs + fullMs;
      this.#isLeavingOne = open > keptMin;
      options.max = this.#isLeavingOne ? open - 1 : Math.max(1, open);
    } else {
      options.max = Math.max(1, Math.min(open, options.max));
    }
  }

  async end(): Promise<void> {
    await withTimeout(endMs, this.#pool.end()).catch(() => {});
    // Lets the process end although a connection is open: a server that hangs does not close it.
    for (const client of this.#open) {
      if ('unref' in client && typeof client.unref === 'function') client.unref();
    }
  }

  #failed(outage: DatabaseUnavailableError): DatabaseUnavailableError {
    if (!this.#hasFailed) this.#wanted.onFailed?.(outage);
    this.#hasFailed = true;
    return outage;
  }

  #opened(client: PoolClient): void {
    this.#open.add(client);
    this.#hasOpened = true;
    this.#hasFailed = false;
    if (this.#refusal === undefined) return;
    const { options } = this.#pool;
    const isTooLate = this.#isLeavingOne && performance.now() < this.#triesAgainAtMs;
    // Otherwise a connection that was being opened at the time of the refusal would take the one that was left for others.
    if (!isTooLate) options.max = Math.max(options.max, this.#open.size);
    if (options.max === this.#wanted.connections) this.#refusal = undefined;
    else this.#tryAgain();
  }

  /** Allows one connection more than are open, if the last refusal is long enough ago. */
  #tryAgain(): void {
    if (this.#refusal === undefined || performance.now() < this.#triesAgainAtMs) return;
    const { options } = this.#pool;
    options.max = Math.min(this.#wanted.connections, Math.max(options.max, this.#open.size + 1));
  }

  /** Whether the address has changed; the next connection is opened with the new one. */
  #hasNewUrl(): boolean {
    const url = this.#wanted.readUrl?.();
    const { options } = this.#pool;
    if (url === undefined || url === options.connectionString) return false;
    options.connectionString = url;
    return true;
  }
}

/** Whether all connections were busy for too long; the message is that of the pool. */
function isWaitOver(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout exceeded');
}
