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
import { countOf, reportFigure, someOf } from '../support/proof.ts';
import { eventually } from '../support/eventually.ts';
import { Load, type Sample } from './support/load.ts';
import { runVatfxForJson, type Environment } from './support/run-vatfx.ts';
import { startServe } from './support/serve-process.ts';

/** Time after which a change by an operator works on every server (contract C25, R22). */
const promisedMs = 5_000;
const callers = 3;
/** Count of answers that are checked after a change was noticed. */
const answersAfter = 300;

/** Count of keys that are ended in each way. */
const rounds = countOf({ full: 10, perCommit: 1 });

/** For each ended key: when the last accepted request was sent, and how many were accepted too late. */
const ends: { readonly acceptedMs: number; readonly refusedMs: number; readonly late: number }[] =
  [];
afterAll(() => {
  const late = ends.reduce((sum, one) => sum + one.late, 0);
  const engine = isPostgresql ? 'PostgreSQL' : 'SQLite';
  reportFigure(
    'R22',
    `${ends.length} keys revoked, rotated away or expired beside a server on ${engine}: ${late} requests ` +
      `accepted after the first refusal or ${promisedMs / 1_000} s later; the latest was sent ` +
      `${Math.max(...ends.map((one) => one.acceptedMs))} ms after, the first refusal came within ` +
      `${Math.max(...ends.map((one) => one.refusedMs))} ms`,
  );
});

const endings: readonly (readonly [what: string, act: (world: World) => unknown])[] = [
  ['revoked', async ({ db, id }) => revokeKey(db, id, { at: now() })],
  ['rotated away', async ({ db, id }) => rotateKey(db, id, { overlapEndsAt: now(), at: now() })],
  [
    'rotated away by a command',
    async ({ env, id }) => runVatfxForJson(['keys', 'rotate', id, '--overlap-hours', '0'], env),
  ],
  ['made to expire', async ({ db, id }) => changeKey(db, id, { expiresAt: now(), at: now() })],
];

describe('a key that is ended beside a running server (contract C25, reliability R22)', () => {
  it.each(someOf(endings, 2))(
    'is not accepted 5 s later, and never after its first 401: %s',
    async (_what, act) => {
      let world = await startWorld({});
      for (let round = 0; round < rounds; round += 1) {
        if (round > 0) world = { ...world, ...(await makeKey(world.db, {})) };
        const load = sendContinuously(world);
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
  );
});

const passings: readonly (readonly [what: string, act: (world: World) => unknown])[] = [
  ['its expiry', async ({ db, id }) => changeKey(db, id, { expiresAt: soon(), at: now() })],
  ['an overlap', async ({ db, id }) => rotateKey(db, id, { overlapEndsAt: soon(), at: now() })],
];

describe('a moment that passes on a running server (contract C25, reliability R22)', () => {
  it.each(someOf(passings, 1))('ends a key in the same millisecond: %s', async (_what, act) => {
    let world = await startWorld({});
    for (let round = 0; round < rounds; round += 1) {
      if (round > 0) world = { ...world, ...(await makeKey(world.db, {})) };

      await act(world);
      const endsAtMs = Date.parse(await readEnd(world));
      const load = sendContinuously(world);
      await seen(load, 401);

      note(load, { endedAtMs: endsAtMs, by: 0 });
      expect(load.of(200).filter(({ sentAtMs }) => sentAtMs >= endsAtMs)).toEqual([]);
      expect(load.of(401).filter(({ answeredAtMs }) => answeredAtMs < endsAtMs)).toEqual([]);
      expect(load.of(200).length).toBeGreaterThan(0);
    }
  });
});

/** A server in a process of its own, and a key with only these limits. */
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

/** A server that only answers requests, with any key. */
const quiet = { PORT: '0', OPS_PORT: '0', JOBS: 'off', FAILED_AUTH_PER_MINUTE: 'none' };

/** Callers that send requests with the key from now on. */
function sendContinuously({ apiUrl, key }: World): Load {
  return new Load(apiUrl, { path: '/changes', key, callers });
}

/** The moment when the first secret of the key ends, for any reason. */
async function readEnd({ db, id }: World): Promise<string> {
  const listed = (await listKeys(db)).find((one) => one.id === id);
  return listed?.expiresAt ?? listed?.secrets.at(-1)?.endsAt ?? '';
}

/** Waits until a status has been answered many times, and ends the load. */
async function seen(load: Load, status: number): Promise<void> {
  await eventually(() => load.of(status).length > answersAfter);
  await load.stop();
}

/** Records the end of a key; returns requests that were accepted after the first refusal, or too late. */
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

/** A moment far enough ahead for some requests to be answered before it. */
function soon(): string {
  return new Date(Date.now() + 1_500).toISOString();
}
