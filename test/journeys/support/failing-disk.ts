import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { dataSetKinds } from '../../../src/platform/publication/data-set-kinds.ts';
import type { RunReport } from '../../../src/platform/schedule/run-log.ts';
import { snapshotPaths } from '../../support/snapshot-paths.ts';
import { startService } from '../../support/start-service.ts';
import { temporaryDatabaseUrl, temporaryFolder } from '../../support/temporary-database.ts';
import { countRows, halfWritten, type RowsDue } from './database-state.ts';
import { fxMoment, liveDay } from './days.ts';
import type { DiskReport, DiskTask } from './failing-disk-child.ts';
import { type DiskFault, FaultyDisk, planOf, printFault } from './faulty-disk.ts';
import { setNow } from '../../support/sandbox/scripts.ts';

const script = fileURLToPath(new URL('./failing-disk-child.ts', import.meta.url));
const yesterday = '2025-07-31';
/** The day on which Romania changes three rates. */
const today = '2025-08-01';
const paths: readonly string[] = [
  ...snapshotPaths,
  '/changes?limit=7',
  ...snapshotPaths.map((path) => `${path}/${yesterday}`),
];

type Upstreams = Pick<DiskTask, 'tedbUrl' | 'ecbUrl' | 'now' | 'key'>;
/** The differences of the service from the normal product. */
type Difference = Partial<Pick<DiskTask, 'checkpointPages'>>;

/** The consequences of a failure of the disk. */
export type DiskTrial = {
  readonly fault: string;
  /** True if the planned call was made. */
  readonly isHit: boolean;
  /** True if a run failed or could not begin. */
  readonly isFailed: boolean;
  /** True if all jobs still published, as callers see it. */
  readonly isPublished: boolean;
  /** Broken promises; empty if there are none. */
  readonly wrong: readonly string[];
};

/** The state of yesterday on two disks that fail while the jobs of today run, each time on a new copy. */
export class FailingDisks {
  readonly #template: string;
  readonly #task: Upstreams & Required<Difference>;
  readonly #idle: Lane[];
  #due: RowsDue = {};
  #copies = 0;

  static async prepare(difference: Difference = {}): Promise<FailingDisks> {
    const databaseUrl = temporaryDatabaseUrl();
    const service = await startService({
      at: `${yesterday}T05:00:00Z`,
      fxFrom: '2025-07-01',
      config: { databaseUrl },
    });
    await liveDay(service, yesterday);
    setNow(service.scenario, fxMoment(today));
    await service.stop();
    const { tedbUrl, ecbUrl } = service.config;
    return new FailingDisks(databaseUrl.slice('file:'.length), {
      tedbUrl,
      ecbUrl,
      now: fxMoment(today),
      key: service.key,
      checkpointPages: undefined,
      ...difference,
    });
  }

  private constructor(template: string, task: Upstreams & Required<Difference>) {
    this.#template = template;
    this.#task = task;
    this.#idle = [new Lane(), new Lane()];
  }

  /** Counts the calls of all jobs to the disk without a failure. */
  async countCalls(): Promise<number> {
    return this.#with(async (lane, file) => {
      const report = await lane.run(this.#taskFor(file, lane), undefined);
      const count = lane.disk.calls().length;
      const published = report.runsDuring.filter(({ outcome }) => outcome === 'published');
      if (published.length < dataSetKinds.length) throw new Error('not all jobs published');
      this.#due = look(file, countRows);
      return count;
    });
  }

  /** Runs all jobs on a disk that fails, then again when it works. */
  async try(fault: DiskFault): Promise<DiskTrial> {
    return this.#with(async (lane, file) => {
      const task = this.#taskFor(file, lane);
      const report = await lane.run(task, fault);
      const isHit = lane.disk.calls().length >= fault.k;
      const isPublished = snapshotPaths.every((path) => isOfToday(report, path));
      const isFailed = report.failure !== undefined || listFailed(report).length > 0;
      const wrong = [
        ...(isHit && !isPublished && !isFailed ? ['not published, and no report of it'] : []),
        ...judgeReads(report),
        ...judgeRuns(report),
        ...judgeFile('the file', file, this.#due),
        ...judgeFile('what was on the disk', task.image, this.#due),
      ];
      // A caller may rely on data that it was answered.
      if (isOfToday(report, '/rates') && look(task.image, countRows)[today] === undefined) {
        wrong.push('answered, and lost');
      }
      return { fault: printFault(fault), isHit, isFailed, isPublished, wrong };
    });
  }

  async #with<T>(work: (lane: Lane, file: string) => Promise<T>): Promise<T> {
    const lane = this.#idle.pop() ?? new Lane();
    this.#copies += 1;
    const file = join(lane.disk.folder, `${this.#copies}.db`);
    copyFileSync(this.#template, file);
    const result = await work(lane, file);
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
    this.#idle.push(lane);
    return result;
  }

  #taskFor(file: string, { disk, images }: Lane): Omit<DiskTask, 'plan'> {
    const image = join(images, `${this.#copies}.db`);
    return { ...this.#task, file, image, planFile: disk.planFile, paths };
  }
}

