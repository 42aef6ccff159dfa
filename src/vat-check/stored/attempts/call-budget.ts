import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { markCommit } from '../../../platform/database/marks.ts';
import { inPortions } from '../../../platform/database/portions.ts';
import { parseRequestLimit, type RequestLimit } from '../../../platform/http/request-cost.ts';
import { dateIn, formatInstant } from '../../../platform/time/time.ts';
import { firstIdOf } from '../ids.ts';

/** Checks in one statement. */
const portion = 500;
/** The longest time from the id of a check to the end of the transaction that stores it. */
const storedWithinMs = 60_000;

/** Calls to the registry in a UTC day, of all processes together. */
export type DayCalls = { readonly background: number; readonly callers: number };

/** Reads the calls of the day of a moment. */
export async function readDayCalls(db: Db, nowMs: number): Promise<DayCalls> {
  const row = await db
    .selectFrom('registry_calls')
    .select(['background', 'callers'])
    .where('day', '=', dateIn('UTC', nowMs))
    .executeTakeFirst();
  return row ?? { background: 0, callers: 0 };
}

/** Whether no background call is left of VIES_CALLS_PER_DAY today. */
export async function isBudgetSpent(db: Db, nowMs: number, perDay: RequestLimit): Promise<boolean> {
  return perDay !== 'none' && (await readDayCalls(db, nowMs)).background >= perDay;
}

/** The limits of one background call: those of its day, and of its key. */
export type CallLimits = {
  readonly day: string;
  readonly keyId: string;
  readonly perDay: RequestLimit;
  /** The share of the key; infinite if it is not busy. */
  readonly most: number;
};

/** Counts one background call, once (rule C38); false, and counts nothing, if the budget or the share is used up. The rows stay locked. */
export async function takeCall(tx: Tx, limits: CallLimits): Promise<boolean> {
  const { day, keyId, most } = limits;
  await markCommit(tx);
  const ofKey = await tx
    .insertInto('registry_key_calls')
    .values({ day, key_id: keyId, background: 1, callers: 0, prolonged_to: '' })
    .onConflict((conflict) => {
      const added = conflict
        .columns(['day', 'key_id'])
        .doUpdateSet({ background: sql<number>`registry_key_calls.background + 1` });
      return most === Infinity ? added : added.where('registry_key_calls.background', '<', most);
    })
    .returning('day')
    .executeTakeFirst();
  if (ofKey === undefined) return false;
  if (await takeOfDay(tx, limits)) return true;
  await giveBackOfKey(tx, { day, keyId });
  return false;
}

async function takeOfDay(tx: Tx, { day, perDay }: CallLimits): Promise<boolean> {
  const counted = await tx
    .insertInto('registry_calls')
    .values({ day, background: 1, callers: 0, prolonged_to: '' })
    .onConflict((conflict) => {
      const added = conflict
        .column('day')
        .doUpdateSet({ background: sql<number>`registry_calls.background + 1` });
      return perDay === 'none' ? added : added.where('registry_calls.background', '<', perDay);
    })
    .returning('day')
    .executeTakeFirst();
  return counted !== undefined;
}

/** Counts a call less that was not made, once (rule C38). */
export async function giveCallBack(tx: Tx, of: { day: string; keyId: string }): Promise<void> {
  const { day } = of;
  await markCommit(tx);
  await giveBackOfKey(tx, of);
  await tx
    .updateTable('registry_calls')
    .set((e) => ({ background: e('background', '-', 1) }))
    .where('day', '=', day)
    .where('background', '>', 0)
    .execute();
}

async function giveBackOfKey(
  tx: Tx,
  { day, keyId }: { readonly day: string; readonly keyId: string },
): Promise<void> {
  await tx
    .updateTable('registry_key_calls')
    .set((e) => ({ background: e('background', '-', 1) }))
    .where('day', '=', day)
    .where('key_id', '=', keyId)
    .where('background', '>', 0)
    .execute();
}

/** Adds calls that callers waited for to those of a day and of a key, once (rule C38). */
export async function addCalls(
  tx: Tx,
  { day, keyId, calls }: { readonly day: string; readonly keyId: string; readonly calls: number },
): Promise<void> {
  await markCommit(tx);
  const row = { day, background: 0, callers: calls, prolonged_to: '' };
  await tx
    .insertInto('registry_key_calls')
    .values({ ...row, key_id: keyId })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'key_id'])
        .doUpdateSet({ callers: sql<number>`registry_key_calls.callers + ${calls}` }),
    )
    .execute();
  await tx
    .insertInto('registry_calls')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('day')
        .doUpdateSet({ callers: sql<number>`registry_calls.callers + ${calls}` }),
    )
    .execute();
}

