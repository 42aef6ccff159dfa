import { type RawBuilder, sql } from 'kysely';
import {
  claimColumns,
  createClaim,
  isClaimable,
  isUnclaimed,
} from '../../../platform/database/claims.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { eachPortion } from '../../../platform/database/portions.ts';
import type { RequestLimit } from '../../../platform/http/request-cost.ts';
import { dateIn, formatInstant } from '../../../platform/time/time.ts';
import { takeTurnNow } from '../../calls/call-pace.ts';
import { viesCodes } from '../../numbers/vat-number-formats.ts';
import type { RegistryName } from '../../registries/registry.ts';
import { giveCallBack, takeCall } from './call-budget.ts';
import { isWorking } from '../owner.ts';
import type { Shares } from './shares.ts';
import { type CheckRow, type StoredCheck, toStoredCheck } from '../stored-check.ts';

/** The most background attempts for one Member State in a second, of all processes together (rule K8). */
export const perStateMax = 2;
/** The row of `vat_registries` that paces the attempts of all Member States together. */
const everyState = '*';
/** A wait that is longer was written by a clock that was wrong, and does not count. */
const waitMaxMs = 60_000;
/** Checks in one statement. */
export const portionIds = 500;

/** A check that one attempt may be made for, until the end of its claim. */
export type ClaimedCheck = StoredCheck & {
  readonly claim: string;
  /** The day of the budget that its call was counted in; undefined for a call that a caller waits for. */
  readonly countedOn?: string;
  /** Ids of checks of the same batch with the same question, claimed with it: its answer is also theirs (rule K8). */
  readonly equal?: readonly string[];
};

/** Member States that have a due check, of a working key or not, in their alphabetical order. */
export type DueRegistries = {
  readonly claimable: readonly string[];
  /** Whether the pace keeps a due check waiting. */
  readonly isPaced: boolean;
};

