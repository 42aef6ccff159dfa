import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Db } from '../platform/database/database.ts';
import type { RevisionWatch } from '../platform/database/revisions.ts';
import { sha256 } from '../platform/digest.ts';
import { ApiError } from '../platform/http/api-errors.ts';
import { type Clock, formatInstant } from '../platform/time.ts';
import { readBearerKey } from './api-key.ts';
import { findKey, type KeyRecord } from './store.ts';

/** Keys that are remembered; each costs about 300 bytes. */
const rememberedMax = 200_000;
/** How long remembered keys work while the database is away (contract C25). */
const withoutDatabaseMs = 10 * 60_000;

/**
 * Lets callers with a good key through (interface 5, contract C25).
 *
 * Missing, malformed, unknown, expired and revoked keys all get the same answer. A key is looked up
 * once and remembered until any key changes; that is seen within half a second, whoever changed it.
 */
export class KeyGuard {
  readonly #db: Db;
  readonly #watch: RevisionWatch;
  readonly #clock: Clock;
  // Counted by size, because a plain maximum allocates its room at the start.
  readonly #remembered = new LRUCache<string, KeyRecord>({
    maxSize: rememberedMax,
    sizeCalculation: () => 1,
  });
  #generation = 0;

  constructor(parts: { readonly db: Db; readonly watch: RevisionWatch; readonly clock: Clock }) {
    this.#db = parts.db;
    this.#watch = parts.watch;
    this.#clock = parts.clock;
    this.#watch.on('keys', () => {
      this.#generation += 1;
      this.#remembered.clear();
    });
  }

  /** Marks the request with the key's id, or throws the 401. */
  async check(request: FastifyRequest): Promise<void> {
    const key = readOnlyKey(request.raw.rawHeaders);
    const record = key === undefined ? undefined : await this.#find(sha256(key));
    if (record === undefined || !this.#isUsable(record)) {
      throw new ApiError('invalidKey', { 'www-authenticate': 'Bearer realm="vatfx"' });
    }
    request.keyId = record.id;
  }

  async #find(secretHash: string): Promise<KeyRecord | undefined> {
    const known = this.#remembered.get(secretHash);
    if (known !== undefined && this.#watch.ageMs < withoutDatabaseMs) return known;

    const generation = this.#generation;
    const found = await findKey(this.#db, secretHash);
    // A record that was read before a revocation must not outlive it.
    if (found !== undefined && generation === this.#generation) {
      this.#remembered.set(secretHash, found);
    }
    return found;
  }

  #isUsable(record: KeyRecord): boolean {
    if (record.revokedAt !== null) return false;
    return record.expiresAt === null || formatInstant(this.#clock.now()) < record.expiresAt;
  }
}

/** The key of the one Authorization header; two of them are as good as none. */
function readOnlyKey(rawHeaders: readonly string[]): string | undefined {
  let value: string | undefined;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (value !== undefined) return undefined;
    value = rawHeaders[at + 1];
  }
  return value === undefined ? undefined : readBearerKey(value);
}
