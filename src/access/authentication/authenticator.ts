import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import { eachPortion } from '../../platform/database/portions.ts';
import type { RevisionWatch } from '../../platform/database/replicas/revisions.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Clock } from '../../platform/time/time.ts';
import { toError } from '../limits/refusal-error.ts';
import { readAuthorization } from './api-key.ts';
import type { FailedAuthentication } from './failed-authentication.ts';
import { findKey, findKeys, type FoundKey, type KeyRecord } from './key-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of an authenticated request; undefined before the check, and on public routes. */
    apiKey: KeyRecord | undefined;
  }
}

/** Secrets that are remembered; each takes about 600 bytes. */
const rememberedMax = 200_000;
/** Secrets that one query reads. */
const portionMax = 250;
/** Time for which remembered keys work while the database is away (contract C25). */
const withoutDatabaseMs = 10 * 60_000;
/** Number of times that a key is read again because keys changed meanwhile. */
const readAgainMax = 3;
/** Interval between two notes of a secret's last use. */
const lastUseEveryMs = 60_000;

/** The reason of a 401; reported to the operator, never to the caller. */
type Reason = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' | 'rotated';

/** A key as it was when it was read. */
export type KnownKey = {
  readonly secretHash: string;
  readonly record: KeyRecord;
  /** The moment from which the secret does not work, for any reason; Infinity for never. */
  readonly worksUntilMs: number;
  /** -Infinity before the first note. */
  lastUseNotedMs: number;
};

type Parts = {
  readonly db: Db;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly failures: FailedAuthentication;
};

/**
 * Authenticates callers by their API key (interface 5, contract C25).
 *
 * Missing, malformed, unknown, expired and revoked keys all get the same answer. A secret is read once and
 * remembered until its key changes; a change by any process is seen within a quarter of a second.
 */
