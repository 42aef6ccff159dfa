import { randomBytes } from 'node:crypto';
import { type Operator, writeAudit } from '../../platform/database/audit.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import { sha256 } from '../../platform/values/digest.ts';
import { scopes as allScopes, type Scope } from '../../platform/http/scope.ts';
import type { OwnLimit } from '../limits/key-limits.ts';
import { formatApiKey } from './api-key.ts';
import { type KeyRecord, lockKeyById, toRow } from './key-store.ts';

/**
 * Changes of keys by an operator. Each is one transaction with its audit row and a revision, so every process
 * sees it within a second.
 */

/** The time of a change, and its author for the audit; the demo's key has none. */
type Authorship = { readonly at: string; readonly by?: Operator };

/** The fields of a key that can be changed; a field that is left out stays as it is. */
export type KeyChange = {
  readonly name?: string;
  readonly rateLimit?: OwnLimit;
  readonly quota?: OwnLimit;
  readonly callsPerDay?: OwnLimit;
  /** In the order of `scopes`, at least one. */
  readonly scopes?: readonly Scope[];
  /** Null for none. */
  readonly requester?: string | null;
  /** Null for never. */
  readonly expiresAt?: string | null;
};

/**
 * Creates a key, with every scope by default. `key` in the result is the secret, which cannot be shown again: only
 * its SHA-256 is stored.
 */
export async function createKey(
  db: Db,
  wanted: KeyChange & Authorship & { readonly name: string },
): Promise<KeyRecord & { readonly key: string }> {
  const { name, rateLimit = 'default', quota = 'default', expiresAt = null, at, by } = wanted;
  const { scopes = allScopes, requester = null, callsPerDay = 'default' } = wanted;
  const id = `key_${randomBytes(8).toString('hex')}`;
  const detail = { name, rateLimit, quota, scopes, expiresAt };
  const record: KeyRecord = {
    id,
    ...detail,
    callsPerDay,
    requester,
    createdAt: at,
    revokedAt: null,
  };
  const key = formatApiKey(randomBytes(32));
  await db.transaction().execute(async (tx) => {
    await tx.insertInto('api_keys').values(toRow(record)).execute();
    const ofRequester = requester === null ? {} : { requester };
    const ofCalls = callsPerDay === 'default' ? {} : { callsPerDay };
    const whole = { ...detail, ...ofCalls, ...ofRequester };
    await recordChange(tx, { at, by, action: 'keys.create', subject: id, detail: whole });
    await addSecret(tx, { key, id, at });
  });
  return { ...record, key };
}

/** The reason why a key was not changed. */
export type Unchanged =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended'; readonly why: 'revoked' | 'expired'; readonly at: string };

/** Changes a key's name, limits, scopes or expiry. A revoked key stays as it is. */
export async function changeKey(
  db: Db,
  id: string,
  change: KeyChange & Authorship,
): Promise<Unchanged | { readonly kind: 'changed'; readonly record: KeyRecord }> {
  return db.transaction().execute(async (tx) => {
    const before = await lockKeyById(tx, id);
    if (before === undefined) return { kind: 'unknown' };
    if (before.revokedAt !== null) return { kind: 'ended', why: 'revoked', at: before.revokedAt };

    const { at, by, ...wanted } = change;
    const after: KeyRecord = { ...before, ...wanted };
    await tx.updateTable('api_keys').set(toRow(after)).where('id', '=', id).execute();
    const detail = { before: pick(before, Object.keys(wanted)), after: wanted };
    await recordChange(tx, { at, by, action: 'keys.change', subject: id, detail });
    return { kind: 'changed', record: after };
  });
}

/**
 * Gives a key a new secret. Its earlier secrets work until `overlapEndsAt`, or until the end that an earlier
 * rotation gave them. Id, limits and use stay. A key that has ended stays as it is. `beforeCommit` gets the secret once, so
 * that it is not lost if the end of the transaction is not known (rule C38).
 */
export async function rotateKey(
  db: Db,
  id: string,
  wanted: Authorship & {
    readonly overlapEndsAt: string;
    readonly beforeCommit?: (key: string, record: KeyRecord) => void;
  },
): Promise<
  Unchanged | { readonly kind: 'rotated'; readonly key: string; readonly record: KeyRecord }
> {
  const { overlapEndsAt, at, by } = wanted;
  const key = formatApiKey(randomBytes(32));
  let { beforeCommit } = wanted;
  return db.transaction().execute(async (tx) => {
    const record = await lockKeyById(tx, id);
    if (record === undefined) return { kind: 'unknown' };
    const { revokedAt, expiresAt } = record;
    if (revokedAt !== null) return { kind: 'ended', why: 'revoked', at: revokedAt };
    if (expiresAt !== null && expiresAt <= at) {
      return { kind: 'ended', why: 'expired', at: expiresAt };
    }

    await tx
      .updateTable('key_secrets')
      .set({ ends_at: overlapEndsAt })
      .where('key_id', '=', id)
      .where((e) => e.or([e('ends_at', 'is', null), e('ends_at', '>', overlapEndsAt)]))
      .execute();
    const detail = { overlapEndsAt };
    await recordChange(tx, { at, by, action: 'keys.rotate', subject: id, detail });
    await addSecret(tx, { key, id, at });
    beforeCommit?.(key, record);
    // The transaction may be repeated.
    beforeCommit = undefined;
    return { kind: 'rotated', key, record };
  });
}

/** Ends a key permanently; false if there is no such key. Revoking twice keeps the first instant. */
export async function revokeKey(db: Db, id: string, { at, by }: Authorship): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const known = await lockKeyById(tx, id);
    if (known === undefined) return false;
    if (known.revokedAt !== null) return true;

    await tx.updateTable('api_keys').set({ revoked_at: at }).where('id', '=', id).execute();
    await recordChange(tx, { at, by, action: 'keys.revoke', subject: id, detail: {} });
    return true;
  });
}

function pick(record: KeyRecord, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

async function addSecret(
  tx: Tx,
  { key, id, at }: { readonly key: string; readonly id: string; readonly at: string },
): Promise<void> {
  await tx
    .insertInto('key_secrets')
    .values({
      secret_hash: sha256(key),
      key_id: id,
      created_at: at,
      ends_at: null,
      last_used_at: null,
    })
    .execute();
}

async function recordChange(tx: Tx, change: Parameters<typeof writeAudit>[1]): Promise<void> {
  await writeAudit(tx, change);
  await bumpRevision(tx, 'keys', change.subject);
}
