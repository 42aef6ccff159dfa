import { FullDiskError } from '../files/full-disk.ts';
import { errorCodeOf } from '../log/errors.ts';
import type { Log } from '../log/log.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

/** Time without another refusal after which writes of some kinds count as accepted again. */
const quietMs = 60_000;

/** A failure of a write, in words; `ofAll` if no write can succeed. */
type Refusal = { readonly reason: string; readonly ofAll: boolean };

/**
 * Whether the database refuses writes, although it can be read.
 *
 * Nothing is written to find out: a process that serves renews its row every 2.5 s (`replicas.ts`), and statements that fail are
 * noted (`database.ts`). A refusal of all writes ends with the next renewal. One of some writes, such as those that need room on
 * a disk, ends with a renewal after a minute without another.
 */
export class WriteWatch {
  readonly #log: Log;
  #refusal: (Refusal & { readonly atMs: number }) | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Why writes are refused, for operators, without addresses and settings; undefined if they are not, or not known to be. */
  get refusal(): string | undefined {
    return this.#refusal?.reason;
  }

  /** Notes a statement that failed. Reads, and statements that are wrong by themselves, are passed over. */
  noteFailure(error: unknown, statement: string): void {
    if (!/^(?:begin|commit|delete|insert|update)\b/.test(statement)) return;
    const found = findRefusal(error);
    // Code 0A000 has other reasons as well, if it is not the answer to a `begin`.
    if (found === standby && !statement.startsWith('begin')) return;
    // What the renewal found holds until the next one.
    if (found !== undefined && this.#refusal?.ofAll !== true) this.#keep(found, error);
  }

  /** Called when the row of this process was not written. An outage is passed over: it refuses nothing. */
  noteRenewalFailure(error: unknown): void {
    const found = findRefusal(error) ?? (isDatabaseUnavailable(error) ? undefined : other);
    if (found !== undefined) this.#keep({ ...found, ofAll: true }, error);
  }

  /** Called when the row of this process was written. */
  noteRenewal(): void {
    if (this.#refusal === undefined) return;
    const { ofAll, atMs } = this.#refusal;
    if (!ofAll && performance.now() - atMs < quietMs) return;
    this.#refusal = undefined;
    this.#log.info('database accepts writes again');
  }

  #keep(refusal: Refusal, error: unknown): void {
    if (this.#refusal?.reason !== refusal.reason) {
      this.#log.error({ reason: refusal.reason, err: error }, 'database refuses writes');
    }
    this.#refusal = { ...refusal, atMs: performance.now() };
  }
}

const room: Refusal = { reason: 'there is no space left on its disk', ofAll: false };
const disk: Refusal = { reason: 'its disk reports errors', ofAll: false };
const standby: Refusal = { reason: 'it is a standby', ofAll: true };
const other: Refusal = { reason: 'the log has the error', ofAll: true };

/** PostgreSQL's codes of refusals. */
const ofPostgresql: ReadonlyMap<unknown, Refusal> = new Map([
  ['0A000', standby],
  ['25006', { reason: 'it is a standby, or read-only', ofAll: true }],
  ['42501', { reason: 'the role may not write a table, which doctor names', ofAll: false }],
  ['53100', room],
  ['58030', disk],
]);

/** SQLite's basic codes SQLITE_READONLY, _IOERR, _FULL and _CANTOPEN. */
const ofSqlite: ReadonlyMap<number, Refusal> = new Map([
  [8, { reason: 'its file is read-only', ofAll: true }],
  [10, disk],
  [13, room],
  [14, { reason: 'a file beside it cannot be opened', ofAll: false }],
]);

function findRefusal(error: unknown): Refusal | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof FullDiskError) return room;
    const ofEngine = 'errcode' in at ? ofSqlite.get(Number(at.errcode) & 0xff) : undefined;
    const found = ofEngine ?? ofPostgresql.get(errorCodeOf(at));
    if (found !== undefined) return found;
  }
  return undefined;
}
