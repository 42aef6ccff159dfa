import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Db } from '../../platform/database/database.ts';
import type { RevisionWatch } from '../../platform/database/revisions.ts';
import { sha256 } from '../../platform/digest.ts';
import { ApiError } from '../../platform/http/responses/api-errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Clock } from '../../platform/time.ts';
import { printRefusal } from '../limits/refusal.ts';
import { hasKeyForm, readAuthorization } from './api-key.ts';
import type { FailedAuthentication } from './failed-authentication.ts';
import { findKey, findKeys, type FoundKey, type KeyRecord } from './key-store.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that was let through; null before that, and for strangers. */
    apiKey: KeyRecord | null;
  }
}

/** Secrets that are remembered; each costs about 600 bytes. */
const rememberedMax = 200_000;
/** Keys that are read at once, where many are. */
const portionMax = 250;
/** How long remembered keys work while the database is away (contract C25). */
const withoutDatabaseMs = 10 * 60_000;
/** How often a look-up is repeated because keys changed meanwhile. */
const triesMax = 3;
/** How often a secret's last use is noted. */
const lastUseEveryMs = 60_000;

/** Why a request was not let through; told to the operator, never to the caller. */
type Reason = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'expired' | 'rotated';

/** A key as it was when it was read. */
export type KnownKey = {
  readonly secretHash: string;
  readonly record: KeyRecord;
  /** The first moment at which it does not work, for whatever reason; Infinity for never. */
  readonly worksUntilMs: number;
  /** NaN before the first. */
  lastUseNotedMs: number;
};

type GuardParts = {
  readonly db: Db;
  readonly watch: RevisionWatch;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly failures: FailedAuthentication;
};

/**
 * Lets callers with a good key through (interface 5, contract C25).
 *
 * Missing, malformed, unknown, expired and revoked keys all get the same answer. A secret is looked up
 * once and remembered until its key changes; a change by any process is seen within half a second.
 */
export class Authenticator {
  readonly #parts: GuardParts;
  /**
   * By hash of the secret. When it is full it is emptied: an order of use would cost each request more than
   * the look-ups that it saves.
   */
  #remembered = new Map<string, KnownKey>();
  /** Secrets whose keys changed and that are not read again yet: for a database that goes away just then. */
  #outdated = new Map<string, KnownKey>();
  /** How often keys have changed: the result of a read that began before a change is not remembered. */
  #generation = 0;
  readonly #readings = new Map<string, Promise<KnownKey | undefined>>();
  #lastUses = new Map<string, number>();

  constructor(parts: GuardParts) {
    this.#parts = parts;
    parts.watch.on('keys', (changed) => {
      this.#generation += 1;
      this.#forget(changed);
      this.#readings.clear();
      void this.#readAgain();
    });
  }

  /** Makes room for the key on the requests of an app. */
  decorate(app: FastifyInstance): void {
    app.decorateRequest('apiKey', null);
  }

  /** Marks the request with its key, or throws the 401. */
  check(request: FastifyRequest): void | Promise<void> {
    const presented = readAuthorization(request.raw.rawHeaders);
    if (presented.kind !== 'key') return this.#refuse(request, presented.kind);

    const secretHash = sha256(presented.key);
    // What was remembered too long ago is asked for again; that fails while the database is away.
    const known = this.#remembered.get(secretHash);
    if (known !== undefined && this.#mayBeTold) {
      return this.#judge(request, { known });
    }
    // A client that hangs up meanwhile has no address any more.
    const { ip } = request;
    return this.#find(secretHash).then((found) => this.#judge(request, { known: found, ip }));
  }

