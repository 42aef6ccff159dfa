import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { brokenEnvironment } from '../../support/broken-environment.ts';
import { startService } from '../../support/start-service.ts';
import { temporaryDatabaseUrl, temporaryFolder } from '../../support/temporary-database.ts';
import { countRows, digestState, halfWritten, type RowsDue } from './database-state.ts';
import { fxMoment, liveDay } from './days.ts';
import type { DiskCall, FaultyDisk } from './faulty-disk.ts';
import type { Acknowledged, RecordingTask } from './power-loss-child.ts';
import { changeRate, setNow } from '../../support/sandbox/scripts.ts';

const script = fileURLToPath(new URL('./power-loss-child.ts', import.meta.url));
const yesterday = '2025-07-31';
const lastDay = '2025-08-14';

/** The differences of the recorded process from the normal product. */
type Recorded = {
  readonly build?: 'synchronous=NORMAL' | undefined;
  /** Records flushes. */
  readonly disk?: FaultyDisk | undefined;
};

/** An acknowledged commit. */
type Commit = Omit<Acknowledged, 'traceBytes'> & {
  /** Bytes of the log that were flushed by then, which a power loss cannot destroy. */
  readonly flushedBytes: number;
};

/** The state after a power loss. */
export type Survival = {
  /** True if the database is in the state of the last acknowledged commit in the kept part of the log. */
  readonly isAsAcknowledged: boolean;
  readonly halfWritten: readonly string[];
  readonly integrity: string;
  /** The pragma `synchronous` of the connection with which the product opened it. */
  readonly synchronous: unknown;
};

/** Two weeks of a process that was killed before it wrote its log back. */
export class PowerLoss {
  /** The write-ahead log, as the process left it. */
  readonly wal: Buffer;
  /** The acknowledged commits, the oldest first. */
  readonly commits: readonly Commit[];
  /** The database without its log, and so without the two weeks. */
  readonly #base: Buffer;
  readonly #baseState: string;
  readonly #due: RowsDue;

  static async record({ build, disk }: Recorded = {}): Promise<PowerLoss> {
    const databaseUrl = temporaryDatabaseUrl();
    const service = await startService({
      at: `${yesterday}T05:00:00Z`,
      fxFrom: '2025-07-01',
      config: { databaseUrl },
    });
    await liveDay(service, yesterday);
    changeRate(service.scenario, 'FR', 'standard', ['21'], '2025-08-03');
    changeRate(service.scenario, 'DE', 'reduced', ['8'], '2025-08-05');
    setNow(service.scenario, fxMoment(lastDay));
    await service.stop();
    const file = join(disk?.folder ?? temporaryFolder(), 'vatfx.db');
    copyFileSync(databaseUrl.slice('file:'.length), file);
    const base = readFileSync(file);
    const { tedbUrl, ecbUrl } = service.config;
    const acknowledged = await runAndKill(
      {
        file,
        tedbUrl,
        ecbUrl,
        now: fxMoment(lastDay),
        trace: disk?.trace,
      },
      { build, disk },
    );
    if (!readFileSync(file).equals(base)) {
      throw new Error('the log was written back, so what is in it alone is not known');
    }
    const commits = acknowledged.map(({ traceBytes, ...commit }) => ({
      ...commit,
      flushedBytes: countFlushed(disk?.calls(traceBytes) ?? []),
    }));
    return new PowerLoss({ base, wal: readFileSync(`${file}-wal`), commits });
  }

  private constructor(of: Pick<PowerLoss, 'wal' | 'commits'> & { readonly base: Buffer }) {
    this.#base = of.base;
    this.wal = of.wal;
    this.commits = of.commits;
    this.#baseState = this.#look(Buffer.alloc(0), digestState);
    this.#due = this.#look(of.wal, countRows);
  }

  /**
   * Opens the database again like the product, with the rest of its log. `keptBytes` of the log are undamaged, so all
   * commits acknowledged in them must be there, and no others.
   */
  async reopen(wal: Buffer, keptBytes: number): Promise<Survival> {
    const last = this.commits.findLast(({ walBytes }) => walBytes <= keptBytes);
    return this.#reopen(wal, last?.state ?? this.#baseState);
  }

  /** Opens the database in the state of a power loss just after a commit was acknowledged. */
  async loseAfter(commit: Commit): Promise<Survival> {
    return this.#reopen(this.wal.subarray(0, commit.flushedBytes), commit.state);
  }

  async #reopen(wal: Buffer, state: string): Promise<Survival> {
    using folder = this.#write(wal);
    const db = await openDatabase(`file:${folder.file}`);
    try {
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
      using database = new DatabaseSync(folder.file);
      const checked = database.prepare('pragma integrity_check').get();
      return {
        isAsAcknowledged: digestState(database) === state,
        halfWritten: halfWritten(database, this.#due),
        integrity: String(checked?.['integrity_check']),
        synchronous: rows[0]?.synchronous,
      };
    } catch (error) {
      return { isAsAcknowledged: false, halfWritten: [], integrity: String(error), synchronous: 0 };
    } finally {
      await db.destroy();
    }
  }

  #look<T>(wal: Buffer, read: (database: DatabaseSync) => T): T {
    using folder = this.#write(wal);
    using database = new DatabaseSync(folder.file);
    return read(database);
  }

  /** The database with a log, until it is disposed. */
  #write(wal: Buffer): { readonly file: string } & Disposable {
    const folder = mkdtempSync(join(tmpdir(), 'vatfx-power-'));
    const file = join(folder, 'vatfx.db');
    writeFileSync(file, this.#base);
    writeFileSync(`${file}-wal`, wal);
    return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
  }
}

function countFlushed(calls: readonly DiskCall[]): number {
  const ofLog = calls.filter(({ file }) => file.endsWith('-wal'));
  const flushed = ofLog.slice(0, ofLog.findLastIndex(({ call }) => call === 'flush') + 1);
  return Math.max(0, ...flushed.map(({ offset, bytes }) => offset + bytes));
}

/** Lets a process run the jobs of two weeks, and kills it. */
async function runAndKill(
  task: RecordingTask,
  { build, disk }: Recorded,
): Promise<readonly Acknowledged[]> {
  disk?.arm(undefined);
  const child = fork(script, {
    env: {
      PATH: process.env['PATH'],
      ...disk?.env,
      ...(build !== undefined && brokenEnvironment(build)),
    },
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  child.send(task);
  const [acknowledged] = await Promise.race([
    once(child, 'message'),
    closed.then(() => {
      throw new Error('the process ended before it had lived its days');
    }),
  ]);
  child.kill('SIGKILL');
  await closed;
  return acknowledged as readonly Acknowledged[];
}
