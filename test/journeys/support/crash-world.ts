import { setTimeout as wait } from 'node:timers/promises';
import type { BasicKind } from '../../../src/platform/publication/data-set-kinds.ts';
import { startService } from '../../support/start-service.ts';
import { temporaryDatabaseUrl } from '../../support/temporary-database.ts';
import { type Aftermath, inspect } from './crash-aftermath.ts';
import { type CrashStore, openCrashStore } from './crash-store.ts';
import { fxMoment, liveDay } from './days.ts';
import type { JobTask } from './job-child.ts';
import { type JobEnd, JobProcess } from './job-process.ts';
import type { StatementPlan } from './statement-watch.ts';
import { setNow } from '../../support/sandbox/scripts.ts';

const yesterday = '2025-07-31';
/** The day on which Romania changes three rates. */
const today = '2025-08-01';

/** The way in which a process is killed: by itself, or from outside some time after its run began. */
export type Kill = StatementPlan &
  Pick<JobTask, 'killAtChannel'> & {
    /** A description for the message of a failure. */
    readonly moment: string;
    readonly afterMs?: number;
  };

export type Trial = Aftermath & { readonly moment: string };

/** The state of yesterday; each kill gets its own copy. */
export class CrashWorld {
  readonly #task: Omit<JobTask, 'databaseUrl'>;
  readonly #store: CrashStore;
  // Loading takes longer than a run, so the next processes load while others run.
  readonly #loading: JobProcess[] = [];

  /** Runs the jobs of yesterday, and sets the time to today after both publications. */
  static async prepare(job: BasicKind): Promise<CrashWorld> {
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
    const task = { tedbUrl, ecbUrl, now: fxMoment(today), job };
    return new CrashWorld(task, openCrashStore(databaseUrl));
  }

  private constructor(task: Omit<JobTask, 'databaseUrl'>, store: CrashStore) {
    this.#task = task;
    this.#store = store;
  }

  /** Makes a run without a kill; returns its duration and its statements. */
  async runWhole(): Promise<Extract<JobEnd, { kind: 'ended' }>> {
    const task = { ...this.#task, databaseUrl: await this.#store.copy() };
    const end = await this.#run(task, { moment: 'never' });
    if (end.kind !== 'ended') throw new Error(`ended by ${end.signal}`);
    return end;
  }

  /** Kills a run, and returns the state after it and after the next run. */
  async kill(kill: Kill): Promise<Trial> {
    const task = { ...this.#task, databaseUrl: await this.#store.copy() };
    const end = await this.#run(task, kill);
    const integrity = await this.#store.settle(task.databaseUrl);
    const isKilled = end.kind === 'killed';
    const aftermath = await inspect({ task, isKilled, integrity, yesterday, today });
    await this.#store.remove(task.databaseUrl);
    return { moment: kill.moment, ...aftermath };
  }

  async #run(task: JobTask, { afterMs, ...kill }: Kill): Promise<JobEnd> {
    const process = this.#loading.shift() ?? new JobProcess();
    this.#loading.push(new JobProcess());
    await process.start({ ...task, ...kill });
    if (afterMs !== undefined) {
      await wait(afterMs);
      process.kill();
    }
    return process.ended();
  }
}
