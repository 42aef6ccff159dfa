import { copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { sql } from 'kysely';
import { pino } from 'pino';
import { readConfig } from '../../../src/platform/config/config.ts';
import type { RunReport } from '../../../src/platform/schedule/run-log.ts';
import { type Server, startServer } from '../../../src/composition/server.ts';
import { sendRequest } from '../../support/send-request.ts';
import { readFacts, type StoredFacts } from './stored-facts.ts';

/**
 * A process with the service on a disk that fails while all jobs run. It does one task after another; for each it
 * reports the state while the disk failed, and the state after it worked again.
 */
export type DiskTask = {
  readonly file: string;
  /** The folder for a copy of the file and its log, made while the disk still fails. */
  readonly image: string;
  readonly tedbUrl: string;
  readonly ecbUrl: string;
  /** The moment when the jobs run; they run again an hour later. */
  readonly now: string;
  readonly key: string;
  /** The paths that are requested before, during and after the failure. */
  readonly paths: readonly string[];
  /** The file that makes the disk fail, and its content. */
  readonly planFile: string;
  readonly plan: string;
  /** Count of pages after which the log is written back to the database; undefined for the default. */
  readonly checkpointPages: number | undefined;
};

/** Status and body. */
export type Read = readonly [status: number, body: string];

export type DiskReport = {
  readonly before: readonly Read[];
  readonly during: readonly Read[];
  readonly after: readonly Read[];
  /** The log lines of the jobs while the disk failed; undefined if there are none. */
  readonly failure: string | undefined;
  readonly runsDuring: readonly RunReport[];
  /** The log lines of the second time, when the disk worked. */
  readonly failureAfter: string | undefined;
  readonly runs: readonly RunReport[];
  readonly facts: StoredFacts;
};

process.on('message', (task) => {
  void runTask(task as DiskTask).then((report) => process.send?.(report));
});

async function runTask(task: DiskTask): Promise<DiskReport> {
  const { file, tedbUrl, ecbUrl } = task;
  const databaseUrl = `file:${file}`;
  let nowMs = Date.parse(task.now);
  const service = await startServer({
    config: {
      ...readConfig({ DATABASE_URL: databaseUrl }, '').config,
      tedbUrl,
      ecbUrl,
      port: 0,
      opsPort: 0,
    },
    log: pino({ level: 'silent' }),
    clock: { now: () => nowMs },
    retry: { attempts: 1, firstDelayMs: 1 },
  });
  if (task.checkpointPages !== undefined) {
    const pages = sql.lit(task.checkpointPages);
    await sql`pragma wal_autocheckpoint = ${pages}`.execute(service.core.db);
  }
  const read = async (): Promise<Read[]> => readAll(service, task);
  const before = await read();

  writeFileSync(task.planFile, task.plan);
  const failure = await tick(service);
  const during = await read();
  const runsDuring = await service.core.runs.list(10);
  copyImage(task);
  rmSync(task.planFile);

  // Ends a lease that could not be freed, as if its duration had passed.
  await service.core.db.updateTable('leases').set({ expires_at: '' }).execute();
  nowMs += 3_600_000;
  const failureAfter = await tick(service);
  const after = await read();
  const [runs, facts] = [await service.core.runs.list(20), await readFacts(service.core.db)];
  await service.stop();
  return { before, during, after, failure, runsDuring, failureAfter, runs, facts };
}

async function tick(service: Server): Promise<string | undefined> {
  try {
    await service.tick();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

async function readAll({ apiUrl }: Server, { paths, key }: DiskTask): Promise<Read[]> {
  const agent = new Agent({ keepAlive: true });
  const reads: Read[] = [];
  for (const path of paths) {
    const question = { path, headers: { authorization: `Bearer ${key}` } };
    const { status, text } = await sendRequest(apiUrl, question, agent);
    reads.push([status, text]);
  }
  // A stop of the service would wait for idle connections.
  agent.destroy();
  return reads;
}

/** The state that would be left if the process ended now. */
function copyImage({ file, image }: DiskTask): void {
  for (const end of ['', '-wal']) {
    if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${image}${end}`);
  }
}
