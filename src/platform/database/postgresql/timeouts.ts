/**
 * Every wait for PostgreSQL has a limit. First the server ends the idle transaction of a stopped process. The wait for
 * a lock is longer, so it outlasts such a transaction. The client's own timeout is the longest, because a connection
 * cannot be used again after it.
 */
export const timeoutsMs = {
  connect: 5_000,
  idleInTransaction: 10_000,
  lock: 12_000,
  query: 15_000,
} as const;
