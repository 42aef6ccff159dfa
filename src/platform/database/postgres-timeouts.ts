/**
 * Every wait for PostgreSQL has an end. The server ends what a stopped process holds, and a lock is waited
 * for longer than that; the client gives up last, because it leaves a connection that cannot be used again.
 */
export const timeoutsMs = {
  connect: 5_000,
  idleInTransaction: 10_000,
  lock: 12_000,
  query: 15_000,
} as const;
