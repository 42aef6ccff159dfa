import { afterAll, describe, expect, it } from 'vitest';
import {
  changeKey,
  createKey,
  type KeyChange,
  revokeKey,
  rotateKey,
} from '../../src/access/authentication/key-changes.ts';
import { listKeys } from '../../src/access/authentication/key-store.ts';
import type { Db } from '../../src/platform/database/database.ts';
import {
  databaseSettings,
  isPostgresql,
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../support/temporary-database.ts';
import { countOf, tellFigure } from '../support/proof.ts';
import { eventually } from './support/eventually.ts';
import { Load, type Sample } from './support/load.ts';
import { askVatfx, type Environment } from './support/run-vatfx.ts';
import { startServe } from './support/serve-process.ts';

/** What an operator does works within this time, on every server (contract C25, R22). */
const promisedMs = 5_000;
const callers = 3;
/** Answers that are looked at after a change has been seen. */
const answersAfter = 300;

/** Keys that are ended in each way. */
const rounds = countOf({ full: 10, perCommit: 1 });

/** Of each key that was ended: when the last request was sent that was still accepted, and how many were late. */
const ends: { readonly acceptedMs: number; readonly refusedMs: number; readonly late: number }[] =
  [];
afterAll(() => {
  const late = ends.reduce((sum, one) => sum + one.late, 0);
  const engine = isPostgresql ? 'PostgreSQL' : 'SQLite';
  tellFigure(
    'R22',
    `${ends.length} keys revoked, rotated away or expired beside a server on ${engine}: ${late} requests ` +
      `accepted after the first refusal or ${promisedMs / 1_000} s later; the latest was sent ` +
      `${Math.max(...ends.map((one) => one.acceptedMs))} ms after, the first refusal came within ` +
      `${Math.max(...ends.map((one) => one.refusedMs))} ms`,
  );
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
  it.each(endings)(
    'is not accepted 5 s later, nor after its first 401: %s',
    async (_what, act) => {
      let world = await startWorld({});
      for (let round = 0; round < rounds; round += 1) {
        if (round > 0) world = { ...world, ...(await makeKey(world.db, {})) };
        const load = askContinuously(world);
        await eventually(() => load.of(200).length > 100);

        await act(world);
        const endedAtMs = Date.now();
        await seen(load, 401);

        const late = note(load, { endedAtMs, by: promisedMs });
        expect(late).toEqual([]);
        expect(new Set(load.answers.map(({ status }) => status))).toEqual(new Set([200, 401]));
        expect(load.unanswered).toBe(0);
      }
    },
    120_000,
  );
});

const passings: readonly (readonly [what: string, act: (world: World) => unknown])[] = [
  ['its expiry', async ({ db, id }) => changeKey(db, id, { expiresAt: soon(), at: now() })],
  ['an overlap', async ({ db, id }) => rotateKey(db, id, { overlapEndsAt: soon(), at: now() })],
];

describe('a moment that passes on a running server (contract C25, reliability R22)', () => {
  it.each(passings)(
    'ends a key in that very millisecond: %s',
    async (_what, act) => {
      let world = await startWorld({});
      for (let round = 0; round < rounds; round += 1) {
        if (round > 0) world = { ...world, ...(await makeKey(world.db, {})) };

        await act(world);
        const endsAtMs = Date.parse(await readEnd(world));
        const load = askContinuously(world);
        await seen(load, 401);

        note(load, { endedAtMs: endsAtMs, by: 0 });
        expect(load.of(200).filter(({ sentAtMs }) => sentAtMs >= endsAtMs)).toEqual([]);
        expect(load.of(401).filter(({ answeredAtMs }) => answeredAtMs < endsAtMs)).toEqual([]);
        expect(load.of(200).length).toBeGreaterThan(0);
      }
    },
    120_000,
  );
});

describe('a limit that is raised beside a running server (contract C26)', () => {
  it.each<[string, KeyChange, KeyChange]>([
    ['the rate limit', { rateLimit: 20 }, { rateLimit: 'none' }],
    ['the quota', { quota: 20 }, { quota: 'none' }],
  ])('lets callers on within 5 s, and is not forgotten: %s', async (_what, low, high) => {
    const world = await startWorld(low);
    const load = askContinuously(world);
    // A refusal is answered from memory and may overtake the last of the 20, which reads the database.
    await eventually(() => load.of(429).length > 100 && load.of(200).length >= 20);
    const admittedBefore = load.of(200).length;

    await changeKey(world.db, world.id, { ...high, at: now() });
    const raisedAtMs = Date.now();
    await eventually(() => load.of(200).length > admittedBefore + answersAfter);
    await load.stop();

    const firstAdmitted = load.of(200)[admittedBefore] as Sample;
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
  return { db, env, apiUrl, ...(await makeKey(db, limits)) };
}

async function makeKey(db: Db, limits: KeyChange): Promise<Pick<World, 'id' | 'key'>> {
  const unlimited = { rateLimit: 'none', quota: 'none' } as const;
  return createKey(db, { name: 'test', ...unlimited, ...limits, at: now() });
}

/** A server that only answers, to whoever asks with whatever key. */
const quiet = { PORT: '0', OPS_PORT: '0', JOBS: 'off', FAILED_AUTH_PER_MINUTE: 'none' };

/** Callers that ask with the key from now on. */
function askContinuously({ apiUrl, key }: World): Load {
  return new Load(apiUrl, { path: '/changes', key, callers });
}

/** When the first secret of the key ends, whatever ends it. */
async function readEnd({ db, id }: World): Promise<string> {
  const listed = (await listKeys(db)).find((one) => one.id === id);
  return listed?.expiresAt ?? listed?.secrets.at(-1)?.endsAt ?? '';
}

/** Waits until a status has been answered many times, and ends the load. */
async function seen(load: Load, status: number): Promise<void> {
  await eventually(() => load.of(status).length > answersAfter);
  await load.stop();
}

/** Writes down how a key ended; gives what was sent after the first refusal, or too late, and yet accepted. */
function note(
  load: Load,
  { endedAtMs, by }: { readonly endedAtMs: number; readonly by: number },
): readonly Sample[] {
  const refusedAtMs = firstOf(load, 401).answeredAtMs;
  const tooLateMs = Math.min(refusedAtMs, endedAtMs + by);
  const accepted = load.of(200);
  const late = accepted.filter(({ sentAtMs }) => sentAtMs > tooLateMs);
  const acceptedMs = Math.max(...accepted.map(({ sentAtMs }) => sentAtMs)) - endedAtMs;
  ends.push({ acceptedMs, refusedMs: refusedAtMs - endedAtMs, late: late.length });
  return late;
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
