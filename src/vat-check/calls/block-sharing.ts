import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { markCommit } from '../../platform/database/marks.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { UnsettledCommits } from '../../platform/database/unknown-commit.ts';
import { bumpRevision } from '../../platform/database/replicas/revisions.ts';
import { FailureLog, type Log } from '../../platform/log/log.ts';
import { formatInstant } from '../../platform/time/time.ts';
import { pause, systemTimers } from '../../platform/time/timers.ts';
import type { Block, BlockChange } from './block-breaker.ts';
import { questionEveryMs, questionUnderWayMs } from './own-question.ts';

/** Time between two attempts to store a change. */
const retryMs = 1_000;
/** Time between two looks for the verdict of a question that another process asks. */
const lookMs = 250;

/** The result of the service's own question: whether the registry refuses this service. */
export type Verdict = 'answered' | 'refused' | 'silent';

/** A question of the service's own; without a verdict it is under way. */
export type Asked = { readonly atMs: number; readonly verdict?: Verdict };

/**
 * The block of the registry in the database, which all processes obey (rule K21).
 *
 * A change of this process is stored in the background, again and again while the database is away: calls obey the breaker
 * in memory meanwhile. A stored change is a revision, so the other processes read it within a quarter of a second. The process
 * that opens the block writes the one error to the log, and the one that closes it a line that it is over. Beside the block
 * stands the newest question of the service's own (rule K21a), so that all processes ask one.
 */
export class BlockSharing {
  readonly #db: Db;
  readonly #log: Log;
  readonly #failures: FailureLog;
  readonly #questionFailures: FailureLog;
  readonly #stopping = new AbortController();
  readonly #unsettled = new UnsettledCommits();
  #unstored: BlockChange | undefined;
  #storing: Promise<void> | undefined;
  /** Called with what is stored, after each read and each change. */
  onStored: (block: Block | undefined) => void = () => {};
  /** Called with the newest question of the service's own that is stored, after each read. */
  onAsked: (asked: Asked | undefined) => void = () => {};

