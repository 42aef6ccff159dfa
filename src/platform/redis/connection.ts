import { Redis } from 'ioredis';
import type { Log } from '../log.ts';
import { describeRedisError } from './redis-error.ts';
import { redisTls } from './redis-tls.ts';
import type { RedisScript } from './script.ts';

/**
 * A command that takes longer is worth less than a local answer. Not shorter, because a busy moment of this
 * process counts as well.
 */
const commandMs = 500;
const connectMs = 1_000;
const probeMs = 250;
/** Between two attempts to connect. */
const reconnectMs = { first: 50, most: 250 } as const;

/** Failures in a row after which Redis counts as away. */
const failuresMax = 3;
/** A connection on which nothing is answered for so many probes is made anew. */
const silentProbesMax = 20;
/** Answered probes in a row after which Redis is back. */
const answeredProbesMin = 2;

/**
 * The connection to Redis, which may be away or slow at any time.
 *
 * Whoever asks gets an answer within half a second or none, and does without. After three failures in a row
 * nobody waits any more, until probes, four times a second, have been answered for a while: a command that
 * was given up may still be carried out, so requests are not what it is tried with.
 */
export class RedisConnection {
  readonly #redis: Redis;
  readonly #log: Log;
  #failures = 0;
  #isAway = false;
  #epoch = 0;
  #connectionError: unknown;
  #demotedAtMs = -Infinity;
  #silentProbes = 0;
  #answeredProbes = 0;
  #isProbing = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(url: string, parts: { readonly log: Log }) {
    this.#log = parts.log;
    this.#redis = new Redis(url, {
      ...redisTls(url),
      lazyConnect: true,
      connectTimeout: connectMs,
      commandTimeout: commandMs,
      // What cannot be sent now fails now, and is not sent later.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: true,
      // Whoever runs scripts often runs one for many: waiting for others once more would be for nothing.
      autoPipeliningIgnoredCommands: ['evalsha'],
      keepAlive: 10_000,
      connectionName: 'vatfx',
      // Every server that speaks Redis knows this one.
      protocol: 2,
      disableClientInfo: true,
      retryStrategy: (times) => Math.min(times * reconnectMs.first, reconnectMs.most),
      reconnectOnError: (error) => this.#isDemoted(error),
    });
    // Commands only say that there is no connection; this is why.
    this.#redis.on('error', (error) => {
      this.#connectionError = error;
    });
    this.#redis.on('ready', () => {
      this.#connectionError = undefined;
      this.#epoch += 1;
    });
  }

  /** Connects; when that fails, Redis is away for now. Never rejects. */
  async start(): Promise<void> {
    try {
      await this.#redis.connect();
    } catch (error) {
      this.#noteAway(error);
    }
    this.#timer = setInterval(() => void this.#probe(), probeMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#redis.disconnect();
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Changes with every connection, outage, return and loss of data: Redis may lack what it had before a change. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Called if Redis answers, but has lost its data. */
  noteDataLoss(): void {
    this.#epoch += 1;
    this.#log.warn('redis lost its data; restoring counters');
  }

  /**
   * What Redis answers; undefined when it does not, in time or at all. Never rejects. `callers` wait for it: no
   * answer is a failure for each of them.
   */
  async run<T>(
    command: (redis: Redis) => Promise<T>,
    { callers = 1 } = {},
  ): Promise<T | undefined> {
    if (this.#isAway) return undefined;
    try {
      const answer = await command(this.#redis);
      this.#failures = 0;
      return answer;
    } catch (error) {
      this.#failures += callers;
      if (this.#failures >= failuresMax) this.#noteAway(error);
      return undefined;
    }
  }

  /** Runs a script; the answer is what the script returns. */
  async runScript(
    { lua, sha1 }: RedisScript,
    keys: readonly string[],
    values: readonly (string | number)[],
    options: { readonly callers?: number } = {},
  ): Promise<unknown> {
    return this.run(async (redis) => {
      try {
        return await redis.evalsha(sha1, keys.length, ...keys, ...values);
      } catch (error) {
        const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT');
        if (!isUnknown) throw error;
        return redis.eval(lua, keys.length, ...keys, ...values);
      }
    }, options);
  }

  /** After a failover the old primary refuses writes, all that are under way at once. */
  #isDemoted(error: Error): boolean {
    if (!error.message.startsWith('READONLY')) return false;
    const sinceMs = performance.now() - this.#demotedAtMs;
    if (sinceMs < connectMs) return false;
    this.#demotedAtMs = performance.now();
    return true;
  }

  #noteAway(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#epoch += 1;
    this.#log.warn(
      { reason: describeRedisError(this.#connectionError ?? error) },
      'redis away: limits are kept by each replica for its share',
    );
  }

  async #probe(): Promise<void> {
    if (!this.#isAway || this.#isProbing) return;
    this.#isProbing = true;
    // Something is written: one that is full, or a replica, answers as long as nothing is.
    const isAnswered = await this.#redis.set('vatfx:probe', '', 'PX', 10_000).then(
      () => true,
      () => false,
    );
    this.#isProbing = false;
    this.#silentProbes = isAnswered ? 0 : this.#silentProbes + 1;
    this.#answeredProbes = isAnswered ? this.#answeredProbes + 1 : 0;
    if (this.#silentProbes >= silentProbesMax && this.#redis.status === 'ready') {
      this.#silentProbes = 0;
      this.#redis.disconnect(true);
    }
    if (this.#answeredProbes < answeredProbesMin) return;
    this.#answeredProbes = 0;
    this.#failures = 0;
    this.#isAway = false;
    this.#epoch += 1;
    this.#log.info('redis answers again');
  }
}