  /** Whose key it is; undefined for one that does not work, which `check` judges. May fail without the database. */
  recognise(key: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    const secretHash = sha256(key);
    const known = this.#remembered.get(secretHash);
    if (known !== undefined && this.#mayBeTold) {
      return this.isStillGood(known) ? known : undefined;
    }
    if (!hasKeyForm(key)) return undefined;
    return this.#find(secretHash).then((found) => {
      const nowMs = this.#parts.clock.now();
      if (found === undefined || nowMs >= found.worksUntilMs) return undefined;
      this.#noteUse(found, nowMs);
      return found;
    });
  }

  /** Whether a key that was recognised works still and is not to be recognised again; notes its use. */
  isStillGood(known: KnownKey): boolean {
    const nowMs = this.#parts.clock.now();
    const isGood =
      this.#remembered.get(known.secretHash) === known &&
      nowMs < known.worksUntilMs &&
      this.#mayBeTold;
    if (isGood) this.#noteUse(known, nowMs);
    return isGood;
  }

  /** The secrets that were used since the last call, by hash, and when; each at most once a minute. */
  takeLastUses(): ReadonlyMap<string, number> {
    const taken = this.#lastUses;
    this.#lastUses = new Map();
    return taken;
  }

  #judge(
    request: FastifyRequest,
    { known, ip }: { readonly known: KnownKey | undefined; readonly ip?: string },
  ): void {
    if (known === undefined) return this.#refuse(request, 'unknown', ip);
    const { record } = known;
    request.keyId = record.id;
    const nowMs = this.#parts.clock.now();
    if (nowMs >= known.worksUntilMs) return this.#refuse(request, reasonOf(known, nowMs), ip);

    request.apiKey = record;
    this.#noteUse(known, nowMs);
  }

  #noteUse(known: KnownKey, nowMs: number): void {
    if (nowMs - known.lastUseNotedMs < lastUseEveryMs) return;
    known.lastUseNotedMs = nowMs;
    this.#lastUses.set(known.secretHash, nowMs);
  }

  #refuse(request: FastifyRequest, reason: Reason, ip = request.ip): never {
    const { metrics, failures } = this.#parts;
    metrics.refusedKeys.inc({ reason });
    request.refusal = reason;
    const refusal = failures.count(ip);
    throw refusal === undefined
      ? new ApiError('invalidKey', { 'www-authenticate': 'Bearer realm="vatfx"' })
      : new ApiError('rateLimited', printRefusal(refusal));
  }

  /**
   * Reads a secret once, however many ask for it at the same time. That there is none, or no database, is told
   * until the end of the turn: whom the fast path does not let in is judged again at once.
   */
  #find(secretHash: string, triesLeft = triesMax): Promise<KnownKey | undefined> {
    const reading = this.#readings.get(secretHash);
    if (reading !== undefined) return reading;
    const begun = this.#read(secretHash, triesLeft);
    const forget = (): void => {
      if (this.#readings.get(secretHash) === begun) this.#readings.delete(secretHash);
    };
    this.#readings.set(secretHash, begun);
    begun.then(
      (found) => (found === undefined ? setImmediate(forget) : forget()),
      () => setImmediate(forget),
    );
    return begun;
  }

  async #read(secretHash: string, triesLeft: number): Promise<KnownKey | undefined> {
    try {
      const generation = this.#generation;
      const found = await findKey(this.#parts.db, secretHash);
      if (found === undefined) return undefined;
      // What was read while a key changed is read again, so that it is known when the database goes away next. By
      // whoever reads it already: of two readings the older one might be remembered last.
      if (generation !== this.#generation && triesLeft > 0) {
        return await this.#find(secretHash, triesLeft - 1);
      }
      const known = toKnown(secretHash, found);
      this.#remember(generation, secretHash, known);
      return known;
    } catch (error) {
      const outdated = this.#outdated.get(secretHash);
      if (outdated === undefined || !this.#mayBeTold) throw error;
      return outdated;
    }
  }

  /** Forgets the secrets of the keys that changed; all of them if it is not known which did. */
  #forget(changed: ReadonlySet<string> | undefined): void {
    for (const [secretHash, known] of this.#remembered) {
      if (changed !== undefined && !changed.has(known.record.id)) continue;
      this.#outdated.set(secretHash, known);
      this.#remembered.delete(secretHash);
    }
  }

  /**
   * Reads the forgotten secrets again without waiting for a request with them: the database may be away by
   * then (contract C25).
   */
  async #readAgain(): Promise<void> {
    const generation = this.#generation;
    const secretHashes = [...this.#outdated.keys()];
    for (let at = 0; at < secretHashes.length && generation === this.#generation;) {
      const portion = secretHashes.slice(at, at + portionMax);
      try {
        for (const [secretHash, found] of await findKeys(this.#parts.db, portion)) {
          if (!this.#remembered.has(secretHash)) {
            this.#remember(generation, secretHash, toKnown(secretHash, found));
          }
        }
      } catch {
        // They are read again by the first request with them.
        return;
      }
      at += portionMax;
      await turn();
    }
    if (generation === this.#generation) this.#outdated = new Map();
  }

  /** Whether what is remembered may be used: not for long without following what changed. */
  get #mayBeTold(): boolean {
    return this.#parts.watch.ageOf('keys') < withoutDatabaseMs;
  }

  /** What was read before a key changed must not outlive the change. */
  #remember(generation: number, secretHash: string, known: KnownKey): void {
    if (generation !== this.#generation) return;
    if (this.#remembered.size >= rememberedMax) this.#remembered = new Map();
    this.#remembered.set(secretHash, known);
  }
}

function toKnown(secretHash: string, { record, secret }: FoundKey): KnownKey {
  return {
    secretHash,
    record,
    worksUntilMs:
      record.revokedAt === null
        ? Math.min(toMs(record.expiresAt, Infinity), toMs(secret.endsAt, Infinity))
        : -Infinity,
    lastUseNotedMs: toMs(secret.lastUsedAt, Number.NaN),
  };
}

function reasonOf({ record }: KnownKey, nowMs: number): Reason {
  if (record.revokedAt !== null) return 'revoked';
  return nowMs >= toMs(record.expiresAt, Infinity) ? 'expired' : 'rotated';
}

function toMs(instant: string | null, otherwise: number): number {
  return instant === null ? otherwise : Date.parse(instant);
}
