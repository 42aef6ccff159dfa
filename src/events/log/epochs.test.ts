import { expect, it } from 'vitest';
import { openTemporaryDatabase } from '../../../test/support/temporary-database.ts';
import { storeEvent } from '../../../test/support/stored-webhooks.ts';
import { firstEpoch } from './cursor.ts';
import { beginEpoch, cursorAt, deleteEpochs, isValid, readMarks } from './epochs.ts';

/** A log with the events 1 and 3, and epochs that begin at 2 and 4. */
async function openLog() {
  const db = await openTemporaryDatabase();
  await storeEvent(db, { id: 'evt_1' });
  await beginEpoch(db, 0);
  await storeEvent(db, { id: 'evt_2' });
  await beginEpoch(db, 0);
  return db;
}

it('epochs have positions among the events, and every position belongs to one', async () => {
  const db = await openLog();

  const marks = await readMarks(db, { from: 0, to: 9 });

  expect(marks.epochs.map(({ position }) => position)).toEqual([2, 4]);
  const [first, second] = marks.epochs.map(({ id }) => id);
  expect([0, 1, 2, 3, 4, 9].map((position) => cursorAt(marks, position).epoch)).toEqual([
    ...Array<string>(2).fill(firstEpoch),
    ...Array<unknown>(2).fill(first),
    ...Array<unknown>(2).fill(second),
  ]);
  for (const [from, to, of] of [
    [0, 1, []],
    [0, 2, [2]],
    [2, 3, [2]],
    [3, 3, [2]],
    [3, 4, [2, 4]],
    [4, 9, [4]],
  ] as const) {
    const { epochs } = await readMarks(db, { from, to });
    expect([from, to, epochs.map(({ position }) => position)]).toEqual([from, to, of]);
  }
});

it('epochs that no valid cursor names are deleted, and the cursors of the others stay valid', async () => {
  const db = await openLog();
  const before = await readMarks(db, { from: 0, to: 9 });
  const cursors = [3, 4, 5].map((position) => cursorAt(before, position));

  await deleteEpochs(db, { deletedPosition: 3, nowMs: 0 });

  const after = await readMarks(db, { from: 3, to: 9 });
  expect(cursors.map((cursor) => isValid(after, cursor))).toEqual([true, true, true]);
  await deleteEpochs(db, { deletedPosition: 4, nowMs: 0 });
  const { epochs } = await readMarks(db, { from: 0, to: 9 });
  expect(epochs.map(({ position }) => position)).toEqual([4]);
});
