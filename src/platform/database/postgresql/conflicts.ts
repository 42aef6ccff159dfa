import { setTimeout as sleep } from 'node:timers/promises';
import { errorCodeOf } from '../../log/errors.ts';
import { DatabaseUnavailableError } from '../unavailable.ts';

/** Attempts of one transaction. With the pauses between them they take half a second. */
const attemptsMax = 10;
/** The longest pause after the first attempt; later ones are longer. Pauses are random, so that two processes part. */
const pauseMs = 20;

/**
 * Repeats a transaction that PostgreSQL has rolled back because of another one (40001, a serialization failure; 40P01, a
 * deadlock). If that happens to all attempts, the error is a `DatabaseUnavailableError`: the same work may succeed later.
 */
export async function repeatConflicts<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === attemptsMax) {
        const sentence = `database: other transactions were in the way ${attemptsMax} times`;
        throw new DatabaseUnavailableError(sentence, { cause: error });
      }
    }
    await sleep(Math.random() * pauseMs * attempt);
  }
}

function isConflict(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (['40001', '40P01'].includes(String(errorCodeOf(at)))) return true;
  }
  return false;
}
