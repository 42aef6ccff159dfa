import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SettableClock } from '../../../../test/support/settable-clock.ts';
import {
  openTemporaryDatabase,
  temporaryDatabaseUrl,
} from '../../../../test/support/temporary-database.ts';
import type { Db } from '../database.ts';
import { listReplicas, Presence } from './replicas.ts';
import { RevisionWatch } from './revisions.ts';
import { patienceMs } from '../../../../test/support/eventually.ts';

/** Time after its last renewal for which a process counts as serving. */
const keptMs = 15_000;
const renewMs = 2_500;
const countedMs = 7_500;

type Replica = {
  readonly presence: Presence;
  readonly db: Db;
  readonly clock: SettableClock;
  /** Reads the changes of other processes, as happens twice a second. */
  look(): Promise<void>;
};

/** Makes processes of one database. Their renewals come when a test advances the fake timers. */
function openWorld(): {
  readonly open: () => Promise<Replica>;
  readonly pass: (ms: number) => void;
} {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const url = temporaryDatabaseUrl();
  const clocks: SettableClock[] = [];
  return {
    open: async () => {
      const db = await openTemporaryDatabase(url);
      const clock = new SettableClock('2026-11-20T07:00:00Z');
      clock.advance((clocks[0]?.now() ?? clock.now()) - clock.now());
      clocks.push(clock);
      const watch = new RevisionWatch(db, () => {});
      const presence = new Presence({ db, clock, watch });
      onTestFinished(async () => presence.leave());
      return { presence, db, clock, look: async () => watch.poll() };
    },
    pass: (ms) => {
      for (const clock of clocks) clock.advance(ms);
    },
  };
}

/** Waits until the renewals that are due now are written. */
async function untilRenewed(replica: Replica, count: number): Promise<void> {
  await vi.waitFor(() => expect(replica.presence.count).toBe(count), patienceMs);
}

describe('Presence', () => {
  it('does not count a process that crashed while its clock was a year ahead', async () => {
    const { open } = openWorld();
    const crashed = await open();
    crashed.clock.advance(365 * 86_400_000);
    await crashed.presence.join();
    const one = await open();
    one.clock.advance(-365 * 86_400_000);

    await one.presence.join();

    expect(one.presence.count).toBe(1);
  });

  it('counts a crashed process until 7.5 s after its last renewal, and lists it until 15 s after that', async () => {
    const { open, pass } = openWorld();
    const [one, crashed] = [await open(), await open()];
    await one.presence.join();
    await crashed.presence.join();
    await crashed.db.destroy();
    await one.look();
    /** Renews, and waits until the renewal is written. */
    const renew = async (): Promise<void> => {
      const until = one.clock.now() + keptMs;
      vi.advanceTimersByTime(renewMs);
      await vi.waitFor(async () => {
        const seen = await one.db.selectFrom('replicas').select('seen_until').execute();
        expect(seen.map((row) => Date.parse(row.seen_until))).toContain(until);
      }, patienceMs);
    };

    pass(countedMs - 1);
    await renew();
    const before = one.presence.count;
    pass(1);
    await renew();
    await untilRenewed(one, 1);
    pass(keptMs - countedMs - 1);
    const listed = await listReplicas(one.db, one.clock.now());
    pass(1);

    expect([before, listed.length]).toEqual([2, 2]);
    expect((await listReplicas(one.db, one.clock.now())).length).toBe(1);
  });

  it('counts a process again that goes on after a pause in which its row was removed', async () => {
    const { open, pass } = openWorld();
    const paused = await open();
    await paused.presence.join();
    pass(keptMs);
    const late = await open();
    await late.presence.join();
    const meanwhile = (await listReplicas(late.db, late.clock.now())).length;

    vi.advanceTimersByTime(renewMs);
    await untilRenewed(paused, 2);

    expect(meanwhile).toBe(1);
    expect((await listReplicas(late.db, late.clock.now())).length).toBe(2);
  });
});
