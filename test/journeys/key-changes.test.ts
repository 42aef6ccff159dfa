import { afterAll, describe, expect, it } from 'vitest';
import {
  changeKey,
  createKey,
  type KeyChange,
  revokeKey,
  rotateKey,
} from '../../src/access/key-changes.ts';
import { listKeys } from '../../src/access/store.ts';
import type { Db } from '../../src/platform/database/database.ts';
import {
  databaseSettings,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../support/temporary-database.ts';
import { eventually } from './support/eventually.ts';
import { Load, type Sample } from './support/load.ts';
import { askVatfx, type Environment } from './support/run-vatfx.ts';
import { startServe } from './support/serve-process.ts';

/** What an operator does works within this time, on every server (contract C25, R22). */
const promisedMs = 5_000;
const callers = 3;
/** Answers that are looked at after a change has been seen. */
const answersAfter = 300;

/** How long each change took to be seen, by what it was. */
const delays = new Map<string, number>();
afterAll(() => {
  for (const [what, ms] of delays) console.log(`${what}: ${ms} ms`);
  console.log(`the longest: ${Math.max(...delays.values())} ms`);
});

const endings: readonly (readonly [what: string, act: (world: World) => unknown])[] = [
  ['revoked', async ({ db, id }) => revokeKey(db, id, now())],
  ['revoked by a command', async ({ env, id }) => askVatfx(['keys', 'revoke', id], env)],
  ['rotated away', async ({ db, id }) => rotateKey(db, id, { overlapEndsAt: now(), at: now() })],
  [
    'rotated away by a command',
    async ({ env, id }) => askVatfx(['keys', 'rotate', id, '--overlap-hours', '0'], env),
  ],
  ['made to expire', async ({ db, id }) => changeKey(db, id, { expiresAt: now(), at: now() })],
];

describe('a key that is ended beside a running server (contract C25, reliability R22)', () => {
  it.each(endings)('is not accepted 5 s later, nor after its first 401: %s', async (what, act) => {
    const world = await startWorld({});
    const load = askContinuously(world);
    await eventually(() => load.of(200).length > 100);

    await act(world);
    const endedAtMs = Date.now();
    await seen(load, 401);

    const firstRefusedAtMs = firstOf(load, 401).answeredAtMs;
    delays.set(what, firstRefusedAtMs - endedAtMs);
    const tooLateMs = Math.min(firstRefusedAtMs, endedAtMs + promisedMs);
    expect(load.of(200).filter(({ sentAtMs }) => sentAtMs > tooLateMs)).toEqual([]);
    expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
    expect(load.unanswered).toBe(0);
  });
});

const passings: readonly (readonly [what: string, act: (world: World) => unknown])[] = [
  ['its expiry', async ({ db, id }) => changeKey(db, id, { expiresAt: soon(), at: now() })],
  ['an overlap', async ({ db, id }) => rotateKey(db, id, { overlapEndsAt: soon(), at: now() })],
];

describe('a moment that passes on a running server (contract C25, reliability R22)', () => {
  it.each(passings)('ends a key in that very millisecond: %s', async (what, act) => {
    const world = await startWorld({});

    await act(world);
    const endsAtMs = Date.parse(await readEnd(world));
    const load = askContinuously(world);
    await seen(load, 401);

    delays.set(what, firstOf(load, 401).answeredAtMs - endsAtMs);
    expect(load.of(200).filter(({ sentAtMs }) => sentAtMs >= endsAtMs)).toEqual([]);
    expect(load.of(401).filter(({ answeredAtMs }) => answeredAtMs < endsAtMs)).toEqual([]);
    expect(load.of(200).length).toBeGreaterThan(0);
  });
});

describe('a limit that is raised beside a running server (contract C26)', () => {
  it.each<[string, KeyChange, KeyChange]>([
    ['the rate limit', { rateLimit: 20 }, { rateLimit: 'none' }],
    ['the quota', { quota: 20 }, { quota: 'none' }],
  ])('lets callers on within 5 s, and is not forgotten: %s', async (what, low, high) => {
    const world = await startWorld(low);
    const load = askContinuously(world);
    await eventually(() => load.of(429).length > 100);
    const admittedBefore = load.of(200).length;

    await changeKey(world.db, world.id, { ...high, at: now() });
    const raisedAtMs = Date.now();
    await eventually(() => load.of(200).length > admittedBefore + answersAfter);
    await load.stop();

    const firstAdmitted = load.of(200)[admittedBefore] as Sample;
    delays.set(`${what} raised`, firstAdmitted.answeredAtMs - raisedAtMs);
    const tooLateMs = Math.min(firstAdmitted.answeredAtMs, raisedAtMs + promisedMs);
    expect(admittedBefore).toBe(20);
    expect(load.of(429).filter(({ sentAtMs }) => sentAtMs > tooLateMs)).toEqual([]);
  });
});

/** A server in a process of its own, and a key to it that has no other limits than these. */
type World = {
  readonly db: Db;
  readonly env: Environment;
  readonly apiUrl: string;
  readonly id: string;
  readonly key: string;
};

async function startWorld(limits: KeyChange): Promise<World> {
  const url = temporaryDatabaseUrl();
  const db = await openTemporaryDatabase(url);
  const env = databaseSettings(url);
  const { apiUrl } = await startServe({ ...env, ...quiet });
  const unlimited = { rateLimit: 'none', quota: 'none' } as const;
  const { id, key } = await createKey(db, { name: 'test', ...unlimited, ...limits, at: now() });
  return { db, env, apiUrl, id, key };
}

/** A server that only answers, to whoever asks with whatever key. */
const quiet = { PORT: '0', OPS_PORT: '0', JOBS: 'off', FAILED_AUTH_PER_MINUTE: 'none' };

/** Callers that ask with the key from now on. */
function askContinuously({ apiUrl, key }: World): Load {
  return new Load(apiUrl, { path: '/changes', key, callers });
}

/** When the first secret of the only key ends, whatever ends it. */
async function readEnd({ db }: World): Promise<string> {
  const [listed] = await listKeys(db);
  return listed?.expiresAt ?? listed?.secrets.at(-1)?.endsAt ?? '';
}

/** Waits until a status has been answered many times, and ends the load. */
async function seen(load: Load, status: number): Promise<void> {
  await eventually(() => load.of(status).length > answersAfter);
  await load.stop();
}

function firstOf(load: Load, status: number): Sample {
  return load.of(status)[0] as Sample;
}

function now(): string {
  return new Date().toISOString();
}

/** Far enough for some requests to be answered before. */
function soon(): string {
  return new Date(Date.now() + 1_500).toISOString();
}
