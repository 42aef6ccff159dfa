import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase } from '../../../src/platform/database/database.ts';
import { stableId } from '../../../src/platform/values/digest.ts';
import { addDays, formatInstant, isoDate } from '../../../src/platform/time/time.ts';
import { announce, type Announcement } from '../../../src/events/outbox.ts';
import { Dice } from '../../support/dice.ts';

/**
 * A process that announces events like the product, by several writers at the same time, each with a connection of its
 * own. Transactions have one to eight events and last up to 50 ms; every tenth is rolled back.
 */
export type WritersTask = {
  readonly databaseUrl: string;
  readonly writers: number;
  /** Events that each writer commits. */
  readonly perWriter: number;
  /** The key whose events a reader sees, and one whose events it must not see. */
  readonly keyId: string;
  readonly otherKeyId: string;
  readonly seed: number;
};

/** An event that was committed; `n` counts the events of its writer, in their order. */
export type WrittenEvent = {
  readonly id: string;
  readonly writer: number;
  readonly n: number;
  /** Null for a public event. */
  readonly keyId: string | null;
};

/** The report at the end of the process. */
export type WritersReport = {
  readonly written: readonly WrittenEvent[];
  /** Events of transactions that were rolled back. */
  readonly rolledBack: number;
};

const firstDate = isoDate('2100-01-01');
let rolledBack = 0;

process.once('message', (task) => void run(task as WritersTask));
process.send?.('ready');

async function run(task: WritersTask): Promise<void> {
  const writers = Array.from({ length: task.writers }, async (_, writer) => write(task, writer));
  const written = (await Promise.all(writers)).flat();
  // Disconnected only when all of the report is sent.
  const report: WritersReport = { written, rolledBack };
  process.send?.(report, () => process.disconnect?.());
}

/** Commits the events of one writer. */
async function write(task: WritersTask, writer: number): Promise<readonly WrittenEvent[]> {
  const db = connectDatabase(task.databaseUrl);
  const dice = new Dice(task.seed + writer);
  const written: WrittenEvent[] = [];
  for (let attempt = 0; written.length < task.perWriter; attempt += 1) {
    const left = task.perWriter - written.length;
    const count = Math.min(1 + dice.below(8), left);
    const events = Array.from({ length: count }, (_, at) =>
      makeEvent(task, { dice, writer, attempt, n: written.length + at }),
    );
    const tx = await db.startTransaction().execute();
    for (const { announcement } of events) {
      await announce(tx, announcement);
      if (dice.happens(0.3)) await sleep(dice.below(4));
    }
    if (dice.happens(0.01)) await sleep(50);
    if (dice.happens(0.1)) {
      await tx.rollback().execute();
      rolledBack += count;
    } else {
      await tx.commit().execute();
      written.push(...events.map(({ event }) => event));
    }
    // The embedded database has one lock for writers, and gives it to one that asks while it is free.
    await sleep(dice.below(3));
  }
  await db.destroy();
  return written;
}

/** Makes an event of a key, one in four of the other key, or a public one, one in forty. */
function makeEvent(
  { keyId: ownKey, otherKeyId, writers }: WritersTask,
  of: {
    readonly dice: Dice;
    readonly writer: number;
    readonly attempt: number;
    readonly n: number;
  },
): { readonly announcement: Announcement; readonly event: WrittenEvent } {
  const { dice, writer, attempt, n } = of;
  const at = formatInstant(Date.now());
  if (dice.happens(1 / 40)) {
    const snapshotDate = addDays(firstDate, n * writers + writer);
    const type = 'categories.changed';
    const id = stableId('evt', type, snapshotDate);
    return { announcement: { type, at, snapshotDate }, event: { id, writer, n, keyId: null } };
  }
  const keyId = dice.happens(0.25) ? otherKeyId : ownKey;
  const type = dice.pick(['vat.checked', 'vat.changed'] as const);
  const subject = `vc_${writer}_${attempt}_${n}`;
  const announcement = { type, at, keyId, subject, fields: { subject } };
  return { announcement, event: { id: stableId('evt', type, subject), writer, n, keyId } };
}
