import type { Defect } from './defect.ts';

const manyWriters = {
  file: 'src/events/log/log-reader.test.ts',
  test: 'reads every event once and in order while 8 writers write, unlike a reader by numbers alone',
} as const;

/** Defects of the event log (rules E2 to E4, reliability R31). */
export const eventDefects: readonly Defect[] = [
  {
    name: 'no horizon',
    promised: 'R31',
    wrong:
      'reads events up to the last visible position, also if a smaller one is not committed yet',
    changes: [
      {
        file: 'events/log/horizon.ts',
        name: 'readHorizon',
        by: `async (whole, db) => {
          const last = db.selectFrom('events').select((e) => e.fn.max('position').as('position'));
          const { position } = await last.executeTakeFirstOrThrow();
          return { position: position ?? 0, heldSeconds: null };
        }`,
      },
    ],
    caughtBy: { ...manyWriters, needs: 'postgresql' },
  },
  {
    name: 'cursor of an empty page',
    promised: 'R31',
    wrong: 'goes back to the beginning of the log after an empty page of events',
    changes: [
      {
        file: 'events/log/page.ts',
        name: 'makePage',
        by: '(whole, printed, of) => whole(printed, { ...of, readTo: 0 })',
      },
    ],
    caughtBy: manyWriters,
  },
  {
    name: 'events of every key',
    promised: 'R31',
    wrong: 'has the events of other keys on a page',
    changes: [
      {
        file: 'events/log/log-rows.ts',
        name: 'listVisible',
        by: '(whole, db, reader, range) => listAll(db, range)',
      },
    ],
    caughtBy: {
      file: 'test/api/events.test.ts',
      test: 'answers public events and those of the own key, oldest first',
    },
  },
  {
    name: 'waiting for every key',
    promised: 'R31',
    wrong: 'answers a waiting request with the events of other keys',
    changes: [{ file: 'events/log/event-waits.ts', name: 'isVisible', by: '() => true' }],
    caughtBy: {
      file: 'test/api/event-waits.test.ts',
      test: 'returns each event once to the requests whose key sees it, and an empty page at the end of the wait',
    },
  },
];
