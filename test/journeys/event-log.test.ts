import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { announce } from '../../src/events/outbox.ts';
import type { LogPage } from '../api/support/event-log.ts';
import { eventually } from '../support/eventually.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';
import { isPostgresql } from '../support/temporary-database.ts';
import { followLog, followNumbers, judgeRead, type ReadErrors } from './support/event-readers.ts';
import { EventWriters } from './support/event-writers.ts';
import { get, type ServeProcess } from './support/serve-process.ts';
import { StoredCheckWorld } from './support/stored-check-world.ts';
import { WebhookCaller } from './support/webhook-caller.ts';

const engine = isPostgresql ? 'PostgreSQL' : 'SQLite';
/** A file has one process that serves; the writers are another one. */
const replicas = isPostgresql ? 3 : 1;
const writers = 8;
const eventsCount = countOf({ full: 100_000, perCommit: 800 });
const wakesCount = countOf({ full: 100, perCommit: 4 });
const none: ReadErrors = { lost: 0, doubled: 0, outOfOrder: 0, foreign: 0 };

async function startReplicas() {
  const world = await StoredCheckWorld.start(0, { JOBS: 'off' });
  const servers = await Promise.all(Array.from({ length: replicas }, async () => world.serve()));
  return { world, servers };
}

describe('readers of the event log while 8 writers write (rules E2 and E3, reliability R31)', () => {
  it('get every event once and in order from changing replicas, unlike a reader by numbers alone', async () => {
    const [{ world, servers }, process] = await Promise.all([startReplicas(), EventWriters.load()]);
    const { db, key, keyId } = world;
    const other = await createKey(db, { name: 'other', at: new Date().toISOString() });
    const seed = seedOf(31);
    const startedMs = performance.now();
    let isOver = false;
    const writing = process
      .write({
        databaseUrl: world.databaseUrl,
        writers,
        perWriter: eventsCount / writers,
        keyId,
        otherKeyId: other.id,
        seed,
      })
      .finally(() => {
        isOver = true;
      });
    const over = (): boolean => isOver;

    const [fast, waiting, byNumbers, { written, rolledBack }] = await Promise.all([
      followLog(servers, { key, limit: 500, waitSeconds: 0 }, over),
      followLog(servers, { key, limit: 50, waitSeconds: 1 }, over),
      followNumbers(db, keyId, over),
      writing,
    ]);

    const seconds = (performance.now() - startedMs) / 1_000;
    const visible = new Map(
      written.filter((one) => one.keyId !== other.id).map((one) => [one.id, one]),
    );
    const rows = await db.selectFrom('events').select(['id', 'position']).execute();
    const positions = new Map(rows.map(({ id, position }) => [id, position ?? 0]));
    const judge = (read: readonly string[]): ReadErrors => judgeRead(read, visible, positions);
    expect(written).toHaveLength(eventsCount);
    expect(rolledBack).toBeGreaterThan(0);
    expect({ fast: judge(fast), waiting: judge(waiting) }).toEqual({ fast: none, waiting: none });
    const naive = judge(byNumbers);
    expect(naive).toEqual({ ...none, lost: naive.lost });
    expect(naive.lost > 0).toBe(isPostgresql);
    reportFigure(
      'R31',
      `${engine}, ${replicas} replica(s), seed ${seed}: ${eventsCount} events of ${writers} writers in ` +
        `${seconds.toFixed(0)} s, ${rolledBack} more rolled back; a fast and a waiting reader of ${visible.size} of ` +
        `them: ${printErrors(judge(fast), judge(waiting))}; a reader by numbers alone loses ${naive.lost}`,
    );
  }, 580_000);
});

/** Adds up the errors of readers. */
function printErrors(...all: readonly ReadErrors[]): string {
  const sum = (of: keyof ReadErrors): number => all.reduce((total, one) => total + one[of], 0);
  return (
    `${sum('lost')} lost, ${sum('doubled')} doubled, ${sum('outOfOrder')} out of order, ` +
    `${sum('foreign')} of another key or rolled back`
  );
}

describe('a reader that waits on another replica (rules E4 and E6, reliability R31)', () => {
  it('gets each event after its commit, with the id and the bytes of the webhook', async () => {
    const { world, servers } = await startReplicas();
    const { received } = await subscribe(world, servers[0]!);
    const reader = servers.at(-1)!;
    const read = async (query: string): Promise<string> => {
      const { status, text } = await get(`${reader.apiUrl}/events?${query}`, world.key);
      if (status !== 200) throw new Error(`GET /events?${query}: ${status} ${text}`);
      return text;
    };
    const texts: string[] = [];
    const tookMs: number[] = [];
    let after = cursorOf(await read('after=now'));
    for (let n = 0; n < wakesCount; n += 1) {
      const page = read(`after=${after}&waitSeconds=30`);
      await eventually(async () => (await countWaiting(reader)) === 1);
      await announceCheck(world, n);
      const committedMs = performance.now();
      const text = await page;
      tookMs.push(Math.max(0, performance.now() - committedMs));
      texts.push(text);
      after = cursorOf(text);
    }

    await eventually(() => received.length >= wakesCount);
    const bytes = new Map(received.map((one) => [one.id, one.bytes.toString()]));
    const unequal = texts.filter((text) => {
      const [event] = (JSON.parse(text) as LogPage).events;
      const body = bytes.get(event?.id ?? '') ?? '';
      const printed = `{"id":"${event?.id}","cursor":"${event?.cursor}",${body.slice(1)}`;
      return body === '' || !text.startsWith(`{"events":[${printed}],"nextCursor":`);
    });
    expect(bytes.size).toBe(wakesCount);
    expect(unequal).toEqual([]);
    const sorted = tookMs.toSorted((a, b) => a - b);
    // An event that wakes no reader comes at the end of the wait.
    expect(sorted.at(-1)).toBeLessThan(5_000);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    reportFigure(
      'R31',
      `${engine}: ${wakesCount} waits ended by an event of another process, after a median of ${median.toFixed(0)} ms ` +
        `and at most ${sorted.at(-1)?.toFixed(0)} ms; ${unequal.length} with another id or other bytes than the webhook`,
    );
  });
});

async function subscribe({ sandbox, key }: StoredCheckWorld, server: ServeProcess) {
  const wanted = { url: sandbox.receiverUrl('events'), events: ['vat.checked'] };
  const { secret } = await new WebhookCaller(server, key).post<{ readonly secret: string }>(
    '',
    wanted,
    201,
  );
  const receiver = sandbox.receivers.named('events');
  receiver.apply({ secrets: [secret] });
  return receiver;
}

/** Announces the end of a check, as a process does that serves no reader. */
async function announceCheck({ db, keyId }: StoredCheckWorld, n: number): Promise<void> {
  const at = new Date().toISOString();
  const subject = `vc_${n}`;
  const fields = { subject, name: `Müller & Söhne ${n} "€"` };
  await db
    .transaction()
    .execute(async (tx) => announce(tx, { type: 'vat.checked', at, keyId, subject, fields }));
}

function cursorOf(text: string): string {
  return (JSON.parse(text) as LogPage).nextCursor;
}

async function countWaiting({ opsUrl }: ServeProcess): Promise<number> {
  const status = (await (await fetch(`${opsUrl}/status`)).json()) as {
    readonly events: { readonly waitingReaders: number };
  };
  return status.events.waitingReaders;
}
