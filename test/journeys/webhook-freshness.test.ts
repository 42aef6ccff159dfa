import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addDays, isoDate } from '../../src/platform/time.ts';
import { brokenEnvironment } from '../support/broken-environment.ts';
import { serveHttp } from '../support/loopback-server.ts';
import { countOf, tellFigure } from '../support/proof.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { eventually } from '../support/eventually.ts';
import type { Environment } from './support/run-vatfx.ts';
import { get, type ServeProcess } from './support/serve-process.ts';
import { WebhookService, yesterday } from './support/webhook-service.ts';
import { WebhookWorld } from './support/webhook-world.ts';

/** The server runs the job, or another process does; 500 in full (reliability R19). */
const byServer = countOf({ full: 100, perCommit: 16 });
const byAnother = countOf({ full: 400, perCommit: 16 });
/** Worlds in parallel, because each mostly waits. */
const lanes = countOf({ full: 4, perCommit: 2 });
/** Events after which the servers are started again. */
const eventsPerLife = 10;
const engine = isPostgresql ? 'PostgreSQL' : 'SQLite';

/** What a receiver found when it was told. */
type Found = {
  readonly date: string;
  readonly isThere: boolean;
  /** Of `/changes/<date>` and `/changes` on each replica, for the reader of a failure. */
  readonly answers: readonly boolean[];
};

/** Gives the text of an answer. */
type AskServer = (path: string) => Promise<string>;

type AskingReceiver = { readonly url: string; readonly found: readonly Found[] };

describe('a webhook that arrives (contract C28, C31, reliability R19)', () => {
  it('finds its rows in the API, byte for byte, when the server runs the job', async () => {
    const found = (await Promise.all(lanesOf(byServer, liveByServer))).flat();

    tell('by the server', found);
    expect(found).toHaveLength(byServer);
    expect(found.filter(({ isThere }) => !isThere)).toEqual([]);
  }, 300_000);

  it('finds them on every replica, one that only answers included, when another process runs the job', async () => {
    const found = (await Promise.all(lanesOf(byAnother, liveByAnother))).flat();

    tell('by another process', found);
    expect(found).toHaveLength(byAnother);
    expect(found.filter(({ isThere }) => !isThere)).toEqual([]);
  }, 600_000);

  // With PostgreSQL replicas hear of a day before anybody could be told.
  it.skipIf(isPostgresql)(
    'finds old answers when a build does not wait for the other replicas',
    async () => {
      const broken = brokenEnvironment('replicas not waited for');

      const found = await liveByAnother(20, broken);

      tell('by another process, caught: a build that does not wait for the other replicas', found);
      expect(found.some(({ isThere }) => !isThere)).toBe(true);
    },
    60_000,
  );
});

/** The same number of events for each lane. */
function lanesOf<T>(events: number, live: (events: number) => Promise<T>): Promise<T>[] {
  return Array.from({ length: lanes }, async () => live(events / lanes));
}

async function liveByServer(events: number): Promise<readonly Found[]> {
  const world = await WebhookService.start();
  const { service } = world;
  const receiver = await startAsking([async (path) => (await service.get(path)).text]);
  await world.caller.post('', { url: receiver.url }, 201);

  let day = isoDate(yesterday);
  for (let n = 1; n <= events; n += 1) {
    day = addDays(day, 1);
    service.scenario.changeRate('SE', 'standard', [String(20 + (n % 2))], day);
    await world.publish(day);
    // May come twice: here time leaps over the claim of an attempt whose end is not written yet.
    await eventually(() => receiver.found.some(({ date }) => date === day));
  }
  return receiver.found;
}

/** Two servers that deliver and one that only answers; each event is asked for on all of them. */
async function liveByAnother(events: number, extra: Environment = {}): Promise<readonly Found[]> {
  const servers: AskServer[] = [];
  const receiver = await startAsking(servers);
  const { port } = new URL(receiver.url);
  const world = await WebhookWorld.start([], { ...extra, WEBHOOK_ALLOW_PORTS: port });

  let running: readonly ServeProcess[] = [];
  for (let n = 1; n <= events; n += 1) {
    if (n % eventsPerLife === 1) {
      for (const { process } of running) process.signal('SIGTERM');
      for (const { process } of running) await process.ended();
      running = [await world.serve(), await world.serve(), await world.serve({ DELIVERY: 'off' })];
      const ask = ({ apiUrl }: ServeProcess): AskServer => {
        return async (path) => (await get(`${apiUrl}${path}`, world.key)).text;
      };
      servers.splice(0, servers.length, ...running.map(ask));
      const [first] = running;
      if (n === 1 && first) await world.caller(first).post('', { url: receiver.url }, 201);
    }
    // At any moment between two looks of the servers, which are half a second apart.
    await wait(Math.random() * 500);
    await world.publishNextDay();
    await eventually(() => receiver.found.length === n);
    // A broken build has shown itself.
    if (receiver.found.some(({ isThere }) => !isThere)) break;
  }
  return receiver.found;
}

/** A receiver that asks for what it is told of, at that very moment, before it answers. */
async function startAsking(servers: readonly AskServer[]): Promise<AskingReceiver> {
  const found: Found[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const told = Buffer.concat(await request.toArray()).toString();
    const { snapshotDate: date } = JSON.parse(told) as { readonly snapshotDate: string };
    // Told again, the day need not be the newest any more.
    if (found.some((one) => one.date === date)) return void response.writeHead(204).end();
    const rows = rowsOf(told);
    const questions = servers.flatMap((askServer) => [
      askServer(`/changes/${date}`).then((text) => rowsOf(text) === rows),
      // The newest first: they are the beginning of the list.
      askServer('/changes').then((text) => rowsOf(text).startsWith(rows.slice(0, -1))),
    ]);
    const answers = await Promise.all(questions);
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

function tell(what: string, found: readonly Found[]): void {
  const there = found.filter(({ isThere }) => isThere);
  const answers = found.flatMap((one) => one.answers);
  const right = answers.filter((is) => is).length;
  tellFigure(
    'R19',
    `${there.length} of ${found.length} webhooks found their rows, published ${what}, on ${engine}: ` +
      `${right} of ${answers.length} answers of ${answers.length / found.length / 2} replica(s)`,
  );
}
