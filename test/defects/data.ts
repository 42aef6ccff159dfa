import { breaks } from '../simulation/breaks.ts';
import type { Defect } from './defect.ts';

const snapshots = 'platform/http/responses/published-snapshots.ts';

/** Defects of the data that is published (reliability R1 to R9, R26, R44). */
export const dataDefects: readonly Defect[] = [
  {
    name: 'naive job',
    promised: 'R1',
    wrong: 'writes the snapshot, then its rows, each in a transaction of its own',
    changes: breaks['rows written outside the transaction'],
    caughtBy: {
      file: 'test/journeys/half-publications.test.ts',
      test: 'stores nothing, and is published completely when it can be written: its change rows',
      // The test may also fail with the planted error of the disk, through the job.
      says: /^disk full$/,
    },
  },
  {
    name: 'stale lease',
    promised: 'R7',
    wrong: 'trusts a lease that it took, without comparing its epoch',
    changes: [
      { file: 'platform/schedule/lease.ts', name: 'Lease.assertHeld', by: 'async () => {}' },
    ],
    caughtBy: {
      file: 'src/platform/schedule/lease.test.ts',
      test: 'stops the publication of a holder that wakes up too late, and nothing of it stays',
    },
  },
  {
    name: 'synchronous=NORMAL',
    promised: 'R2',
    wrong: 'lets SQLite keep a commit in memory, as most guides to WAL say',
    changes: [
      {
        file: 'platform/database/sqlite/sqlite.ts',
        name: 'requireDurability',
        by: `(whole, database) => database.exec('PRAGMA synchronous = NORMAL')`,
      },
    ],
    caughtBy: {
      file: 'src/platform/database/sqlite/sqlite.test.ts',
      test: 'uses WAL and flushes each commit to the disk',
    },
  },
  {
    name: 'refused writes unseen',
    promised: 'R26',
    wrong: 'takes a database that can be read for one that can be written',
    changes: [
      { file: 'platform/database/write-watch.ts', name: 'WriteWatch.noteFailure', by: '() => {}' },
    ],
    caughtBy: {
      file: 'src/platform/database/write-watch.test.ts',
      test: 'reports what refuses a write: commit, there is no space left on its disk',
    },
  },
  {
    name: 'failed run hidden',
    promised: 'R3',
    wrong: 'lets a run that fails end the job, and records no failure',
    changes: breaks['a failed run that is not recorded'],
    caughtBy: {
      file: 'src/platform/schedule/run-log.test.ts',
      test: 'records a run that throws as failed, logs it once, and does not reject',
    },
  },
  {
    name: 'cached 404',
    promised: 'R4',
    wrong: 'caches that a date has no snapshot',
    changes: [
      {
        file: snapshots,
        name: 'PublishedSnapshots.find',
        by: `(whole, date) => {
          this.missing ??= new Set();
          if (this.missing.has(date)) return undefined;
          const note = (found) => {
            if (found === undefined) this.missing.add(date);
            return found;
          };
          const found = whole(date);
          return found instanceof Promise ? found.then(note) : note(found);
        }`,
      },
    ],
    caughtBy: {
      file: 'src/platform/http/responses/published-snapshots.test.ts',
      test: 'finds a date after its publication, even if it was not found before',
    },
  },
  {
    name: 'immutable too early',
    promised: 'R4',
    wrong: 'lets caches keep the changes of every date as immutable',
    changes: breaks['immutable before it is final'],
    caughtBy: {
      file: 'test/api/dated-changes.test.ts',
      test: 'becomes immutable for a date with its publication, together with all of its rows',
    },
  },
  {
    name: 'latest goes back',
    promised: 'R4',
    wrong: 'answers with the latest of the database, even if the database lags behind',
    changes: [
      {
        file: snapshots,
        name: 'PublishedSnapshots.refresh',
        by: `async (whole) => {
          this.#latest = undefined;
          await whole();
        }`,
      },
    ],
    caughtBy: {
      file: 'src/platform/http/responses/published-snapshots.test.ts',
      test: 'never goes back to an older snapshot, even if its database lags behind',
    },
  },
  {
    name: 'gate off',
    promised: 'R5',
    wrong: 'publishes implausible snapshots, and only logs a warning',
    changes: breaks['implausible snapshots are published'],
    caughtBy: {
      file: 'test/journeys/gate-rates.test.ts',
      test: 'is made of the answer of 1 July 2023, in which TEDB had zeroes for Spain',
    },
  },
  {
    name: 'date not compared',
    promised: 'R5',
    wrong: 'accepts the current rates as those of a past day',
    changes: [{ file: 'rates/gate.ts', name: 'isLater', by: '() => false' }],
    caughtBy: {
      file: 'test/journeys/upstream-faults.test.ts',
      test: 'holds them, and publishes the day on which they are in force',
    },
  },
  {
    name: 'order of the locale',
    promised: 'R8',
    wrong: 'sorts text on PostgreSQL as the locale of the database does',
    changes: [
      {
        file: 'platform/database/dialect.ts',
        name: 'postgresql.unorderedColumns',
        by: '() => undefined',
      },
    ],
    caughtBy: {
      file: 'src/platform/database/dialect.test.ts',
      test: 'is sorted and compared by its bytes',
      needs: 'postgresql',
    },
  },
  {
    name: 'backup of one file',
    promised: 'R9',
    wrong: 'copies the file of the database without its write-ahead log',
    changes: [
      {
        file: 'platform/database/sqlite/backup.ts',
        name: 'copyInUse',
        by: `(whole, source, copy, tables) => {
          globalThis.copied = { source, copy };
          return whole(source, copy, tables);
        }`,
      },
      {
        file: 'platform/database/sqlite/backup.ts',
        name: 'settleCopy',
        by: `(whole, file, of) => {
          const { source, copy } = globalThis.copied ?? {};
          if (copy === file) process.getBuiltinModule('node:fs').copyFileSync(source, copy);
          return whole(file, of);
        }`,
      },
    ],
    caughtBy: {
      file: 'test/cli/backup-while-writing.test.ts',
      test: 'answers every dated URL as before, backed up while it was written, 5 of 5 times',
    },
  },
  {
    name: 'backward rule for returns',
    promised: 'R32',
    wrong: 'takes the last exchange rates before the end of a period, not the next ones after it',
    changes: [
      {
        file: 'fx/law/rules.ts',
        name: 'nameDayOfReturn',
        by: `(whole, period) => ({ ...whole(period), otherwise: 'previous' })`,
      },
    ],
    caughtBy: {
      file: 'src/fx/law/rules.test.ts',
      test: 'is the last day of the period of a return, and forward from there',
    },
  },
  {
    name: 'missing publication guessed',
    promised: 'R32',
    wrong: 'answers with the nearest stored exchange rates if the deciding ones are missing',
    changes: [
      { file: 'fx/absences/absence.ts', name: 'judgeAbsence', by: "() => ({ kind: 'proved' })" },
    ],
    caughtBy: {
      file: 'src/fx/law/deciding-publication.test.ts',
      test: 'never returns a publication if another one can lie between, whatever is missing or held',
    },
  },
  {
    name: 'territories unasked',
    promised: 'R33',
    wrong: 'lists the rows of territories among those of their Member State',
    changes: [
      {
        file: 'rates/categories/match-rows.ts',
        name: 'isCandidate',
        by: '(whole, row, filter) => whole(row, { ...filter, withTerritories: true })',
      },
    ],
    caughtBy: {
      file: 'src/rates/categories/match-rows.test.ts',
      test: 'leaves out rows for territories unless they are asked for (rule G7)',
    },
  },
  {
    name: 'postcodes without ends',
    promised: 'R44',
    wrong: 'prints the postcodes of a place for programs that compare the whole code only',
    changes: [
      {
        file: 'rates/export/postcode-patterns.ts',
        name: 'printExpression',
        by: '(whole, ...of) => whole(...of).slice(1, -1)',
      },
    ],
    caughtBy: {
      file: 'test/api/vat-rates-postcodes.test.ts',
      test: 'find exactly the codes of each place in PT, in readers that match and readers that search',
    },
  },
];