/** Reads the number of calls in a day that an operator gave a key, and the calls of the key that callers waited for. */
export async function readKeyCalls(
  db: Db,
  { keyId, day }: { readonly keyId: string; readonly day: string },
): Promise<{ readonly own: RequestLimit | undefined; readonly used: number }> {
  const key = await db
    .selectFrom('api_keys')
    .select('calls_per_day')
    .where('id', '=', keyId)
    .executeTakeFirst();
  const row = await db
    .selectFrom('registry_key_calls')
    .select('callers')
    .where('day', '=', day)
    .where('key_id', '=', keyId)
    .executeTakeFirst();
  return { own: parseRequestLimit(key?.calls_per_day ?? 'default'), used: row?.callers ?? 0 };
}

/**
 * Prolongs pending checks until a moment of today or its end, because the budget of today is used up: this wait does not count
 * towards `expiresInHours` (rule K21). With a key these are its checks, because its share is. Called again and again, also by
 * several processes, it prolongs each check once a day; checks that are created later follow. Those to which no attempt is to
 * come are left as they are.
 */
export async function prolongWaiting(
  db: Db,
  { nowMs, untilMs, keyId }: { nowMs: number; untilMs: number; keyId?: string },
): Promise<void> {
  const day = dateIn('UTC', nowMs);
  const restMs = untilMs - nowMs;
  const place = keyId === undefined ? ofDay(day) : ofKeyAndDay(day, keyId);
  // Checks with an earlier id may still be stored, so the youngest wait for a later call, which makes up for it.
  const before = firstIdOf('vc', nowMs - storedWithinMs);
  const lateMs = restMs + storedWithinMs;
  await inPortions(async () =>
    db.transaction().execute(async (tx) => {
      const prolongedTo = await place.read(tx);
      if (prolongedTo === undefined) return false;
      const checks = tx.selectFrom('vat_checks').select(['id', 'expires_at', 'due_at']);
      const rows = await (keyId === undefined ? checks : checks.where('key_id', '=', keyId))
        .where('status', '=', 'pending')
        .where('id', '>', prolongedTo)
        .where('id', '<', before)
        .orderBy('id')
        .limit(portion)
        .forUpdate()
        .execute();
      const last = rows.at(-1);
      if (last === undefined) return false;
      const prolonged = rows
        .filter(({ due_at }) => due_at !== null)
        .map(({ id, expires_at }) => {
          const expiresAt = formatInstant(Date.parse(expires_at) + lateMs);
          return sql`(${id}, ${expiresAt})`;
        });
      if (prolonged.length > 0) {
        await sql`
          with later (id, expires_at) as (values ${sql.join(prolonged)})
          update vat_checks
          set expires_at = (select later.expires_at from later where later.id = vat_checks.id)
          where id in (select id from later)`.execute(tx);
      }
      await place.write(tx, last.id);
      return rows.length === portion;
    }),
  );
}

/** Where the id of the last prolonged check stands. */
type Place = {
  /** Locks it; undefined before the first call of the day. */
  readonly read: (tx: Tx) => Promise<string | undefined>;
  readonly write: (tx: Tx, id: string) => Promise<unknown>;
};

function ofDay(day: string): Place {
  return {
    read: async (tx) => {
      const rows = tx.selectFrom('registry_calls').select('prolonged_to').where('day', '=', day);
      return (await rows.forUpdate().executeTakeFirst())?.prolonged_to;
    },
    write: async (tx, id) =>
      tx.updateTable('registry_calls').set({ prolonged_to: id }).where('day', '=', day).execute(),
  };
}

function ofKeyAndDay(day: string, keyId: string): Place {
  return {
    read: async (tx) => {
      const rows = tx.selectFrom('registry_key_calls').select('prolonged_to');
      const own = rows.where('day', '=', day).where('key_id', '=', keyId);
      return (await own.forUpdate().executeTakeFirst())?.prolonged_to;
    },
    write: async (tx, id) =>
      tx
        .updateTable('registry_key_calls')
        .set({ prolonged_to: id })
        .where('day', '=', day)
        .where('key_id', '=', keyId)
        .execute(),
  };
}
