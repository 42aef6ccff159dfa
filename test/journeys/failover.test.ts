import { describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../src/access/authentication/key-changes.ts';
import { type Caller, callerWith } from '../api/support/caller.ts';
import { readPage } from '../api/support/event-log.ts';
import { runDoctor } from '../cli/support/run-doctor.ts';
import { oldestOf } from '../cli/support/log-cursors.ts';
import { boundOf, eventually } from '../support/eventually.ts';
import type { TestService } from '../support/start-service.ts';
import { FailoverWorld, followAll, incarnationFunctions } from './support/failover-world.ts';
import { hasEngines } from './support/shared-engines.ts';
import { startBeside } from './support/start-beside.ts';

const at = '2026-11-20T16:00:00.000Z';
/** A change by an operator works within this time, on every replica (contract C25, reliability R22). */
const promisedMs = 5_000;

const wentBack = 'the database went back by at least 5 events: replication was not synchronous';

/** The sentence of `/status` about a database that went back; null without one. */
async function readReason(service: TestService): Promise<string | null> {
  const { text } = await service.sendToOps('/status');
  const { database } = JSON.parse(text) as { database: { wentBack: { reason: string } | null } };
  return database.wentBack?.reason ?? null;
}

const countLines = ({ logLines }: TestService, message: string): number =>
  logLines.filter((line) => line.includes(message)).length;

/** Waits for the 410 to a cursor; returns the cursor from which the reader begins again. */
async function untilExpired(caller: Caller, cursor: string): Promise<string | undefined> {
  let first: string | undefined;
  await eventually(async () => {
    const answer = await caller.get(`/events?after=${cursor}`);
    first = oldestOf(answer);
    return answer.status === 410;
  });
  return first;
}

describe.skipIf(!hasEngines)('a failover to a server that lacks the last commits (rule E8)', () => {
  it.each([
    ['all functions', []],
    ['no pg_control_system()', [incarnationFunctions[0]]],
    ['no function of the incarnation', incarnationFunctions],
  ])('is told to readers and to the operator; the role may call %s', async (_, without) => {
    const world = await FailoverWorld.open({ without });
    const { service } = world;
    const beside = await startBeside(service);
    const { caller, subjects, cursor } = await world.startLaggingStandby();
    await world.announce(caller, 5);
    const { nextCursor: lost } = await readPage(caller);
    await readPage(callerWith(beside, caller));

    await world.failOver();
    await world.reach();
    const later = await world.announce(caller, 7);

    const first = await untilExpired(caller, lost);
    await untilExpired(callerWith(beside, caller), lost);
    const told = '"msg":"the database went back to an earlier state"';
    await eventually(() => [service, beside].every((one) => countLines(one, told) === 1));
    expect(await followAll(caller, first)).toEqual([...subjects, ...later]);
    expect(await followAll(caller, cursor)).toEqual(later);
    expect(await readReason(service)).toBe(wentBack);
    const { databaseUrl: DATABASE_URL, secretKey: SECRET_KEY } = service.config;
    const doctor = await runDoctor({ DATABASE_URL, SECRET_KEY });
    expect(doctor.found['lost commits']?.found).toContain(wentBack);
    expect(countLines(service, 'nothing is missing')).toBe(0);
    expect((await service.sendToOps('/metrics')).text).toContain('vatfx_database_went_back 1');
  });

  it.each([
    ['2 → 1 → 2′', 1],
    ['2 → 1 → 2′ → 3′', 2],
  ])('ends a key that is revoked after it, revision %s', async (_, revocations) => {
    const world = await FailoverWorld.open();
    const { db } = world.service.core;
    const callers: Caller[] = [];
    for (let n = 0; n < 3; n += 1) {
      callers.push(callerWith(world.service, await createKey(db, { name: `${n}`, at })));
    }
    await world.startLaggingStandby();
    const [lost, ...revoked] = callers.slice(0, 1 + revocations);
    const statuses = async (of: readonly Caller[]): Promise<readonly number[]> =>
      Promise.all(of.map(async (caller) => (await caller.get('/usage')).status));
    expect(await statuses(callers)).toEqual([200, 200, 200]);
    await revokeKey(db, lost!.id, { at });
    await eventually(async () => (await statuses([lost!]))[0] === 401);

    await world.failOver();
    const standby = await world.openStandby();
    for (const { id } of revoked) await revokeKey(standby, id, { at });
    await world.reach();

    await eventually(
      async () => (await statuses(revoked)).every((status) => status === 401),
      boundOf(promisedMs),
    );
    await revokeKey(standby, lost!.id, { at });
    await eventually(async () => (await statuses([lost!]))[0] === 401, boundOf(promisedMs));
  });

  it('leaves a reader of a process that starts after it without a gap', async () => {
    const world = await FailoverWorld.open();
    const { caller, subjects } = await world.startLaggingStandby();
    await world.announce(caller, 5);
    const { nextCursor: lost } = await readPage(caller);
    await world.service.stop();

    await world.failOver();
    const later = await world.announce(caller, 7, await world.openStandby());
    await world.proxy.accept();
    await world.service.start();

    const first = await untilExpired(caller, lost);
    expect(await followAll(caller, first)).toEqual([...subjects, ...later]);
  });
});

describe.skipIf(!hasEngines)('a server that lacks nothing, or not for long (rule E8)', () => {
  it('a planned switchover is information, and cursors stay valid', async () => {
    const world = await FailoverWorld.open();
    const { service } = world;
    const { caller, subjects } = await world.startStandby();
    const more = await world.announce(caller, 3);
    const { nextCursor: cursor } = await readPage(caller);

    await world.proxy.refuse();
    await world.primary.shutDown();
    await world.standby.promote();
    world.proxy.leadTo(world.standby.port);
    await world.reach();
    const later = await world.announce(caller, 2);

    const told = 'another server or timeline of PostgreSQL; nothing is missing';
    await eventually(() => countLines(service, told) === 1);
    expect(await followAll(caller, cursor)).toEqual(later);
    expect(await followAll(caller)).toEqual([...subjects, ...more, ...later]);
    expect([await readReason(service), countLines(service, 'went back to')]).toEqual([null, 0]);
  });

  it('a standby that is behind is not followed: a revoked key stays revoked, and nothing is told', async () => {
    const world = await FailoverWorld.open();
    const { service, proxy } = world;
    const { caller } = await world.startLaggingStandby();
    const other = callerWith(service, await createKey(service.core.db, { name: 'other', at }));
    await other.get('/usage');
    await world.announce(caller, 2);
    const { nextCursor: cursor } = await readPage(caller);
    await revokeKey(service.core.db, other.id, { at });
    await eventually(async () => (await other.get('/usage')).status === 401);

    proxy.leadTo(world.standby.port);
    proxy.cut();
    await eventually(() => countLines(service, 'a standby answers that lacks commits') > 0);
    expect((await other.get('/usage')).status).toBe(401);
    proxy.leadTo(world.primary.port);
    proxy.cut();
    await world.untilAnswering();

    const later = await world.announce(caller, 1);
    expect(await followAll(caller, cursor)).toEqual(later);
    expect((await other.get('/usage')).status).toBe(401);
    expect([await readReason(service), countLines(service, 'went back to')]).toEqual([null, 0]);
  });
});
