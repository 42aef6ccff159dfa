import { pino } from 'pino';
import { createCore, type Core } from '../../../src/composition/core.ts';
import { dataSets } from '../../../src/composition/data-sets.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import type { BasicKind } from '../../../src/platform/publication/data-set-kinds.ts';
import type { Db } from '../../../src/platform/database/database.ts';
import { isoDate } from '../../../src/platform/time/time.ts';
import type { JobTask } from './job-child.ts';
import { readFacts, type StoredFacts } from './stored-facts.ts';

/** The state after a kill and after the next run. */
export type Aftermath = {
  /** False if the run had ended before the kill. */
  readonly isKilled: boolean;
  readonly left: 'yesterday' | 'today' | 'in between';
  /** Rows, events and publications that are missing after the next run. */
  readonly lost: number;
  /** Rows, events and publications that exist more than once. */
  readonly doubled: number;
  /** Other errors: of integrity, open runs, several instants of detection. */
  readonly wrong: readonly string[];
};

type Dates = { readonly yesterday: string; readonly today: string };

/** Facts, with the dates that the job has published, of yesterday and today. */
type State = StoredFacts & { readonly published: readonly string[] };

export async function inspect(
  killed: Dates & {
    readonly task: JobTask;
    readonly isKilled: boolean;
    /** The result of the engine's integrity check; `ok` if there is no damage. */
    readonly integrity: string;
  },
): Promise<Aftermath> {
  const { task, isKilled, integrity } = killed;
  const { databaseUrl, tedbUrl, ecbUrl } = task;
  // An hour later, which is longer than a lease lasts.
  const nowMs = Date.parse(task.now) + 3_600_000;
  const core = await createCore({
    config: { ...readConfig({ DATABASE_URL: databaseUrl }, '').config, tedbUrl, ecbUrl },
    log: pino({ level: 'silent' }),
    clock: { now: () => nowMs },
  });
  try {
    const left = classify(await readState(core.db, task.job, killed), killed);
    const wrong = integrity === 'ok' ? [] : [`integrity_check: ${integrity}`];
    wrong.push(...(await runAgain(core, task.job)));
    const state = await readState(core.db, task.job, killed);
    const there = thingsOf(state, task.job);
    const due = thingsDue(killed, task.job);
    const detected = new Set(state.changes.map(({ detectedAt }) => detectedAt));
    if (detected.size > 1) wrong.push(`${detected.size} instants of detection`);
    return {
      isKilled,
      left,
      wrong,
      lost: due.filter((thing) => !there.includes(thing)).length,
      doubled: there.length - new Set(there).size,
    };
  } finally {
    await core.stop();
  }
}

async function runAgain(core: Core, job: BasicKind): Promise<string[]> {
  const reports = await core.jobs[job].refresh(0);
  const wrong = (reports ?? [undefined])
    .filter((report) => !['published', 'unchanged'].includes(report?.outcome ?? ''))
    .map((report) => `the next run ended as ${report?.outcome}`);
  const open = (await core.runs.list(10)).filter(({ outcome }) => outcome === null);
  return open.length === 0 ? wrong : [...wrong, 'a run is left open'];
}

async function readState(db: Db, job: BasicKind, { yesterday, today }: Dates): Promise<State> {
  const span = { from: isoDate(yesterday), to: isoDate(today) };
  return { ...(await readFacts(db)), published: await dataSets[job].snapshots.listDates(db, span) };
}

function classify(facts: State, { yesterday, today }: Dates): Aftermath['left'] {
  const ofToday = [
    facts.versions.includes(today),
    facts.changes.length === romania(today).length,
    facts.events.includes(today),
  ];
  const isUntouched = facts.changes.length === 0 && facts.events.length === 0;
  if (!facts.versions.includes(yesterday)) return 'in between';
  if (ofToday.every((is) => is)) return 'today';
  if (!facts.versions.includes(today) && isUntouched) {
    return facts.published.includes(today) ? 'today' : 'yesterday';
  }
  return 'in between';
}

/** Publications of the job, and, since only rates have them, change rows and events. */
function thingsOf({ published, changes, events }: State, job: BasicKind): string[] {
  if (job !== 'rates') return [...published];
  const rows = changes.map(({ row }) => row);
  return [...published, ...rows, ...events.map((date) => `event ${date}`)];
}

function thingsDue({ yesterday, today }: Dates, job: BasicKind): string[] {
  if (job !== 'rates') return [yesterday, today];
  return [yesterday, today, ...romania(today), `event ${today}`];
}

function romania(today: string): string[] {
  return [
    `${today} RO reduced[0] 5 → 11`,
    `${today} RO reduced[1] 9 → none`,
    `${today} RO standard 19 → 21`,
  ];
}
