import { randomUUID } from 'node:crypto';
import type { DataSetKind } from './data-set-kinds.ts';
import type { Db, Tx } from '../database/database.ts';

/** An operator's command that has taken back all versions of a data set after a date (contract C17a). */
export type Withdrawal = {
  readonly kind: DataSetKind;
  readonly after: string;
  readonly at: string;
};

/** Records a withdrawal. */
export async function insertWithdrawal(tx: Tx, { kind, after, at }: Withdrawal): Promise<void> {
  const row = { id: `wd_${randomUUID()}`, kind, after_date: after, withdrawn_at: at };
  await tx.insertInto('withdrawals').values(row).execute();
}

/** Counts the withdrawals of a data set; with a version, only those that have taken it back. */
export async function countWithdrawals(
  db: Db,
  kind: DataSetKind,
  version?: string,
): Promise<number> {
  let counted = db
    .selectFrom('withdrawals')
    .select((e) => e.fn.countAll<number | string>().as('count'))
    .where('kind', '=', kind);
  if (version !== undefined) counted = counted.where('after_date', '<', version);
  return Number((await counted.executeTakeFirstOrThrow()).count);
}
