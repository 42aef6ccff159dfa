import { describe, expect, it } from 'vitest';
import { ManualTimers } from '../../../test/support/manual-timers.ts';
import { SettableClock } from '../../../test/support/settable-clock.ts';
import { openTwice } from '../../../test/support/stored-keys.ts';
import type { Db } from '../../platform/database/database.ts';
import { CallPace, isTurnFree, readCallsOf, takeTurnNow } from './call-pace.ts';

const perSecond = 3;
const never = new AbortController().signal;

/** Two replicas with one database and one clock, whose waits take no time but move the clock. */
async function open() {
  const dbs = await openTwice();
  const clock = new SettableClock('2026-11-20T16:00:00Z');
  const countReplicas = () => 2;
  const paceOf = (db: Db) => {
    const timers = new ManualTimers();
    const pace = new CallPace({ db, clock, timers, registry: 'hmrc', perSecond, countReplicas });
    return { pace, timers };
  };
  const takeNow = async (db: Db) =>
    db
      .transaction()
      .execute(async (tx) => takeTurnNow(tx, 'hmrc', { nowMs: clock.now(), perSecond }));
  return { dbs, clock, paceOf, takeNow };
}

/** The waits of callers that come at the same moment: 0, milliseconds, or `refused` with the seconds of the header. */
async function waitsOf(count: number, paces: readonly { pace: CallPace; timers: ManualTimers }[]) {
  const waits: (number | string)[] = [];
  for (let at = 0; at < count; at += 1) {
    const { pace, timers } = paces[at % paces.length] as (typeof paces)[number];
    const startMs = timers.now();
    const taken = pace.take(never);
    const ended = taken.then(() => true);
    const soon = async () => new Promise<false>((resolve) => void setTimeout(resolve, 1, false));
    while (!(await Promise.race([ended, soon()]))) {
      while (timers.pending > 0) timers.advance(1);
    }
    const turn = await taken;
    waits.push(
      turn.kind === 'taken' ? timers.now() - startMs : `refused ${turn.retryAfterSeconds}`,
    );
  }
  return waits;
}

describe('the pace of calls to a registry (rule M7)', () => {
  it('spreads the calls of three replicas evenly, and refuses a caller that would wait for more than 2 s', async () => {
    const { dbs, clock, paceOf } = await open();

    const replicas = [...dbs, dbs[0]].map((db) => paceOf(db));

    const waits = await waitsOf(9, replicas);

    expect(waits.slice(0, 6)).toEqual([0, 334, 668, 1_002, 1_336, 1_670]);
    expect(waits.slice(6)).toEqual(['refused 3', 'refused 3', 'refused 3']);
    expect(await readCallsOf(dbs[0], 'hmrc', clock.now())).toEqual({ background: 0, callers: 6 });
  });

  it('lets a background call go only if no caller has taken the next turn', async () => {
    const { dbs, clock, paceOf, takeNow } = await open();
    const [db, other] = dbs;
    await waitsOf(2, [paceOf(db)]);

    const during = [await isTurnFree(other, 'hmrc', clock.now()), await takeNow(other)];
    clock.set('2026-11-20T16:00:01Z');
    const after = [await isTurnFree(other, 'hmrc', clock.now()), await takeNow(other)];

    expect([during, after]).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(await takeNow(db)).toBe(false);
    expect(await readCallsOf(db, 'hmrc', clock.now())).toEqual({ background: 1, callers: 2 });
  });

  it('counts each day from 0, and goes on after a clock that was ahead by a year', async () => {
    const { dbs, clock, takeNow } = await open();
    clock.set('2027-11-20T16:00:00Z');
    await takeNow(dbs[0]);
    clock.set('2026-11-21T00:00:00Z');

    expect(await readCallsOf(dbs[0], 'hmrc', clock.now())).toEqual({ background: 0, callers: 0 });
    expect(await takeNow(dbs[1])).toBe(true);
  });
});
