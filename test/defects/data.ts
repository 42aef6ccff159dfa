import { breaks } from '../simulation/breaks.ts';
import type { Defect } from './defect.ts';

/** What goes wrong with what is published (reliability R1 to R9). */
export const dataDefects: readonly Defect[] = [
  {
    name: 'naive job',
    promised: 'R1',
    wrong: 'writes the snapshot, then its rows, each in a transaction of its own',
    changes: breaks['rows written outside the transaction'],
    caughtBy: {
      file: 'test/journeys/half-publications.test.ts',
      test: 'is none, and comes as a whole when it can be: its change rows',
      // What was planted may also come up through the job.
      says: /^disk full$/,
    },
  },
  {
    name: 'stale lease',
    promised: 'R7',
    wrong: 'trusts the lease that it took, however long ago that was',
    changes: [
      {
        file: 'platform/schedule/lease.ts',
        what: 'if (numUpdatedRows !== 1n) {',
        by: 'if (false) {',
      },
    ],
    caughtBy: {
      file: 'src/platform/schedule/lease.test.ts',
      test: 'stops the publication of whoever wakes up too late, and nothing of it stays',
    },
  },
  {
    name: 'synchronous=NORMAL',
    promised: 'R2',
    wrong: 'lets SQLite keep a commit in memory, as most guides to WAL say',
    changes: [
      {
        file: 'platform/database/sqlite.ts',
        what: "database.exec('PRAGMA synchronous = FULL');",
        by: "database.exec('PRAGMA synchronous = NORMAL');",
      },
      { file: 'platform/database/sqlite.ts', what: 'synchronous !== 2', by: 'synchronous === 0' },
    ],
    caughtBy: {
      file: 'src/platform/database/sqlite.test.ts',
      test: 'writes ahead and flushes each commit to the disk',
    },
  },
  {
    name: 'failed run hidden',
    promised: 'R3',
    wrong: 'lets a run that fails end the job, and writes nowhere that it failed',
    changes: breaks['a failed run that nobody records'],
    caughtBy: {
      file: 'src/platform/schedule/run-log.test.ts',
      test: 'takes what throws for a failed run, logs it once and goes on',
    },
  },
  {
    name: 'cached 404',
    promised: 'R4',
    wrong: 'remembers that a date has no snapshot',
    changes: [
      {
        file: 'platform/http/responses/published-snapshots.ts',
        what: 'readonly #memory: AnswerMemory;',
        by: 'readonly #memory: AnswerMemory;\n  readonly #missing = new Set();',
      },
      {
        file: 'platform/http/responses/published-snapshots.ts',
        what: 'return andThen(this.#store.findBody(date), toRepresentation);',
        by: `if (this.#missing.has(date)) return undefined;
    return andThen(this.#store.findBody(date), (body) => {
      if (body === undefined) this.#missing.add(date);
      return toRepresentation(body);
    });`,
      },
    ],
    caughtBy: {
      file: 'src/platform/http/responses/published-snapshots.test.ts',
      test: 'shows a date as soon as it is published, also when it was asked for before',
    },
  },
  {
    name: 'immutable too early',
    promised: 'R4',
    wrong: 'lets caches keep the changes of any date for ever',
    changes: breaks['immutable before it is final'],
    caughtBy: {
      file: 'test/api/dated-changes.test.ts',
      test: 'is a date from the moment of its publication on, with all of its rows',
    },
  },
  {
    name: 'latest goes back',
    promised: 'R4',
    wrong: 'answers whatever a database that lags behind calls the latest',
    changes: [
      {
        file: 'platform/http/responses/published-snapshots.ts',
        what: 'if (this.#latest !== undefined && stored.date < this.#latest.date) return;',
        by: '',
      },
    ],
    caughtBy: {
      file: 'src/platform/http/responses/published-snapshots.test.ts',
      test: 'never goes back, not even when its database lags behind',
    },
  },
  {
    name: 'gate off',
    promised: 'R5',
    wrong: 'publishes what its gate doubts, and only says so',
    changes: breaks['what is doubted is published'],
    caughtBy: {
      file: 'test/journeys/gate-rates.test.ts',
      test: 'is that of 1 July 2023, when TEDB had zeroes for Spain',
    },
  },
  {
    name: 'gate for what is there',
    promised: 'R5',
    wrong: 'judges the countries that an answer has, and not those that it lacks',
    changes: [
      {
        file: 'rates/gate.ts',
        what: 'else if (!ambiguous.has(was.country)) {',
        by: 'else if (false) {',
      },
    ],
    caughtBy: {
      file: 'src/rates/gate.test.ts',
      test: 'holds an answer without a country that was there',
    },
  },
  {
    name: 'date not looked at',
    promised: 'R5',
    wrong: 'takes the current rates for those of a day that is past',
    changes: [
      {
        file: 'rates/gate.ts',
        what: 'return situationDate !== null && situationDate > date;',
        by: 'return false;',
      },
    ],
    caughtBy: {
      file: 'test/journeys/tedb-faults.test.ts',
      test: 'holds them, and publishes the day on which they are in force',
    },
  },
  {
    name: "local time instead of Frankfurt's",
    promised: 'R6',
    wrong: 'takes 16:00 for the time of the machine, which is UTC',
    changes: breaks['local time instead of that of Frankfurt'],
    caughtBy: {
      file: 'src/fx/timetable.test.ts',
      test: 'changes at midnight in Frankfurt',
    },
  },
  {
    name: 'missed days left out',
    promised: 'R6',
    wrong: 'fetches the newest day alone after a pause',
    changes: breaks['missed days are left out'],
    caughtBy: { file: 'src/rates/timetable.test.ts', test: 'are each day since, oldest first' },
  },
  {
    name: 'order of the locale',
    promised: 'R8',
    wrong: 'sorts text on PostgreSQL as the locale of the database does',
    changes: [
      {
        file: 'platform/database/dialect.ts',
        what: 'unorderedColumns: sql`',
        by: 'unorderedColumns: undefined && sql`',
      },
    ],
    caughtBy: {
      file: 'src/platform/database/dialect.test.ts',
      test: 'is that of its bytes, and so are comparisons',
      needs: 'postgresql',
    },
  },
  {
    name: 'backup of one file',
    promised: 'R9',
    wrong: 'copies the file of the database without its write-ahead log',
    changes: [
      {
        file: 'platform/database/backup.ts',
        what: 'await backup(from, copy, { rate: allPages });',
        by: 'copyFileSync(source, copy);',
      },
      {
        file: 'platform/database/backup.ts',
        what: 'import { chmodSync, closeSync,',
        by: 'import { chmodSync, closeSync, copyFileSync,',
      },
    ],
    caughtBy: {
      file: 'test/cli/backup-while-writing.test.ts',
      test: 'answers every dated URL as before, backed up while it was written, 5 of 5 times',
    },
  },
];