/** Lists the Member States with a due check that the pace allows to be claimed now. It only reads; claiming takes locks. */
export async function listDueRegistries(db: Db, nowMs: number): Promise<DueRegistries> {
  const due = await listWithDue(db, viesCodes, nowMs);
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

/** Lists those of some stored codes that have a due check. */
export async function listWithDue(
  db: Db,
  among: readonly string[],
  nowMs: number,
): Promise<string[]> {
  const codes = sql.join(among.map((code) => sql`(${code})`));
  const { rows } = await sql<{ code: string }>`
    with codes(code) as (values ${codes})
    select code from codes where exists (
      select 1 from vat_checks
      where registry_code = code and ${isClaimable('vat_checks', formatInstant(nowMs))}
    ) order by code`.execute(db);
  return rows.map(({ code }) => code);
}

/** The next check that is wanted. */
export type ClaimRequest = {
  /** The stored codes that it may have, in the order of their turns. */
  readonly registryCodes: readonly string[];
  readonly nowMs: number;
  /** The end of the claim. */
  readonly untilMs: number;
  /** VIES_BACKGROUND_PER_SECOND, of all Member States together. */
  readonly perSecond: number;
  /** VIES_CALLS_PER_DAY. */
  readonly perDay: RequestLimit;
  /** The shares of busy keys in it; left out if no key has one. */
  readonly shares?: Shares;
  /** Keys that have used their share, and get no turn. */
  readonly spentKeys?: readonly string[];
  /** The key that was served last: every other key comes before it. Empty for none. */
  readonly afterKey: string;
};

/** The next check of a registry other than VIES that is wanted. */
export type OtherRequest = Pick<
  ClaimRequest,
  'registryCodes' | 'nowMs' | 'untilMs' | 'perSecond' | 'afterKey'
> & { readonly registry: RegistryName };

/**
 * Claims the next due check of a registry other than VIES, and counts its call: keys take turns. Undefined if none is due, or
 * if the pace of the registry has no turn now (rule M7). `onUnknown` is as in {@link claimNext}.
 */
export async function claimNextOf(
  db: Db,
  wanted: OtherRequest,
  onUnknown?: (error: unknown, claimed: ClaimedCheck) => void,
): Promise<ClaimedCheck | undefined> {
  let last: ClaimedCheck | undefined;
  try {
    return await db.transaction().execute(async (tx) => {
      last = undefined;
      const next = await findNext(tx, wanted);
      if (next === undefined) return undefined;
      const { registry, nowMs, perSecond } = wanted;
      if (!(await takeTurnNow(tx, registry, { nowMs, perSecond }))) return undefined;
      last = await claimOldest(tx, next, wanted);
      return last;
    });
  } catch (error) {
    if (last !== undefined) onUnknown?.(error, last);
    throw error;
  }
}

/**
 * Claims the next due check and counts its call: keys take turns, then the registries of a key, and the check that is
 * longest due is first. Undefined if none is due, or if the pace or the budget of the day does not allow one.
 *
 * Two rows are locked and pace the claims of all processes together: that of all registries, and that of this one. If a
 * process crashes, its claim ends, and another one claims the check again. Checks of ended keys are not claimed.
 *
 * If it rejects although a check was claimed, `onUnknown` is called: the claim may have been committed.
 */
export async function claimNext(
  db: Db,
  wanted: ClaimRequest,
  onUnknown?: (error: unknown, claimed: ClaimedCheck) => void,
): Promise<ClaimedCheck | undefined> {
  let last: ClaimedCheck | undefined;
  try {
    return await db.transaction().execute(async (tx) => (last = await claimIn(tx, wanted)));
  } catch (error) {
    if (last !== undefined) onUnknown?.(error, last);
    throw error;
  }
}

async function claimIn(tx: Tx, wanted: ClaimRequest): Promise<ClaimedCheck | undefined> {
  const { nowMs, perSecond, perDay, shares } = wanted;
  if (isWaiting(await lockPace(tx, everyState), nowMs)) return undefined;
  const next = await findNext(tx, wanted);
  if (next === undefined) return undefined;
  const { registryCode, keyId } = next;
  if (isWaiting(await lockPace(tx, registryCode), nowMs)) return undefined;
  const countedOn = dateIn('UTC', nowMs);
  const most = shares?.busy.has(keyId) === true ? shares.most : Infinity;
  if (!(await takeCall(tx, { day: countedOn, keyId, perDay, most }))) return undefined;
  const claimed = await claimOldest(tx, next, wanted);
  if (claimed === undefined) {
    await giveCallBack(tx, { day: countedOn, keyId });
    return undefined;
  }
  await setPace(tx, everyState, nowMs + Math.ceil(1_000 / perSecond));
  await setPace(tx, registryCode, nowMs + Math.ceil(1_000 / Math.min(perStateMax, perSecond)));
  return { ...claimed, countedOn };
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

type Next = { readonly keyId: string; readonly registryCode: string };

type Sought = Pick<ClaimRequest, 'registryCodes' | 'nowMs' | 'afterKey' | 'spentKeys'>;

/** The next working key with a due check, after the key that was served last or else from the first, and its registry. */
async function findNext(tx: Tx, wanted: Sought): Promise<Next | undefined> {
  const { registryCodes, nowMs, afterKey, spentKeys = [] } = wanted;
  const isSpent =
    spentKeys.length === 0 ? sql`false` : sql`keys.key_id in (${sql.join(spentKeys)})`;
  const now = formatInstant(nowMs);
  const codes = sql`codes(code, place) as (values ${sql.join(
    registryCodes.map((code, place) => sql`(${code}, cast(${place} as integer))`),
  )})`;
  // Each step of the recursion finds the next key by the index, however many checks the key before has.
  const next = (after: RawBuilder<unknown>) => sql`
    select min((
      select min(key_id) from vat_checks
      where registry_code = codes.code and due_at is not null and key_id > ${after}
    )) from codes`;
  const isDue = (keyId: RawBuilder<unknown>) => sql`exists (
    select 1 from vat_checks as due where due.registry_code = codes.code
      and due.key_id = ${keyId} and ${isClaimable('due', now)}
  )`;
  const find = async (after: string): Promise<string | undefined> => {
    const { rows } = await sql<{ key_id: string }>`
      with recursive ${codes}, keys(key_id) as (
        ${next(sql`${after}`)}
        union all
        select (${next(sql`keys.key_id`)}) from keys where keys.key_id is not null
      )
      select keys.key_id as key_id from keys
      where ${isWorking(sql`keys.key_id`, now)} and not (${isSpent})
        and exists (select 1 from codes where ${isDue(sql`keys.key_id`)})
      limit 1`.execute(tx);
    return rows[0]?.key_id;
  };
  const keyId = (await find(afterKey)) ?? (afterKey === '' ? undefined : await find(''));
  if (keyId === undefined) return undefined;
  const { rows } = await sql<{ code: string }>`
    with ${codes} select code from codes where ${isDue(sql`${keyId}`)} order by place limit 1`.execute(
    tx,
  );
  return rows[0] && { keyId, registryCode: rows[0].code };
}

async function claimOldest(
  tx: Tx,
  { keyId, registryCode }: Next,
  { nowMs, untilMs }: Pick<ClaimRequest, 'nowMs' | 'untilMs'>,
): Promise<ClaimedCheck | undefined> {
  const row = await tx
    .selectFrom('vat_checks')
    .selectAll()
    .where('registry_code', '=', registryCode)
    .where('key_id', '=', keyId)
    .where(isClaimable('vat_checks', formatInstant(nowMs)))
    .orderBy('due_at')
    .orderBy('id')
    .limit(1)
    // A row that another transaction is writing is skipped.
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const claim = createClaim(formatInstant(untilMs));
  const equal = await lockEqual(tx, row, nowMs);
  await eachPortion([row.id, ...equal], portionIds, async (ids) => {
    await tx
      .updateTable('vat_checks')
      .set({ ...claimColumns(claim), due_at: claim.until })
      .where('id', 'in', ids)
      .execute();
  });
  return { ...toStoredCheck(row), claim: claim.id, equal };
}

/** The ids of the other pending checks of the same batch with the same question, unless an attempt of them is under way. */
async function lockEqual(tx: Tx, row: CheckRow, nowMs: number): Promise<readonly string[]> {
  if (row.batch_id === null) return [];
  const rows = await tx
    .selectFrom('vat_checks')
    .select('id')
    // By the index of a key's numbers.
    .where('key_id', '=', row.key_id)
    .where('registry_code', '=', row.registry_code)
    .where('number', '=', row.number)
    .where('batch_id', '=', row.batch_id)
    .where('status', '=', 'pending')
    .where('requester_code', 'is not distinct from', row.requester_code)
    .where('requester_number', 'is not distinct from', row.requester_number)
    .where('trader', '=', row.trader)
    .where('id', '<>', row.id)
    .where(isUnclaimed('vat_checks', formatInstant(nowMs)))
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .execute();
  return rows.map(({ id }) => id);
}
