import { StatementSync } from 'node:sqlite';

/** The tables of the jobs; leases and replicas are renewed by real time, which no seed repeats. */
const ofJobs =
  /^(insert into|update|delete from) "(rate_\w+|fx_\w+|events|held_snapshots|corrections|revisions|runs|audit)"/;

/**
 * Lets the n-th write of a job fail once during `work`, as a full disk would.
 *
 * Later writes succeed: a job that ignored the error would leave half a publication.
 */
export async function withFailingWrite(nth: number, work: () => Promise<void>): Promise<void> {
  const own = Object.getOwnPropertyDescriptor(StatementSync.prototype, 'run');
  const run = own?.value as (...values: unknown[]) => unknown;
  let left = nth;
  const value = function failing(this: StatementSync, ...values: unknown[]): unknown {
    if (ofJobs.test(this.sourceSQL)) left -= 1;
    if (left !== 0) return Reflect.apply(run, this, values);
    left = -1;
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
  };
  Object.defineProperty(StatementSync.prototype, 'run', { ...own, value });
  try {
    await work();
  } finally {
    Object.defineProperty(StatementSync.prototype, 'run', own ?? {});
  }
}
