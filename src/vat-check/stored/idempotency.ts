import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../../platform/database/database.ts';
import { inPortions } from '../../platform/database/portions.ts';
import { dayMs, formatInstant } from '../../platform/time/time.ts';
import { findCheck } from './check-store.ts';
import type { StoredCheck } from './stored-check.ts';

/** The most idempotency keys that one statement deletes. */
const portion = 500;

/** The header `Idempotency-Key` of a request, and the digest of the body that came with it. */
export type SentIdempotencyKey = {
  readonly idempotencyKey: string;
  readonly bodyDigest: string;
  /** The digest that version 0.3 stored for this body, if it is another one: replicas of both versions may run. */
  readonly formerDigest?: string;
};

/** An idempotency key with the API key that sent it. */
type IdempotencyKey = SentIdempotencyKey & { readonly keyId: string };

/** The name under which a request is charged once: that of its idempotency key, or one that no other request has. */
export function chargeNameOf(keyId: string, sent: SentIdempotencyKey | undefined): string {
  return `${keyId} ${sent?.idempotencyKey ?? randomUUID()}`;
}

/** The moment of a request; while the clock is not trusted, no idempotency key counts as older than 24 hours. */
export type RequestMoment = { readonly nowMs: number; readonly isClockTrusted?: boolean };

export type Idempotent =
  | { readonly kind: 'created' | 'repeated'; readonly check: StoredCheck }
  /** Another body came with the same key (409). */
  | { readonly kind: 'conflict' };

/**
 * Creates a check once per idempotency key and 24 hours (rule K4): a repetition returns the first check, and a different
 * body is a conflict. Of several transactions at the same time one creates it; the others wait for it.
 */
export async function createOnce(
  tx: Tx,
  key: IdempotencyKey,
  at: RequestMoment,
  create: () => Promise<StoredCheck>,
): Promise<Idempotent> {
  const once = await createIdOnce(tx, key, at, async () => {
    const check = await create();
    return { id: check.id, created: check };
  });
  if (once.kind === 'conflict') return once;
  if (once.kind === 'created') return { kind: 'created', check: once.created };
  const check = await findCheck(tx, key.keyId, once.id);
  if (check === undefined) throw new Error('the check of an idempotency key is not stored');
  return { kind: 'repeated', check };
}

/** As `createOnce`, for a thing of any kind; a repetition returns its id. */
export async function createIdOnce<T>(
  tx: Tx,
  key: IdempotencyKey,
  at: RequestMoment,
  create: () => Promise<{ readonly id: string; readonly created: T }>,
): Promise<
  | { readonly kind: 'created'; readonly created: T }
  | { readonly kind: 'repeated'; readonly id: string }
  | { readonly kind: 'conflict' }
> {
  const { keyId, idempotencyKey, bodyDigest } = key;
  const row = {
    key_id: keyId,
    idempotency_key: idempotencyKey,
    body_digest: bodyDigest,
    check_id: '',
    created_at: formatInstant(at.nowMs),
  };
  // A row that is younger is not updated, and a row that another transaction is inserting is waited for.
  const taken = await tx
    .insertInto('vat_check_idempotency')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'idempotency_key'])
        .doUpdateSet(row)
        .where('vat_check_idempotency.created_at', '<=', keptSince(at)),
    )
    .returning('check_id')
    .executeTakeFirst();
  if (taken !== undefined) {
    const { id, created } = await create();
    await tx
      .updateTable('vat_check_idempotency')
      .set({ check_id: id })
      .where('key_id', '=', keyId)
      .where('idempotency_key', '=', idempotencyKey)
      .execute();
    return { kind: 'created', created };
  }
  const earlier = await selectEarlier(tx, key).executeTakeFirstOrThrow();
  return isSameBody(earlier, key)
    ? { kind: 'repeated', id: earlier.check_id }
    : { kind: 'conflict' };
}

/** Finds what a request with an idempotency key has created within 24 hours; undefined if there is nothing yet. */
export async function findIdOnce(
  db: Db,
  key: IdempotencyKey,
  at: RequestMoment,
): Promise<
  { readonly kind: 'repeated'; readonly id: string } | { readonly kind: 'conflict' } | undefined
> {
  const earlier = await selectEarlier(db, key)
    .where('created_at', '>', keptSince(at))
    .executeTakeFirst();
  if (earlier === undefined) return undefined;
  return isSameBody(earlier, key)
    ? { kind: 'repeated', id: earlier.check_id }
    : { kind: 'conflict' };
}

function isSameBody(
  earlier: { readonly body_digest: string },
  { bodyDigest, formerDigest }: SentIdempotencyKey,
): boolean {
  return earlier.body_digest === bodyDigest || earlier.body_digest === formerDigest;
}

/** The moment since which idempotency keys count; while the clock is not trusted, all do: none is before the empty text. */
function keptSince({ nowMs, isClockTrusted = true }: RequestMoment): string {
  return isClockTrusted ? formatInstant(nowMs - dayMs) : '';
}

function selectEarlier(db: Db, { keyId, idempotencyKey }: IdempotencyKey) {
  return db
    .selectFrom('vat_check_idempotency')
    .select(['check_id', 'body_digest'])
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey);
}

/** Deletes idempotency keys that are older than 24 hours. */
export async function pruneIdempotencyKeys(db: Db, nowMs: number): Promise<void> {
  const before = formatInstant(nowMs - dayMs);
  await inPortions(async () => {
    const { numDeletedRows } = await db
      .deleteFrom('vat_check_idempotency')
      .where((e) =>
        e(
          e.refTuple('key_id', 'idempotency_key'),
          'in',
          e
            .selectFrom('vat_check_idempotency')
            .select(['key_id', 'idempotency_key'])
            .where('created_at', '<=', before)
            .limit(portion)
            .$asTuple('key_id', 'idempotency_key'),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows) === portion;
  });
}
