import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { parseScopes, type Scope } from '../../platform/http/scope.ts';
import { type OwnLimit, parseOwnLimit } from '../limits/key-limits.ts';

/** A stored key, without its secrets. `null` is the null of the database and of `--json`. */
export type KeyRecord = {
  readonly id: string;
  readonly name: string;
  /** Requests in a minute. */
  readonly rateLimit: OwnLimit;
  /** Requests in a calendar month (UTC). */
  readonly quota: OwnLimit;
  /** Calls to VIES in a UTC day that callers wait for (rule K21b). */
  readonly callsPerDay: OwnLimit;
  /** At least one. */
  readonly scopes: readonly Scope[];
  /**
   * The VAT number on whose behalf its stored checks are made, its country in front: `NL854265259B01`; null for none.
   * Several, one of each country, are separated by commas.
   */
  readonly requester: string | null;
  readonly createdAt: string;
  /** The instant from which the key no longer works; null for never. */
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
};

/** A secret of a key. A key has one, or several during a rotation. */
export type KeySecret = {
  readonly createdAt: string;
  /** The instant from which it no longer works because a rotation replaced it; null if none did. */
  readonly endsAt: string | null;
  /** Exact to a minute; null if it was never used. */
  readonly lastUsedAt: string | null;
};

/** A key with its secrets, the newest first. */
export type ListedKey = KeyRecord & { readonly secrets: readonly KeySecret[] };

/** All keys, the oldest first. */
export async function listKeys(db: Db): Promise<ListedKey[]> {
  const secrets = await db
    .selectFrom('key_secrets')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('secret_hash')
    .execute();
  const secretsOf = Map.groupBy(secrets, ({ key_id }) => key_id);
  const keys = await db
    .selectFrom('api_keys')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return keys.map((row) => ({
    ...toRecord(row),
    secrets: (secretsOf.get(row.id) ?? []).map(toSecret),
  }));
}

/** Whether a key was ever created. */
export async function hasKeys(db: Db): Promise<boolean> {
  return (await db.selectFrom('api_keys').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** A key, and the secret by which it was found. */
export type FoundKey = { readonly record: KeyRecord; readonly secret: KeySecret };

/** Finds a key by the SHA-256 of a secret; undefined if there is none. */
export async function findKey(db: Db, secretHash: string): Promise<FoundKey | undefined> {
  return (await findKeys(db, [secretHash])).get(secretHash);
}

/** Finds the keys of several secrets, by the SHA-256 of each; unknown secrets are left out. */
export async function findKeys(
  db: Db,
  secretHashes: readonly string[],
): Promise<ReadonlyMap<string, FoundKey>> {
  const rows = await db
    .selectFrom('key_secrets as secret')
    .innerJoin('api_keys as key', 'key.id', 'secret.key_id')
    .selectAll('key')
    .select(['secret.secret_hash', 'secret.created_at as secret_created_at'])
    .select(['secret.ends_at', 'secret.last_used_at'])
    .where('secret.secret_hash', 'in', secretHashes)
    .execute();
  return new Map(
    rows.map((row) => {
      const secret = toSecret({ ...row, created_at: row.secret_created_at });
      return [row.secret_hash, { record: toRecord(row), secret }];
    }),
  );
}

/** Finds a key by its id; undefined if there is none. */
export async function findKeyById(db: Db, id: string): Promise<KeyRecord | undefined> {
  const row = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

/** Finds a key by its id and locks it until the transaction ends. */
export async function lockKeyById(tx: Tx, id: string): Promise<KeyRecord | undefined> {
  const row = await tx
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row === undefined ? undefined : toRecord(row);
}

/** The row of a key, as `toRecord` reads it. */
export function toRow(record: KeyRecord): Selectable<Tables['api_keys']> {
  return {
    id: record.id,
    name: record.name,
    rate_limit: String(record.rateLimit),
    quota: String(record.quota),
    calls_per_day: String(record.callsPerDay),
    scopes: record.scopes.join(' '),
    ...splitRequesters(record.requester),
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    revoked_at: record.revokedAt,
  };
}

/** A requester for VIES has a column of its own: a replica of version 0.3 knows no other. */
function splitRequesters(requester: string | null) {
  const all = requester?.split(',') ?? [];
  const first = all.find((one) => !one.startsWith('GB'));
  const further = all.filter((one) => one !== first);
  return {
    requester: first ?? null,
    further_requesters: further.length === 0 ? null : further.join(','),
  };
}

/** The requesters of a key in one text, as {@link KeyRecord} has them. */
function joinRequesters(row: {
  readonly requester: string | null;
  readonly further_requesters: string | null;
}): string | null {
  const all = [row.requester, row.further_requesters].filter((one) => one !== null);
  return all.length === 0 ? null : all.join(',');
}

function toRecord(row: Selectable<Tables['api_keys']>): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    rateLimit: toLimit(row.rate_limit),
    quota: toLimit(row.quota),
    callsPerDay: toLimit(row.calls_per_day ?? 'default'),
    scopes: toScopes(row.scopes),
    requester: joinRequesters(row),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

function toLimit(stored: string): OwnLimit {
  const limit = parseOwnLimit(stored);
  if (limit === undefined) throw new Error(`database: ${stored} is stored as a limit of a key`);
  return limit;
}

function toScopes(stored: string): readonly Scope[] {
  const scopes = parseScopes(stored.split(' '));
  if (scopes === undefined) throw new Error(`database: ${stored} is stored as the scopes of a key`);
  return scopes;
}

function toSecret(
  row: Pick<Selectable<Tables['key_secrets']>, 'created_at' | 'ends_at' | 'last_used_at'>,
): KeySecret {
  return { createdAt: row.created_at, endsAt: row.ends_at, lastUsedAt: row.last_used_at };
}
