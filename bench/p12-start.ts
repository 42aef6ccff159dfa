import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  allDays,
  insertKeys,
  insertPastRates,
  insertRuns,
  openUntilScopeEnds,
} from './database-contents.ts';
import { type Engine, engineSqlite, fillDatabase, startEngines } from './engines.ts';
import { goals } from './goals.ts';
import { readMemoryMb, type Result, startProgram, temporaryFolder } from './measure.ts';
import { type Form, makeForms, measureForms, measurePackage } from './p12-forms.ts';

/** The contents of a full database, for which the goals are set. */
const shares = [0, 0.1, 1];
const full = { days: allDays, keys: 100_000, runs: 5_000 };

/**
 * P12: the time of a start, and the memory of an idle process, of the bundle; on the full SQLite, with a command, of the
 * bundle and the executable in comparison with the sources; and the size of the package.
 *
 * The time counts from the start of the process `serve` to the line that says that it listens. Each database has 27
 * years of exchange rates, and none, a tenth or all of 27 years of rate snapshots, 100,000 keys and 5,000 runs. The
 * full one is measured on PostgreSQL too.
 */
export async function measureStart(rounds: number): Promise<Result[]> {
  using folder = temporaryFolder();
  await using engines = await startEngines(folder.path);
  await fillDatabase(engines.sqlite);
  await fillDatabase(engines.postgresql);
  const subjects = [
    ...shares.map((share) => ({ share, engine: engineSqlite(join(folder.path, `${share}`)) })),
    { share: 1, engine: engines.postgresql },
  ].map((subject) => ({ ...subject, toListening: [] as number[], idle: [] as number[] }));
  for (const { share, engine } of subjects) {
    const file = engine.settings['DATABASE_URL'] ?? '';
    if (engine.name === 'SQLite') copyDatabase(engines.sqlite, file);
    await add(file, share);
  }

  const forms = await makeForms(folder.path);
  for (let round = 0; round < rounds; round += 1) {
    for (const { engine, toListening, idle } of subjects) {
      const { listeningMs, idleMb } = await startOnce(engine, forms.bundle);
      toListening.push(listeningMs);
      idle.push(idleMb);
    }
  }
  const [empty, , fullSqlite] = subjects.map(({ engine }) => engine);
  if (empty === undefined || fullSqlite === undefined) throw new Error('no databases');
  const start = async (form: Form) => startOnce(fullSqlite, form);
  const compared = await measureForms(rounds, forms, { start, empty });
  const started = subjects.flatMap(({ share, engine, toListening, idle }) => {
    const title = `P12 ${engine.name}, ${share === 1 ? 'full' : `${100 * share} % full`}`;
    const goal = share === 1 ? goals.P12 : { start: '—', memory: '—' };
    return [
      { name: `${title}, start to listening`, rounds: toListening, unit: 'ms', goal: goal.start },
      { name: `${title}, idle memory`, rounds: idle, unit: 'MB', goal: goal.memory },
    ];
  });
  return [...started, ...compared, measurePackage()];
}

function copyDatabase({ settings }: Engine, url: string): void {
  const [from = '', to = ''] = [settings['DATABASE_URL'] ?? '', url].map((of) =>
    of.slice('file:'.length),
  );
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

async function add(url: string, share: number): Promise<void> {
  if (share === 0) return;
  await using database = await openUntilScopeEnds(url);
  await insertPastRates(database.db, full.days * share);
  await insertKeys(database.db, full.keys * share);
  await insertRuns(database.db, full.runs * share);
}

async function startOnce(
  { settings }: Engine,
  { program, args }: Form,
): Promise<{ listeningMs: number; idleMb: number }> {
  // No job is due, and the address of each upstream is unused.
  const nowhere = { TEDB_URL: 'http://127.0.0.1:9/', ECB_URL: 'http://127.0.0.1:9/' };
  const environment = { ...settings, ...nowhere, PORT: '0', OPS_PORT: '0' };
  const startedMs = performance.now();
  await using serve = await startProgram([...args, 'serve'], environment, /listening/, program);
  const listeningMs = performance.now() - startedMs;
  // The process needs this time to collect the garbage of its start. Only the lasting memory counts.
  await sleep(2_000);
  return { listeningMs, idleMb: readMemoryMb(serve) };
}
