import { describe, expect, it } from 'vitest';
import { down } from './support/attempts.ts';
import { answered, germanChecks, type Query, StoredWorld } from './support/stored-world.ts';
import { Dice } from '../support/dice.ts';
import { countOf, reportFigure, seedOf } from '../support/proof.ts';
import { openTemporaryDatabase } from '../support/temporary-database.ts';
import type { Db } from '../../src/platform/database/database.ts';
import { announce } from '../../src/webhooks/outbox.ts';
import { announceChecked } from '../../src/vat-check/stored/check-events.ts';
import { printCheck } from '../../src/vat-check/stored/print-check.ts';
import { type StoredCheck, toStoredCheck } from '../../src/vat-check/stored/stored-check.ts';

const [secondMs, minuteMs] = [1_000, 60_000];
const requester = { registryCode: 'NL', number: '854265259B01' } as const;
/** Checks in one world; each has a history of its own. */
const checksInWorld = 10;
const worlds = countOf({ full: 100, perCommit: 10 });
const seed = seedOf(20_261_122);

/** Violations of K6, K7 and K9 in the history of one check. */
function violationsOf(
  check: StoredCheck,
  { queries, ended }: Pick<StoredWorld, 'queries' | 'ended'>,
): string[] {
  const own = queries.filter(({ number }) => number === check.queried?.number);
  const found: string[] = [];
  const expectThat = (isTrue: boolean, violation: string) =>
    void (isTrue || found.push(`${violation} (${check.queried?.number}, ${check.status})`));
  const times = ended.filter((id) => id === check.id).length;
  expectThat(times === (check.status === 'pending' ? 0 : 1), `announced ${times} times`);
  expectThat((check.answer !== undefined) === (check.status === 'answered'), 'an answer');
  expectThat(check.attempts <= own.length, 'more attempts than queries');
  const { answer } = check;
  if (answer === undefined) return found;
  const source = own.find(({ outcome }) => numberOf(outcome) === answer.consultationNumber);
  expectThat(source !== undefined, 'an answer to another query');
  if (source === undefined || answer.valid) return found;
  const isSecond = own.some((query) => isFalse(query) && source.atMs - query.atMs >= minuteMs);
  const isNear = queries.some(
    ({ outcome, atMs }) =>
      outcome === down && atMs <= source.atMs && source.atMs - atMs <= 10 * minuteMs,
  );
  expectThat(isSecond || !isNear, 'false near an outage, without a second answer');
  return found;
}

function numberOf(outcome: Query['outcome']): string | undefined {
  return outcome.kind === 'answered' ? outcome.answer.consultationNumber : undefined;
}

function isFalse({ outcome }: Query): boolean {
  return outcome.kind === 'answered' && !outcome.answer.valid;
}

/** Violations of K14: `vat.checked` is stored once for each check that has ended, with the check as its key reads it. */
async function eventViolationsOf(db: Db, checks: readonly StoredCheck[]): Promise<string[]> {
  const events = await db.selectFrom('events').select(['type', 'subject', 'body']).execute();
  const expected = checks
    .filter(({ status }) => status !== 'pending')
    .map((check) => ({ id: check.id, check: JSON.stringify(printCheck(check)) }));
  const found = events.map(({ type, subject, body }) => {
    const { check } = JSON.parse(body ?? '{}') as { readonly check?: unknown };
    return { id: subject, check: type === 'vat.checked' ? JSON.stringify(check) : type };
  });
  const texts = (of: readonly object[]) => of.map((one) => JSON.stringify(one)).toSorted();
  const [missing, ...more] = [texts(expected), texts(found)];
  return JSON.stringify(missing) === JSON.stringify(more[0])
    ? []
    : [`events ${JSON.stringify(more[0])} instead of ${JSON.stringify(missing)}`];
}

async function readChecks(db: Db): Promise<StoredCheck[]> {
  return (await db.selectFrom('vat_checks').selectAll().execute()).map(toStoredCheck);
}

/** Lives through some random hours; `breakIt` runs before each step. */
async function live(db: Db, dice: Dice, breakIt = async () => {}): Promise<string[]> {
  const world = await StoredWorld.open(db);
  world.consequence = announceChecked(announce);
  let [downShare, killedShare] = [0.5, 0];
  let count = 0;
  world.answer = () => {
    count += 1;
    if (dice.happens(downShare)) return down;
    if (dice.happens(0.05)) return { kind: 'rejected' };
    return answered(dice.happens(0.4), `WAPI${count}`);
  };
  const numbers = Array.from({ length: checksInWorld }, (_, n) => `n${n}`);
  await world.create(
    ...germanChecks(numbers, { requester }).map((own) => ({
      ...own,
      expiresInHours: 1 + dice.below(3),
    })),
  );
  const workers = [1, 2].map(() => world.createWorker(db, () => dice.happens(killedShare)).worker);
  const found: string[] = [];
  const over = new Map<string, string>();
  for (let step = 0; step < 60; step += 1) {
    if (dice.happens(0.2)) downShare = dice.pick([0, 0.3, 1]);
    // The fault of an attempt that is killed is not known, so nothing is killed while the registry may be down.
    killedShare = downShare === 0 ? dice.pick([0, 0, 0.5]) : 0;
    await breakIt();
    const stepMs = dice.pick([secondMs, 5 * secondMs, 40 * secondMs, 2 * minuteMs, 9 * minuteMs]);
    await world.run(workers, stepMs, stepMs);
    for (const check of await readChecks(db)) {
      const row = JSON.stringify(check);
      const before = over.get(check.id);
      if (before !== undefined && before !== row) found.push(`changed after its end: ${row}`);
      if (check.status !== 'pending') over.set(check.id, row);
    }
  }
  const checks = await readChecks(db);
  found.push(...(await eventViolationsOf(db, checks)));
  return [...found, ...checks.flatMap((check) => violationsOf(check, world))];
}

async function liveAll(breakIt?: (db: Db) => Promise<void>): Promise<string[]> {
  const dice = new Dice(seed);
  const found: string[] = [];
  for (let world = 0; world < worlds; world += 1) {
    const db = await openTemporaryDatabase();
    const broken = breakIt === undefined ? undefined : async () => breakIt(db);
    // Writing an end twice is an error of the database as well.
    const violations = live(db, dice, broken).catch((error: unknown) => [String(error)]);
    found.push(...(await violations));
    if (breakIt !== undefined && found.length > 0) break;
  }
  return found;
}

describe('random histories of stored checks with two workers', () => {
  it('keep the rules K6, K7, K9 and K14', async () => {
    expect(await liveAll()).toEqual([]);
    reportFigure(
      'R13',
      `${worlds * checksInWorld} random histories of stored checks with outages, two workers and kills (seed ${seed}): one end, one event, no false answer near an outage without a second one`,
    );
  });

  it('find a worker that forgets the faults of a Member State', async () => {
    const forget = async (db: Db) =>
      void (await db.updateTable('vat_registries').set({ faulted_at: null }).execute());

    expect(await liveAll(forget)).toContainEqual(expect.stringContaining('false near an outage'));
  });

  it('find a worker that writes the result of another one again', async () => {
    const repeat = async (db: Db) =>
      void (await db
        .updateTable('vat_checks')
        .set({ status: 'pending', due_at: '2026-11-20T12:00:00.000Z' })
        .where('status', '=', 'answered')
        .execute());

    expect((await liveAll(repeat)).length).toBeGreaterThan(0);
  });
});
