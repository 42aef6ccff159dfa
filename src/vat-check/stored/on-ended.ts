import type { Db, Tx } from '../../platform/database/database.ts';
import type { ExchangeRow, Reuse } from './batches/batch-store.ts';
import type { StoredCheck } from './stored-check.ts';

/**
 * A consequence of an ended check, such as its evidence or its event; `src/composition/stored-checks.ts` lists all of them.
 *
 * It writes in the transaction that ends the check: its rows exist if and only if the check has ended, and once, however
 * often an attempt is repeated. If it throws, the check stays pending and the attempt is made again, so it must not throw
 * because of the check's data. It runs while rows are locked: it queries no registry, waits for nothing but this
 * transaction, and on the embedded database any other query of the process waits for it.
 *
 * It is called once per stored check, for `answered`, `rejected` and `expired` alike.
 */
export type OnEnded = (tx: Tx, check: StoredCheck) => Promise<void>;

/**
 * The consequences of checks of a batch that are stored with the answer of an earlier check: the same as those of
 * `OnEnded`, for many checks at a time, so that the transaction is short.
 */
export type OnReused = {
  /** Signs the exchanges as those of the checks, before the transaction. */
  readonly sign: (db: Db, reuses: readonly Reuse[]) => Promise<readonly ExchangeRow[]>;
  /** Writes the events, in the transaction. */
  readonly announce: (tx: Tx, checks: readonly StoredCheck[]) => Promise<void>;
};

/** Joins consequences to one, in their order: each sees the rows that those before it have written. */
export function inOrder(consequences: readonly OnEnded[]): OnEnded {
  return async (tx, check) => {
    for (const consequence of consequences) await consequence(tx, check);
  };
}
