import { DatabaseError } from 'pg';
import { DatabaseUnavailableError } from '../unavailable.ts';

/** Turns an error that did not come from a statement into a `DatabaseUnavailableError`; returns any other as it is. */
export function toOutage(error: unknown): unknown {
  return error instanceof DatabaseError && !isOutage(error.code ?? '') ? error : outageOf(error);
}

/** The outage that a failure is, whatever its reason: for work that fails only if PostgreSQL cannot be used. */
export function outageOf(error: unknown): DatabaseUnavailableError {
  if (error instanceof DatabaseUnavailableError) return error;
  // If a host name has several addresses, there is one error for each, and the outer error has no message.
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const sentence = isRefusal(cause)
    ? 'database: PostgreSQL accepts no further connection; raise its limit, or lower DATABASE_CONNECTIONS of the servers'
    : 'database: PostgreSQL cannot be used now';
  return new DatabaseUnavailableError(sentence, { cause });
}

/**
 * Codes of a server that cannot work now: connection exceptions (08), credentials that a pooler's server refuses (28), a
 * database that is not there (3D), no resources (53), shutting down or starting (57P), an idle transaction that was ended
 * (25P03), a standby (25006), a lock that was not available in time (55P03).
 */
function isOutage(code: string): boolean {
  return /^(?:08|28|3D|53|57P)/.test(code) || ['25P03', '25006', '55P03'].includes(code);
}

/** How poolers (PgBouncer, Supavisor, PgCat) say that they have no connection left; they have no code of their own for it. */
const wordsOfPoolers =
  /query_wait_timeout|max_[a-z_]*client_conn|no more connections allowed|max client(?:s|\s+connections) reached|too many (?:clients|connections)/i;

/**
 * Whether an error means that the role, the database, the server or a pooler has no connection left for this process.
 * No statement was executed.
 */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { code = '', message } = error;
  return code === '53300' || (/^(?:08|XX)/.test(code) && wordsOfPoolers.test(message));
}