export class Authenticator {
  readonly #parts: Parts;
  /**
   * By hash of the secret. A full map is emptied: an LRU order would cost each request more than the reads that
   * it saves.
   */
  #remembered = new Map<string, KnownKey>();
  /** Secrets whose keys changed and are not read again yet; used if the database goes away before they are. */
  #outdated = new Map<string, KnownKey>();
  /** Number of changes of keys. The result of a read that began before a change is not remembered. */
  #generation = 0;
  readonly #readings = new Map<string, Promise<KnownKey | undefined>>();
  #lastUses = new Map<string, number>();
  /** The key that was last recalled on a connection: its secret need not be hashed again. */
  readonly #ofConnection = new WeakMap<Socket, { authorization: string; known: KnownKey }>();

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.watch.on('keys', (changed) => {
      this.#generation += 1;
      this.#forget(changed);
      this.#readings.clear();
      void this.#readAgain();
    });
  }

  /** Adds the field `apiKey` to the requests of an app. */
  decorate(app: FastifyInstance): void {
    app.decorateRequest('apiKey', undefined);
  }

  /** Sets the key of a request, or throws the 401. */
  async check(request: FastifyRequest): Promise<void> {
    const presented = readAuthorization(request.raw.rawHeaders);
    if (presented.kind !== 'key') {
      return this.#refuse(request, presented.kind, { fault: presented.reason });
    }
    const secretHash = sha256(presented.key);
    const known = this.#recall(secretHash);
    if (known !== undefined) return this.#judge(request, known);
    // The address of a client that hangs up meanwhile is unknown later.
    const { ip } = request;
    this.#judge(request, await this.#find(secretHash), ip);
  }

  /** The key of a request if it is remembered and works; undefined for any other, which `check` judges. */
  recall({ socket }: IncomingMessage, authorization: string): KeyRecord | undefined {
    const last = this.#ofConnection.get(socket);
    const isLast = last?.authorization === authorization;
    const secretHash = isLast ? last.known.secretHash : hashOf(authorization);
    const known = secretHash === undefined ? undefined : this.#recall(secretHash);
    if (known === undefined || !this.#use(known)) return undefined;
    if (last?.known !== known) this.#ofConnection.set(socket, { authorization, known });
    return known.record;
  }

  /** Takes the secrets that were used since the last call, by hash, and when; each at most once a minute. */
  takeLastUses(): ReadonlyMap<string, number> {
    const taken = this.#lastUses;
    this.#lastUses = new Map();
    return taken;
  }

  #judge(request: FastifyRequest, known: KnownKey | undefined, ip?: string): void {
    if (known === undefined) return this.#refuse(request, 'unknown', { ip });
    request.keyId = known.record.id;
    if (!this.#use(known)) {
      return this.#refuse(request, reasonOf(known, this.#parts.clock.now()), { ip });
    }
    request.apiKey = known.record;
  }

  /** Whether a key works now; notes its use if so. */
  #use(known: KnownKey): boolean {
    const nowMs = this.#parts.clock.now();
    if (nowMs >= known.worksUntilMs) return false;
    if (nowMs - known.lastUseNotedMs >= lastUseEveryMs) {
      known.lastUseNotedMs = nowMs;
      this.#lastUses.set(known.secretHash, nowMs);
    }
    return true;
  }

  /** Throws the 401, or the 429. `fault` is what is wrong with the request; undefined if only its key is not accepted. */
  #refuse(
    request: FastifyRequest,
    reason: Reason,
    { ip = request.ip, fault }: { readonly ip?: string | undefined; readonly fault?: string } = {},
  ): never {
    const { metrics, failures } = this.#parts;
    metrics.refusedKeys.inc({ reason });
    request.refusal = reason;
    request.isCounted = true;
    const refusal = failures.count(ip);
    if (refusal !== undefined) throw toError(refusal);
    throw new ApiError('invalidKey', { 'www-authenticate': printChallenge(fault) });
  }

  /** The remembered key of a secret; undefined if this process has not followed changes of keys recently. */
  #recall(secretHash: string): KnownKey | undefined {
    return this.#isCurrent ? this.#remembered.get(secretHash) : undefined;
  }

  /** Reads a secret once for all requests that wait for it. */
  #find(secretHash: string, triesLeft = readAgainMax): Promise<KnownKey | undefined> {
    const reading = this.#readings.get(secretHash);
    if (reading !== undefined) return reading;
    const begun = this.#read(secretHash, triesLeft);
    const forget = (): void => {
      if (this.#readings.get(secretHash) === begun) this.#readings.delete(secretHash);
    };
    this.#readings.set(secretHash, begun);
    begun.then(forget, forget);
    return begun;
  }

  async #read(secretHash: string, triesLeft: number): Promise<KnownKey | undefined> {
    try {
      const generation = this.#generation;
      const found = await findKey(this.#parts.db, secretHash);
      if (found === undefined) return undefined;
      // A secret that was read while keys changed is read again, so that it is remembered if the database goes away.
      // A read under way is joined: of two reads the older result might be remembered last.
      if (generation !== this.#generation && triesLeft > 0) {
        return await this.#find(secretHash, triesLeft - 1);
      }
      const known = toKnown(secretHash, found);
      this.#remember(generation, known);
      return known;
    } catch (error) {
      const outdated = this.#outdated.get(secretHash);
      if (outdated === undefined || !this.#isCurrent) throw error;
      return outdated;
    }
  }

  /** Forgets the secrets of changed keys; all secrets if the keys are unknown. */
  #forget(changed: ReadonlySet<string> | undefined): void {
    for (const [secretHash, known] of this.#remembered) {
      if (changed !== undefined && !changed.has(known.record.id)) continue;
      this.#outdated.set(secretHash, known);
      this.#remembered.delete(secretHash);
    }
  }

  /**
   * Reads forgotten secrets again before a request needs them: the database may be away by then
   * (contract C25).
   */
  async #readAgain(): Promise<void> {
    const generation = this.#generation;
    let isCurrent = true;
    await eachPortion([...this.#outdated.keys()], portionMax, async (portion) => {
      if (!isCurrent) return;
      // After an error the first request with each secret reads it again.
      const found = await findKeys(this.#parts.db, portion).catch(() => undefined);
      isCurrent = found !== undefined && generation === this.#generation;
      for (const [secretHash, key] of found ?? []) {
        if (!this.#remembered.has(secretHash)) this.#remember(generation, toKnown(secretHash, key));
      }
    });
    if (isCurrent && generation === this.#generation) this.#outdated = new Map();
  }

  /** Whether remembered keys may be used: changes must have been followed recently. */
  get #isCurrent(): boolean {
    return this.#parts.watch.ageOf('keys') < withoutDatabaseMs;
  }

  /** Remembers a secret, unless keys changed since it was read. */
  #remember(generation: number, known: KnownKey): void {
    if (generation !== this.#generation) return;
    if (this.#remembered.size >= rememberedMax) this.#remembered = new Map();
    this.#remembered.set(known.secretHash, known);
  }
}

/** The challenge of a 401 (RFC 6750 §3, contract C4a): keys that are not accepted for any reason have the same. */
function printChallenge(fault: string | undefined): string {
  const error =
    fault === undefined
      ? 'error="invalid_token"'
      : `error="invalid_request", error_description="${fault}"`;
  return `Bearer realm="vatfx", ${error}`;
}

function hashOf(authorization: string): string | undefined {
  const presented = readAuthorization(['authorization', authorization]);
  return presented.kind === 'key' ? sha256(presented.key) : undefined;
}

function toKnown(secretHash: string, { record, secret }: FoundKey): KnownKey {
  return {
    secretHash,
    record,
    worksUntilMs:
      record.revokedAt === null
        ? Math.min(toMs(record.expiresAt, Infinity), toMs(secret.endsAt, Infinity))
        : -Infinity,
    lastUseNotedMs: toMs(secret.lastUsedAt, -Infinity),
  };
}

function reasonOf({ record }: KnownKey, nowMs: number): Reason {
  if (record.revokedAt !== null) return 'revoked';
  return nowMs >= toMs(record.expiresAt, Infinity) ? 'expired' : 'rotated';
}

function toMs(instant: string | null, otherwise: number): number {
  return instant === null ? otherwise : Date.parse(instant);
}
