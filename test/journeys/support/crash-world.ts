import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { JobName } from '../../../src/platform/schedule/run-log.ts';
import { startService } from '../../support/start-service.ts';
import { type Aftermath, inspect } from './crash-aftermath.ts';
import { fxMoment, liveDay } from './days.ts';
import type { JobTask } from './job-child.ts';
import { type JobEnd, JobProcess } from './job-process.ts';

const yesterday = '2025-07-31';
/** The day on which Romania moves three rates. */
const today = '2025-08-01';

/** How a process is to be killed: by itself, or from outside a while after its run began. */
export type Kill = Pick<JobTask, 'killBeforeStatement' | 'killAtChannel' | 'splitTransaction'> & {
  readonly afterMs?: number;
};

/** Yesterday's world, of which every kill gets a copy of its own. */
export class CrashWorld {
  readonly #task: Omit<JobTask, 'databaseUrl'>;
  readonly #template: string;
  readonly #folder: string;
  #copies = 0;
  // Loading takes longer than running: the next process loads while this one runs.
  #next = new JobProcess();

  /** Lives yesterday to its end, and makes it today, after both publications. */
  static async prepare(job: JobName): Promise<CrashWorld> {
    const service = await startService({ at: `${yesterday}T05:00:00Z`, fxFrom: '2025-07-01' });
    await liveDay(service, yesterday);
    service.scenario.setNow(fxMoment(today));
    await service.stop();
    const { databaseUrl, tedbUrl, ecbUrl } = service.config;
    const task = { tedbUrl, ecbUrl, now: fxMoment(today), job };
    return new CrashWorld(task, databaseUrl.slice('file:'.length));
  }

  private constructor(task: Omit<JobTask, 'databaseUrl'>, template: string) {
    this.#task = task;
    this.#template = template;
    this.#folder = mkdtempSync(join(tmpdir(), 'vatfx-crash-'));
    onTestFinished(() => rmSync(this.#folder, { recursive: true, force: true }));
  }

  /** A run that nobody kills: how long it takes, and its statements. */
  async runWhole(): Promise<Extract<JobEnd, { kind: 'ended' }>> {
    const end = await this.#run(this.#copyTask(), {});
    if (end.kind !== 'ended') throw new Error(`ended by ${end.signal}`);
    return end;
  }

  /** Kills a run, and looks at what is left and at what the next run makes of it. */
  async kill(kill: Kill): Promise<Aftermath> {
    const task = this.#copyTask();
    const end = await this.#run(task, kill);
    return inspect({ task, isKilled: end.kind === 'killed', yesterday, today });
  }

  async #run(task: JobTask, { afterMs, ...kill }: Kill): Promise<JobEnd> {
    const process = this.#next;
    this.#next = new JobProcess();
    await process.start({ ...task, ...kill });
    if (afterMs !== undefined) {
      await wait(afterMs);
      process.kill();
    }
    return process.ended();
  }

  #copyTask(): JobTask {
    this.#copies += 1;
    const file = join(this.#folder, `${this.#copies}.db`);
    copyFileSync(this.#template, file);
    return { ...this.#task, databaseUrl: `file:${file}` };
  }
}
