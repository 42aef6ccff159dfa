import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { createCore } from '../../../src/composition/core.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { dataSetKinds } from '../../../src/platform/publication/data-set-kinds.ts';
import { digestState } from './database-state.ts';
import { watchStatements } from './statement-watch.ts';

/**
 * A process that runs all jobs and reports each acknowledged commit, with the length of the write-ahead log and a
 * digest of the database after it. Then it waits to be killed.
 */
export type RecordingTask = {
  readonly file: string;
  readonly tedbUrl: string;
  readonly ecbUrl: string;
  readonly now: string;
  /** The file in which calls to the disk are recorded; undefined if they are not. */
  readonly trace: string | undefined;
};

/** An acknowledged commit. */
export type Acknowledged = {
  /** Bytes of the write-ahead log. */
  readonly walBytes: number;
  /** Bytes of the trace of calls to the disk. */
  readonly traceBytes: number;
  /** The digest of the database. */
  readonly state: string;
};

process.once('message', (task) => void record(task as RecordingTask));

async function record(task: RecordingTask): Promise<void> {
  const { file, tedbUrl, ecbUrl, trace } = task;
  const databaseUrl = `file:${file}`;
  const nowMs = Date.parse(task.now);
  const core = await createCore({
    onMade: () => {},
    config: { ...readConfig({ DATABASE_URL: databaseUrl }, '').config, tedbUrl, ecbUrl },
    log: pino({ level: 'silent' }),
    clock: { now: () => nowMs },
    retry: { attempts: 1, firstDelayMs: 1 },
  });
  const reader = new DatabaseSync(file, { readOnly: true });
  const acknowledged: Acknowledged[] = [];
  let isReading = false;
  let isInTransaction = false;
  const onExecuted = (sql: string): void => {
    if (isReading) return;
    if (sql.startsWith('begin')) isInTransaction = true;
    if (sql === 'commit') isInTransaction = false;
    const walBytes = sizeOf(`${file}-wal`);
    if (isInTransaction || walBytes === (acknowledged.at(-1)?.walBytes ?? 0)) return;
    const traceBytes = trace === undefined ? 0 : sizeOf(trace);
    isReading = true;
    acknowledged.push({ walBytes, traceBytes, state: digestState(reader) });
    isReading = false;
  };
  await watchStatements(databaseUrl, { onExecuted });

  for (const kind of dataSetKinds) await core.jobs[kind].refresh(0);
  process.send?.(acknowledged);
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0;
}
