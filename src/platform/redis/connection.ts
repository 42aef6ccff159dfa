import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../log/log.ts';
import { createHash } from 'node:crypto';

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
      this.#connectionError = error;
      this.#followUrl();
    });
    this.#redis.on('ready', () => {
      this.#connectionError = undefined;
    });
  }

  /** Connects. If that fails, Redis counts as away until probes are answered. Never rejects. */
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
    { lua, sha1 }: RedisScript,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    return this.run(async (redis) => {
      try {
        return await redis.evalsha(sha1, keys.length, ...keys, ...values);
      } catch (error) {
        const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT');
        if (!isUnknown) throw error;
        return redis.eval(lua, keys.length, ...keys, ...values);
      }
    });
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
    this.#log.warn(
      { reason: describeRedisError(this.#connectionError ?? error) },
      'redis away; each replica now admits its share of the limits',
    );
  }

  async #probe(): Promise<void> {
    if (!this.#isAway || this.#isProbing) return;
    this.#isProbing = true;
    // The probe is a write: a Redis that is full, or a replica, still answers reads.
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
    this.#log.info('redis answers again');
  }
}

/**
 * The reason of a failure, for an operator. Of an error reply of Redis, only the first word is returned, such as
 * `WRONGPASS`: the rest quotes the command, which may hold the password or a VAT number.
 */
export function describeRedisError(error: unknown): string {
  if (error instanceof AggregateError) return describeRedisError(error.errors[0]);
  if (!(error instanceof Error)) return 'unknown';
  const isReply = 'command' in error || error.name === 'ReplyError';
  return isReply ? (/^[A-Z]+/.exec(error.message)?.[0] ?? 'ERR') : error.message;
}

/** TLS for `rediss://`. The certificate is always verified; by default an environment variable of Node could turn that off. */
export function redisTls(url: string): Pick<RedisOptions, 'tls'> {
  return url.startsWith('rediss:') ? { tls: { rejectUnauthorized: true } } : {};
}

/** A Lua script, and the digest by which Redis finds it if it has run before. */
type RedisScript = { readonly lua: string; readonly sha1: string };

export function redisScript(lua: string): RedisScript {
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') };
}
