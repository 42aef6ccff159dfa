import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { formatInstant } from '../time/time.ts';

/**
 * Claims of due rows: deliveries, stored checks and watches.
 *
 * A row is due from `due_at`. A process that claims it writes the id of its claim (`claim`) and the end of it
 * (`claimed_until`) in one transaction, in which it has locked the row; locked rows are skipped. It writes the result of its
 * work, or moves `due_at`, only if the row still has the claim, and ends the claim with that. After a crash the claim ends by
 * itself, another process claims the row, and a result of the earlier claim changes nothing.
 */
export type Claim = {
  readonly id: string;
  /** An instant. */
  readonly until: string;
};

/** By it PostgreSQL knows the claims of programs that can deliver every type of event (migration 0019). */
const idPrefix = 'v2.';
/** Longer than any claim. One that ends later than this from now was written by a clock that was wrong, and does not count. */
const longestMs = 600_000;

/** Makes a claim with a new id, for any number of rows. */
export function createClaim(until: string): Claim {
  return { id: `${idPrefix}${randomBytes(12).toString('hex')}`, until };
}

/** The columns of a row that is claimed. */
export function claimColumns({ id, until }: Claim) {
  return { claim: id, claimed_until: until };
}

/** The columns of a row that no process has claimed. */
export const unclaimed = { claim: null, claimed_until: null } as const;

/** Whether no claim of a row holds; `table` is the name or the alias of its table. */
export function isUnclaimed(table: string, now: string): RawBuilder<SqlBool> {
  const until = sql.ref(`${table}.claimed_until`);
  const latest = formatInstant(Date.parse(now) + longestMs);
  return sql`(${until} is null or ${until} <= ${now} or ${until} > ${latest})`;
}

/** Whether a row may be claimed: it is due, and no claim of it holds. */
export function isClaimable(table: string, now: string): RawBuilder<SqlBool> {
  return sql`(${sql.ref(`${table}.due_at`)} <= ${now} and ${isUnclaimed(table, now)})`;
}
