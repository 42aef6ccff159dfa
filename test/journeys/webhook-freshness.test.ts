import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addDays, isoDate } from '../../src/platform/time/time.ts';
import { brokenEnvironment } from '../support/broken-environment.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { eventually } from '../support/eventually.ts';
import type { Environment } from './support/run-vatfx.ts';
import { get, type ServeProcess } from './support/serve-process.ts';
import { WebhookService, yesterday } from './support/webhook-service.ts';
import { WebhookWorld } from './support/webhook-world.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

/** The server runs the job, or another process does; 500 in full (reliability R19). */
const byServer = countOf({ full: 100, perCommit: 3 });
const byAnother = countOf({ full: 400, perCommit: 3 });
/** Worlds in parallel, because each mostly waits. */
const lanes = countOf({ full: 4, perCommit: 1 });
/** Events after which the servers are started again. */
const eventsPerLife = 10;
const engine = isPostgresql ? 'PostgreSQL' : 'SQLite';

/** Answers that a receiver found when a webhook arrived. */
type Found = {
  readonly date: string;
  readonly isThere: boolean;
  /** Whether `/changes/<date>` and `/changes` on each replica had the rows; for the message of a failure. */
  readonly answers: readonly boolean[];
};

/** Requests a path, and returns the text of the answer. */
type ReadText = (path: string) => Promise<string>;

type QueryingReceiver = { readonly url: string; readonly found: readonly Found[] };

describe('a webhook that arrives (contract C28, C31, reliability R19)', () => {
  it('finds its rows in the API, byte for byte, if the server runs the job', async () => {
    const found = (await Promise.all(lanesOf(byServer, liveByServer))).flat();

    reportRowsFound('by the server', found);
    expect(found).toHaveLength(byServer);
    expect(found.filter(({ isThere }) => !isThere)).toEqual([]);
  }, 300_000);

  it('finds them on every replica, also on one that does not deliver, if another process runs the job', async () => {
    const found = (await Promise.all(lanesOf(byAnother, liveByAnother))).flat();

    reportRowsFound('by another process', found);
    expect(found).toHaveLength(byAnother);
    expect(found.filter(({ isThere }) => !isThere)).toEqual([]);
  }, 600_000);

  // With PostgreSQL replicas are notified of a day before a webhook could arrive.
  it.skipIf(isPostgresql)(
    'finds old answers if a build does not wait for the other replicas',
    async () => {
      const broken = brokenEnvironment('replicas not waited for');

      const found = await liveByAnother(20, broken);

      reportRowsFound(
        'by another process, caught: a build that does not wait for the other replicas',
        found,
      );
      expect(found.some(({ isThere }) => !isThere)).toBe(true);
    },
  );
});

/** The same number of events for each lane. */
function lanesOf<T>(events: number, live: (events: number) => Promise<T>): Promise<T>[] {
  return Array.from({ length: lanes }, async () => live(events / lanes));
}

async function liveByServer(events: number): Promise<readonly Found[]> {
  const world = await WebhookService.start();
  const { service } = world;
  const receiver = await startQuerying([async (path) => (await service.get(path)).text]);
  await world.caller.post('', { url: receiver.url }, 201);

  let day = isoDate(yesterday);
  for (let n = 1; n <= events; n += 1) {
    day = addDays(day, 1);
    changeRate(service.scenario, 'SE', 'standard', [String(20 + (n % 2))], day);
    await world.publish(day);
    // It may arrive twice, if time moves past the claim of an attempt whose result is not written yet.
    await eventually(() => receiver.found.some(({ date }) => date === day));
  }
  return receiver.found;
}

/** Two servers that deliver and one that only answers; the receiver queries all of them for each event. */
async function liveByAnother(events: number, extra: Environment = {}): Promise<readonly Found[]> {
  const servers: ReadText[] = [];
  const receiver = await startQuerying(servers);
  const { port } = new URL(receiver.url);
  const world = await WebhookWorld.start([], { ...extra, WEBHOOK_ALLOW_PORTS: port });

  let running: readonly ServeProcess[] = [];
  for (let n = 1; n <= events; n += 1) {
    if (n % eventsPerLife === 1) {
      for (const { process } of running) process.signal('SIGTERM');
      for (const { process } of running) await process.ended();
      running = [await world.serve(), await world.serve(), await world.serve({ DELIVERY: 'off' })];
      const readerOf = ({ apiUrl }: ServeProcess): ReadText => {
        return async (path) => (await get(`${apiUrl}${path}`, world.key)).text;
      };
      servers.splice(0, servers.length, ...running.map(readerOf));
      const [first] = running;
      if (n === 1 && first) await world.caller(first).post('', { url: receiver.url }, 201);
    }
    // A random moment between two queries of the servers, which are half a second apart.
    await wait(Math.random() * 500);
    await world.publishNextDay();
    await eventually(() => receiver.found.length === n);
    // This event is enough to find a broken build.
    if (receiver.found.some(({ isThere }) => !isThere)) break;
  }
  return receiver.found;
}

/** A receiver that queries the servers for the rows of an event before it answers. */
async function startQuerying(servers: readonly ReadText[]): Promise<QueryingReceiver> {
  const found: Found[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { snapshotDate: date } = JSON.parse(body) as { readonly snapshotDate: string };
    // When an event arrives again, its day may no longer be the newest.
    if (found.some((one) => one.date === date)) return void response.writeHead(204).end();
    const rows = rowsOf(body);
    const queries = servers.flatMap((readText) => [
      readText(`/changes/${date}`).then((text) => rowsOf(text) === rows),
      // The list begins with the newest rows.
      readText('/changes').then((text) => rowsOf(text).startsWith(rows.slice(0, -1))),
    ]);
    const answers = await Promise.all(queries);
    found.push({ date, isThere: rows !== '[]' && answers.every((is) => is), answers });
    response.writeHead(204).end();
  };
  const url = await serveHttp((request, response) => void answer(request, response));
  return { url, found };
}

/** The text of the rows in a body of the API or of a webhook. */
function rowsOf(text: string): string {
  const at = text.indexOf('"changes":[') + '"changes":'.length;
  return text.slice(at, text.lastIndexOf(']') + 1);
}

function reportRowsFound(what: string, found: readonly Found[]): void {
  const there = found.filter(({ isThere }) => isThere);
  const answers = found.flatMap((one) => one.answers);
  const right = answers.filter((is) => is).length;
  reportFigure(
    'R19',
    `${there.length} of ${found.length} webhooks found their rows, published ${what}, on ${engine}: ` +
      `${right} of ${answers.length} answers of ${answers.length / found.length / 2} replica(s)`,
  );
}