  constructor({ db, log }: { readonly db: Db; readonly log: Log }) {
    this.#db = db;
    this.#log = log;
    this.#failures = new FailureLog(log, 'block by VIES not shared with other replicas');
    this.#questionFailures = new FailureLog(
      log,
      'own question to VIES not shared with other replicas',
    );
  }

  /** Reads the block that is stored; one that this process has not stored yet is newer. */
  async load(): Promise<void> {
    const row = await readRow(this.#db);
    if (this.#unstored === undefined) this.onStored(toBlock(row));
    this.onAsked(toAsked(row));
  }

  /** As `BlockBreaker` needs it. Without the database each process makes a trial of its own. */
  async takeTrial(
    known: Block,
    { atMs, untilMs }: { readonly atMs: number; readonly untilMs: number },
  ): Promise<boolean> {
    try {
      const isTaken = await this.#db.transaction().execute(async (tx) => {
        const { numUpdatedRows } = await tx
          .updateTable('registry_blocks')
          .set({
            blocked_until: formatInstant(untilMs),
            asked_at: formatInstant(atMs),
            verdict: null,
          })
          .where('blocked_until', '=', formatInstant(known.untilMs))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await bumpRevision(tx, 'block');
        return true;
      });
      if (!isTaken) await this.load();
      return isTaken;
    } catch (error) {
      this.#failures.failed(error);
      return true;
    }
  }

  /** As `Refusals` needs it. Without the database each process asks for itself. */
  async takeQuestion(nowMs: number): Promise<Asked & { readonly isTaken: boolean }> {
    try {
      return await this.#db.transaction().execute(async (tx) => {
        const asked = toAsked(await lockRow(tx));
        if (asked !== undefined && Math.abs(nowMs - asked.atMs) < questionEveryMs) {
          return { ...asked, isTaken: false };
        }
        const asked_at = formatInstant(nowMs);
        await tx.updateTable('registry_blocks').set({ asked_at, verdict: null }).execute();
        await bumpRevision(tx, 'block');
        return { atMs: nowMs, isTaken: true };
      });
    } catch (error) {
      this.#questionFailures.failed(error);
      return { atMs: nowMs, isTaken: true };
    }
  }

  /** Waits for the verdict of a question that another process asks; `silent` if it does not come in time. */
  async awaitVerdict({ atMs }: Asked): Promise<Verdict> {
    for (let waitedMs = 0; waitedMs < questionUnderWayMs; waitedMs += lookMs) {
      const asked = toAsked(await readRow(this.#db).catch(() => undefined));
      if (asked?.atMs !== atMs || asked.verdict !== undefined) return asked?.verdict ?? 'silent';
      await pause(systemTimers, lookMs, this.#stopping.signal);
      if (this.#stopping.signal.aborted) break;
    }
    return 'silent';
  }

  /** Stores the verdict of a question of this process; never rejects. */
  async storeVerdict({ atMs, verdict }: Required<Asked>): Promise<void> {
    try {
      await this.#db.transaction().execute(async (tx) => {
        await tx
          .updateTable('registry_blocks')
          .set({ verdict })
          .where('asked_at', '=', formatInstant(atMs))
          .execute();
        await bumpRevision(tx, 'block');
      });
      this.#questionFailures.succeeded();
    } catch (error) {
      this.#questionFailures.failed(error);
    }
  }

  share(change: BlockChange): void {
    this.#unstored = change;
    this.#storing ??= this.#store();
  }

  /** Resolves when the last change is stored, or cannot be. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#storing;
  }

  async #store(): Promise<void> {
    const { signal } = this.#stopping;
    for (let change = this.#unstored; change !== undefined; change = this.#unstored) {
      const { kind } = change;
      let stored: Stored = { block: undefined, hasChanged: false };
      try {
        await this.#unsettled.settle();
        stored = await this.#db
          .transaction()
          .execute(async (tx) => (stored = await storeChange(tx, change)));
        const { block, hasChanged } = stored;
        this.#failures.succeeded();
        if (hasChanged) this.#write(kind, block);
        if (this.#unstored !== change) continue;
        this.#unstored = undefined;
        this.onStored(block);
      } catch (error) {
        this.#unsettled.keep(error, (wasCommitted) => {
          if (wasCommitted && stored.hasChanged) this.#write(kind, stored.block);
        });
        this.#failures.failed(error);
        if (signal.aborted) break;
        await pause(systemTimers, retryMs, signal);
      }
    }
    // In the same turn as the end of the loop, so that a later change starts another one.
    this.#storing = undefined;
  }

  #write(kind: BlockChange['kind'], block: Block | undefined): void {
    if (kind === 'closed') {
      this.#log.info('VIES answers this service again');
    } else if (block !== undefined) {
      const { reason, untilMs } = block;
      const detail = { reason, blockedUntil: formatInstant(untilMs) };
      this.#log.error(detail, 'VIES blocks this service, so no VAT number is queried until then');
    }
  }
}

/** The block that is stored; undefined if there is none. */
export async function readBlock(db: Db): Promise<Block | undefined> {
  return toBlock(await readRow(db));
}

/** Ends the block for all processes; returns it, or undefined if there was none. */
export async function endBlock(tx: Tx): Promise<Block | undefined> {
  const block = toBlock(await lockRow(tx));
  if (block === undefined) return undefined;
  await tx.updateTable('registry_blocks').set({ blocked_until: null, openings: 0 }).execute();
  await bumpRevision(tx, 'block');
  return block;
}

type Row = Selectable<Tables['registry_blocks']>;

async function readRow(db: Db): Promise<Row | undefined> {
  return db.selectFrom('registry_blocks').selectAll().executeTakeFirst();
}

/** The row, which is made if it is missing, and stays locked. */
async function lockRow(tx: Tx): Promise<Row> {
  await tx
    .insertInto('registry_blocks')
    .values({
      registry: 'vies',
      blocked_until: null,
      openings: 0,
      reason: '',
      asked_at: null,
      verdict: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return tx.selectFrom('registry_blocks').selectAll().forUpdate().executeTakeFirstOrThrow();
}

function toBlock(row: Row | undefined): Block | undefined {
  if (row === undefined || row.blocked_until === null) return undefined;
  const { openings, reason } = row;
  return { untilMs: Date.parse(row.blocked_until), openings, reason };
}

function toAsked(row: Row | undefined): Asked | undefined {
  if (row === undefined || row.asked_at === null) return undefined;
  const { verdict } = row;
  return { atMs: Date.parse(row.asked_at), ...(verdict === null ? {} : { verdict }) };
}

/** What is stored, and whether that has opened or closed the block for all processes. */
type Stored = { readonly block: Block | undefined; readonly hasChanged: boolean };

/** Stores a change, once. */
async function storeChange(tx: Tx, change: BlockChange): Promise<Stored> {
  // Without a mark a repetition would find the change done, and no process would write it to the log.
  await markCommit(tx);
  const { blocked_until: until } = await lockRow(tx);
  if (change.kind === 'closed') {
    // Another process may have opened it again meanwhile.
    if (until !== formatInstant(change.trialOf.untilMs)) {
      return { block: await readBlock(tx), hasChanged: false };
    }
    await tx.updateTable('registry_blocks').set({ blocked_until: null, openings: 0 }).execute();
    await bumpRevision(tx, 'block');
    return { block: undefined, hasChanged: true };
  }
  const { untilMs, openings, reason } = change.block;
  const blocked_until = formatInstant(untilMs);
  // Of two processes that open it at the same time, the longer time holds.
  if (until === null || until < blocked_until) {
    await tx.updateTable('registry_blocks').set({ blocked_until, openings, reason }).execute();
    await bumpRevision(tx, 'block');
  }
  return { block: await readBlock(tx), hasChanged: until === null };
}
