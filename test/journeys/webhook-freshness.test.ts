import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { serveHttp } from '../support/loopback-server.ts';
import { get } from './support/serve-process.ts';
import { addDays, isoDate } from '../../src/platform/time.ts';
import { eventually } from './support/eventually.ts';
import { WebhookService, yesterday } from './support/webhook-service.ts';
import { WebhookWorld } from './support/webhook-world.ts';

/** 500 in full (reliability R19): half of them here, half from another process. */
const events = 40;

/** What a receiver found when it was told. */
type Found = {
  readonly date: string;
  readonly isThere: boolean;
  /** Of `/changes/<date>` and `/changes`, for the reader of a failure. */
  readonly answers: readonly boolean[];
};

/** Gives the text of an answer. */
type AskServer = (path: string) => Promise<string>;

type AskingReceiver = { readonly url: string; readonly found: readonly Found[] };

describe('a webhook that arrives (contract C28, C31, reliability R19)', () => {
  it('finds its rows in the API, byte for byte, when the server runs the job', async () => {
    const world = await WebhookService.start();
    const { service } = world;
    const receiver = await startAsking([async (path) => (await service.get(path)).text]);
    await world.caller.post('', { url: receiver.url }, 201);

    let day = isoDate(yesterday);
    for (let n = 1; n <= events / 2; n += 1) {
      day = addDays(day, 1);
      service.scenario.changeRate('SE', 'standard', [String(20 + (n % 2))], day);
      await world.publish(day);
      // May come twice: here time leaps over the claim of an attempt whose end is not written yet.
      await eventually(() => receiver.found.some(({ date }) => date === day));
    }

    tell('by the server', receiver.found);
    expect(receiver.found.filter(({ isThere }) => !isThere)).toEqual([]);
  }, 90_000);

  it.each([
    { asked: 'the server that delivers', delivery: 'on', times: events / 2 },
    { asked: 'a replica that only answers', delivery: 'off', times: events / 4 },
  ])(
    'finds them when another process runs the job and it asks $asked',
    async (row) => {
      const { world, receiver } = await startReplicas(row.delivery);

      for (let n = 1; n <= row.times; n += 1) {
        // At any moment between two looks of the servers, which are half a second apart.
        await wait(Math.random() * 500);
        await world.publishNextDay();
        await eventually(() => receiver.found.length === n);
      }

      tell(`by another process, asked of ${row.asked}`, receiver.found);
      expect(receiver.found.filter(({ isThere }) => !isThere)).toEqual([]);
    },
    90_000,
  );
});

/** A server that delivers, one that only answers, and a receiver that asks the one with this `DELIVERY`. */
async function startReplicas(
  asked: string,
): Promise<{ readonly world: WebhookWorld; readonly receiver: AskingReceiver }> {
  const servers: AskServer[] = [];
  const receiver = await startAsking(servers);
  const { port } = new URL(receiver.url);
  const world = await WebhookWorld.start([], { WEBHOOK_ALLOW_PORTS: port });
  const [server, replica] = [await world.serve(), await world.serve({ DELIVERY: 'off' })];
  const { apiUrl } = asked === 'on' ? server : replica;
  servers.push(async (path) => (await get(`${apiUrl}${path}`, world.key)).text);
  await world.caller(server).post('', { url: receiver.url }, 201);
  return { world, receiver };
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
  console.log(`R19: ${there.length} of ${found.length}, published ${what}`);
}
