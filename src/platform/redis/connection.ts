import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../log/log.ts';
import {
  adviseOnRedis,
  describeRedisError,
  isRefusedDatabase,
  isRefusedInScript,
  isSelectFailure,
  tryCommands,
} from './refusals.ts';
import { evaluate, type RedisScript } from './script.ts';

/**
 * The deadline of a command. Without Redis a replica decides locally, which is better than a longer wait. The
 * deadline is not shorter, because time in which this process is busy counts as well.
 */
const commandMs = 500;
const connectMs = 1_000;
const probeMs = 250;
/** The pause between two attempts to connect. */
const reconnectMs = { first: 50, most: 250 } as const;

/** Failures in a row after which Redis counts as away. */
const failuresMax = 3;
/** Unanswered probes in a row after which the connection is opened again. */
const silentProbesMax = 20;
/** Answered probes in a row after which Redis is back. */
const answeredProbesMin = 2;

/**
 * The connection to Redis, which may be away or slow at any time.
 *
 * A caller gets the answer within half a second, or `undefined`. After three failures in a row Redis is away: no
 * command is sent, and probes are sent four times a second until some in a row were answered. Probes change no count.
 * Requests are not used for this, because Redis may still execute a command after the caller has given it up.
 */
export class RedisConnection {
  readonly #redis: Redis;
  readonly #log: Log;
  readonly #readUrl: (() => string | undefined) | undefined;
  #url: string;
  #failures = 0;
  #isAway = false;
  #connectionError: unknown;
  #demotedAtMs = -Infinity;
  #silentProbes = 0;
  #answeredProbes = 0;
  #isProbing = false;
  #timer: NodeJS.Timeout | undefined;

  /** `readUrl` reads the address again after a failure to connect; undefined if it cannot be used. */
  constructor(
    url: string,
    parts: { readonly log: Log; readonly readUrl?: () => string | undefined },
  ) {
    this.#log = parts.log;
    this.#readUrl = parts.readUrl;
    this.#url = url;
    this.#redis = new Redis(url, {
      ...redisTls(url),
      lazyConnect: true,
      connectTimeout: connectMs,
      commandTimeout: commandMs,
      // Without a connection a command fails immediately; it is not queued.
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      enableAutoPipelining: true,
      keepAlive: 10_000,
      connectionName: 'vatfx',
      // Every server that is compatible with Redis supports version 2.
      protocol: 2,
      disableClientInfo: true,
      retryStrategy: (times) => Math.min(times * reconnectMs.first, reconnectMs.most),
      reconnectOnError: (error) => this.#isDemoted(error),
    });
    // The error of a command says only that there is no connection; this event has the reason.
    this.#redis.on('error', (error) => {
      // The error of a closed connection follows a refusal, and says less.
      if (isSelectFailure(this.#connectionError) && !isSelectFailure(error)) return;
      this.#connectionError = error;
      this.#followUrl();
      // Without this the driver would go on with database 0, which may belong to another installation.
      if (isSelectFailure(error)) this.#redis.disconnect(true);
    });
    this.#redis.on('ready', () => {
      this.#connectionError = undefined;
    });
  }

  /**
   * Connects. If that fails, Redis counts as away until probes are answered. Rejects only if Redis refuses the database
   * of REDIS_URL, because that does not pass by itself.
   */
  async start(): Promise<void> {
    const error: unknown = await this.#redis.connect().catch((cause: unknown) => cause);
    const refused = this.#connectionError;
    if (isRefusedDatabase(refused)) {
      this.stop();
      throw new Error(`${describeRedisError(refused)}; ${adviseOnRedis(refused)}`);
    }
    if (error !== undefined) this.#noteAway(error);
    this.#timer = setInterval(() => void this.#probe(), probeMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#redis.disconnect();
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Returns the answer of Redis; undefined if there is none in time. Never rejects. */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T | undefined> {
    if (this.#isAway) return undefined;
    try {
      const answer = await command(this.#redis);
      this.#failures = 0;
      return answer;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures >= failuresMax) this.#noteAway(error);
      return undefined;
    }
  }

  /** Runs a script and returns its result; like `run` in every other way. */
  async runScript(
    script: RedisScript,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    return this.run(async (redis) => evaluate(redis, script, keys, values));
  }

  /** Uses an address that has changed, such as one with a new password, for the next attempt to connect. */
  #followUrl(): void {
    const url = this.#readUrl?.();
    if (url === undefined || url === this.#url) return;
    this.#url = url;
    const { host, port, username, password, db } = new Redis(url, { lazyConnect: true }).options;
    const { tls } = redisTls(url);
    Object.assign(this.#redis.options, { host, port, username, password, db, tls });
  }

  /**
   * Whether an error means that this server has become a replica, in a failover; the connection is then opened again.
   * All writes in flight fail together, so only the first error in a while counts.
   */
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
    const cause = this.#connectionError ?? error;
    if (isRefusedInScript(cause)) void this.#logRefused(cause);
    else this.#logAway(cause);
  }

  /** Logs the command that a script was refused, which Redis does not name by itself. */
  async #logRefused(cause: unknown): Promise<void> {
    try {
      await tryCommands(this.#redis);
      this.#logAway(cause);
    } catch (named) {
      this.#logAway(named);
    }
  }

  #logAway(cause: unknown): void {
    this.#log.warn(
      { reason: describeRedisError(cause) },
      'redis away; each replica now admits its share of the limits',
    );
  }

  async #probe(): Promise<void> {
    if (!this.#isAway || this.#isProbing) return;
    this.#isProbing = true;
    const isAnswered = await tryCommands(this.#redis).then(
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
    this.#log.info('redis answers again');
  }
}

/** TLS for `rediss://`. The certificate is always verified; by default an environment variable of Node could turn that off. */
export function redisTls(url: string): Pick<RedisOptions, 'tls'> {
  return /^rediss:/i.test(url) ? { tls: { rejectUnauthorized: true } } : {};
}
