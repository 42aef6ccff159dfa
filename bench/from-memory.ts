import { join } from 'node:path';
import {
  insertChanges,
  insertPastRates,
  listFxDates,
  openUntilScopeEnds,
} from './database-contents.ts';
import { type Engine, fillDatabase, startApi } from './engines.ts';
import { requestOnce, serverCore } from './load.ts';
import { createKey } from './p3-cached-check.ts';

/** A running service with answers in memory, for P1, P2 and P4. */
export type Subject = {
  readonly key: string;
  /** The URL of a process with its access log off, and of one that writes it to `logFile`. */
  readonly quietUrl: string;
  readonly loggingUrl: string;
  readonly logFile: string;
  /** The measured answers: name in the results, path, and body. */
  readonly targets: readonly {
    readonly name: string;
    readonly path: string;
    readonly body: string;
    readonly headers: Headers;
  }[];
};

/** Fills a database with the measured answers: two latest and two dated bodies, and a page of changes. */
export async function prepareSubject(
  folder: string,
  engine: Engine,
): Promise<Subject & AsyncDisposable> {
  await fillDatabase(engine);
  const dates = await addContents(engine);
  const key = createKey(engine.settings);
  const logFile = join(folder, 'access.log');
  await using running = new AsyncDisposableStack();
  const start = async (level: 'info' | 'warn') =>
    running.use(await startApi(engine, { core: serverCore, logFile, level }));
  const [quiet, logging] = [await start('warn'), await start('info')];

  const paths = [
    { name: '/rates', path: '/rates' },
    { name: '/fx', path: '/fx' },
    { name: 'dated rates', path: `/rates/${dates.rates}` },
    { name: 'dated fx', path: `/fx/${dates.fx}` },
    { name: '/changes', path: '/changes' },
  ];
  const targets: Subject['targets'][number][] = [];
  for (const { name, path } of paths) {
    const answer = await requestOnce(quiet.apiUrl + path, { authorization: `Bearer ${key}` }, 200);
    targets.push({ name, path, ...answer });
  }
  const [quietUrl, loggingUrl] = [quiet.apiUrl, logging.apiUrl];
  const moved = running.move();
  return {
    key,
    quietUrl,
    loggingUrl,
    logFile,
    targets,
    [Symbol.asyncDispose]: async () => moved.disposeAsync(),
  };
}

async function addContents({ settings }: Engine): Promise<{ rates: string; fx: string }> {
  await using database = await openUntilScopeEnds(settings['DATABASE_URL'] ?? '');
  const [rates = ''] = await insertPastRates(database.db, 30);
  await insertChanges(database.db, 200);
  const [fx = ''] = (await listFxDates(database.db)).slice(100);
  return { rates, fx };
}