/** A disk, and the process that has its database on it. */
class Lane {
  readonly disk = FaultyDisk.make();
  /** A folder on another disk. */
  readonly images = temporaryFolder();
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;

  constructor() {
    this.#child = fork(script, {
      env: { PATH: process.env['PATH'], ...this.disk.env },
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#closed = once(this.#child, 'close');
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await this.#closed;
      this.disk.remove();
    });
  }

  async run(task: Omit<DiskTask, 'plan'>, fault: DiskFault | undefined): Promise<DiskReport> {
    this.disk.forget();
    this.#child.send({ ...task, plan: planOf(fault) });
    const [report] = await Promise.race([
      once(this.#child, 'message'),
      this.#closed.then(() => {
        throw new Error(`the process ended: ${fault === undefined ? '' : printFault(fault)}`);
      }),
    ]);
    return report as DiskReport;
  }
}

function judgeReads({ before, during, after }: DiskReport): string[] {
  const wrong = paths.flatMap((path, at) => {
    const [status, body] = during[at] ?? [0, ''];
    const isKnown = [before[at]?.[1], after[at]?.[1]].includes(body);
    if (status !== 200) return [`${path} answered ${status} meanwhile`];
    return isKnown ? [] : [`${path} answered neither yesterday nor today`];
  });
  const isInTheEnd = after[paths.indexOf('/rates')]?.[1].includes(`"version":"${today}"`) === true;
  return isInTheEnd ? wrong : [...wrong, 'today is not answered in the end'];
}

/** True if the answer of the path while the disk failed was the same as at the end. */
function isOfToday({ during, after }: DiskReport, path: string): boolean {
  const at = paths.indexOf(path);
  return during[at]?.[1] === after[at]?.[1];
}

function listFailed({ runsDuring }: DiskReport): RunReport[] {
  return runsDuring.filter(({ outcome }) => outcome === 'failed' || outcome === null);
}

function judgeRuns(report: DiskReport): string[] {
  const { failureAfter, runs, facts } = report;
  const wrong: string[] = [];
  if (failureAfter !== undefined) wrong.push(`the next time: ${failureAfter}`);
  const ofToday = runs.filter(({ startedAt }) => startedAt >= today);
  for (const job of dataSetKinds) {
    const published = ofToday.filter((run) => run.job === job && run.outcome === 'published');
    if (published.length !== 1) wrong.push(`${published.length} runs published ${job}`);
  }
  const open = ofToday.filter(({ outcome }) => outcome === null).length;
  if (open > 0) wrong.push(`${open} runs are left open`);
  const forgotten = listFailed(report).filter(
    ({ id }) => runs.find((run) => run.id === id)?.outcome !== 'failed',
  );
  if (forgotten.length > 0) wrong.push(`${forgotten.length} failed runs are not recorded`);
  const detected = new Set(facts.changes.map(({ detectedAt }) => detectedAt));
  if (facts.changes.length !== 3 || detected.size !== 1 || facts.events.join() !== today) {
    const { changes, events } = facts;
    wrong.push(`${changes.length} rows, ${detected.size} detectedAt, ${events.length} events`);
  }
  if (facts.fxDates.at(-1) !== today) wrong.push('no exchange rates of today');
  return wrong;
}

function judgeFile(what: string, file: string, due: RowsDue): string[] {
  try {
    return look(file, (database) => {
      const integrity = String(
        database.prepare('pragma integrity_check').get()?.['integrity_check'],
      );
      const half = halfWritten(database, due);
      return [
        ...(integrity === 'ok' ? [] : [`${what} is corrupt: ${integrity}`]),
        ...(half.length === 0 ? [] : [`${what} has half of ${half.join(', ')}`]),
      ];
    });
  } catch (error) {
    return [`${what} is corrupt: ${String(error)}`];
  }
}

function look<T>(file: string, read: (database: DatabaseSync) => T): T {
  using database = new DatabaseSync(file);
  return read(database);
}
