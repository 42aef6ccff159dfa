import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { formatInstant } from '../../platform/time.ts';
import { type RegistryCode, vatNumberFormats } from '../vat-number-formats.ts';
import { isWorking } from './owner.ts';
import { type StoredCheck, toStoredCheck } from './stored-check.ts';

/** The most background attempts for one Member State in a second, of all processes together (rule K8). */
const perStateMax = 2;
/** The row of `vat_registries` that paces the attempts of all Member States together. */
const everyState = '*';
/** A wait that is longer was written by a clock that was wrong, and does not count. */
const waitMaxMs = 60_000;

/** A check that one attempt may be made for, until the end of its claim. */
export type ClaimedCheck = StoredCheck & { readonly claim: string };

/** Makes an id of a claim. */
export function createClaimId(): string {
  return randomBytes(12).toString('hex');
}

/** Registries that have a due check, of a working key or not, in their alphabetical order. */
export type DueRegistries = {
  readonly claimable: readonly RegistryCode[];
  /** Whether the pace keeps a due check waiting. */
  readonly isPaced: boolean;
};

/** Lists the registries with a due check that the pace allows to be claimed now. It only reads; claiming takes locks. */
export async function listDueRegistries(db: Db, nowMs: number): Promise<DueRegistries> {
  const due = await listWithDue(db, nowMs);
  if (due.length === 0) return { claimable: [], isPaced: false };
  const rows = await db
    .selectFrom('vat_registries')
    .select(['registry_code', 'background_at'])
    .where('background_at', 'is not', null)
    .execute();
  const waiting = new Set(
    rows.filter((row) => isWaiting(row.background_at, nowMs)).map((row) => row.registry_code),
  );
  const claimable = waiting.has(everyState) ? [] : due.filter((code) => !waiting.has(code));
  return { claimable, isPaced: claimable.length < due.length };
}

async function listWithDue(db: Db, nowMs: number): Promise<RegistryCode[]> {
  const codes = sql.join(Object.keys(vatNumberFormats).map((code) => sql`(${code})`));
  const { rows } = await sql<{ code: RegistryCode }>`
    with codes(code) as (values ${codes})
    select code from codes where exists (
      select 1 from vat_checks where registry_code = code and due_at <= ${formatInstant(nowMs)}
    ) order by code`.execute(db);
  return rows.map(({ code }) => code);
}

/** The next check of a registry that is wanted. */
export type ClaimRequest = {
  readonly registryCode: RegistryCode;
  readonly nowMs: number;
  /** The end of the claim. */
  readonly untilMs: number;
  /** VIES_BACKGROUND_PER_SECOND, of all Member States together. */
  readonly perSecond: number;
  /** The key that was served last: every other key comes before it. Empty for none. */
  readonly afterKey: string;
};

/**
 * Claims the next due check of a registry: keys take turns, and the check of a key that is longest due is first.
 * Undefined if none is due, or if the pace does not allow one yet.
 *
 * Two rows are locked and pace the claims of all processes together: that of all registries, and that of this one. If a
 * process crashes, its claim ends, and another one claims the check again. Checks of ended keys are not claimed.
 */
export async function claimNext(db: Db, wanted: ClaimRequest): Promise<ClaimedCheck | undefined> {
  const { registryCode, nowMs, perSecond } = wanted;
  return db.transaction().execute(async (tx) => {
    for (const code of [everyState, registryCode]) {
      if (isWaiting(await lockPace(tx, code), nowMs)) return undefined;
    }
    const keyId = await findNextKey(tx, wanted);
    const claimed = keyId === undefined ? undefined : await claimOldest(tx, keyId, wanted);
    if (claimed === undefined) return undefined;
    await setPace(tx, everyState, nowMs + Math.ceil(1_000 / perSecond));
    await setPace(tx, registryCode, nowMs + Math.ceil(1_000 / Math.min(perStateMax, perSecond)));
    return claimed;
  });
}

/** Gives a claimed check back as it was: no attempt was made. */
export async function releaseClaim(db: Db, claimed: ClaimedCheck): Promise<void> {
  await db
    .updateTable('vat_checks')
    .set({ claim: null, due_at: claimed.nextAttemptAt })
    .where('id', '=', claimed.id)
    .where('claim', '=', claimed.claim)
    .where('status', '=', 'pending')
    .execute();
}

function isWaiting(backgroundAt: string | null, nowMs: number): boolean {
  const waitMs = backgroundAt === null ? 0 : Date.parse(backgroundAt) - nowMs;
  return waitMs > 0 && waitMs <= waitMaxMs;
}

async function setPace(tx: Tx, code: string, untilMs: number): Promise<void> {
  await tx
    .updateTable('vat_registries')
    .set({ background_at: formatInstant(untilMs) })
    .where('registry_code', '=', code)
    .execute();
}

/** The moment from which the next background attempt may begin; the row stays locked. */
async function lockPace(tx: Tx, code: string): Promise<string | null> {
  await tx
    .insertInto('vat_registries')
    .values({ registry_code: code, faulted_at: null, background_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom('vat_registries')
    .select('background_at')
    .where('registry_code', '=', code)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return row.background_at;
}

/** The next working key with a due check, after the key that was served last or else from the first. */
async function findNextKey(tx: Tx, wanted: ClaimRequest): Promise<string | undefined> {
  const { registryCode, nowMs, afterKey } = wanted;
  const now = formatInstant(nowMs);
  // Each step of the recursion finds the next key by the index, however many checks the key before has.
  const next = (after: RawBuilder<unknown>) => sql`
    select min(key_id) from vat_checks
    where registry_code = ${registryCode} and due_at is not null and key_id > ${after}`;
  const find = async (after: string): Promise<string | undefined> => {
    const { rows } = await sql<{ key_id: string }>`
      with recursive keys(key_id) as (
        ${next(sql`${after}`)}
        union all
        select (${next(sql`keys.key_id`)}) from keys where keys.key_id is not null
      )
      select keys.key_id as key_id from keys
      where ${isWorking(sql`keys.key_id`, now)} and exists (
        select 1 from vat_checks as due where due.registry_code = ${registryCode}
          and due.key_id = keys.key_id and due.due_at <= ${now}
      ) limit 1`.execute(tx);
    return rows[0]?.key_id;
  };
  return (await find(afterKey)) ?? (afterKey === '' ? undefined : find(''));
}

async function claimOldest(
  tx: Tx,
  keyId: string,
  { registryCode, nowMs, untilMs }: ClaimRequest,
): Promise<ClaimedCheck | undefined> {
  const row = await tx
    .selectFrom('vat_checks')
    .selectAll()
    .where('registry_code', '=', registryCode)
    .where('key_id', '=', keyId)
    .where('due_at', '<=', formatInstant(nowMs))
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    // A row that another transaction is writing is skipped.
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const claim = createClaimId();
  await tx
    .updateTable('vat_checks')
    .set({ claim, due_at: formatInstant(untilMs) })
    .where('id', '=', row.id)
    .execute();
  return { ...toStoredCheck(row), claim };
}
