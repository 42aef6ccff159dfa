import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import {
  isPostgresql,
  openTemporaryDatabase,
  temporaryFolder,
} from '../support/temporary-database.ts';
import { readAnswers, storeDataSet } from './support/pg-answers.ts';
import { anyDataSet } from './support/pg-data-sets.ts';

/** 5,000 were compared by hand. */
const dataSetsCount = 300;

describe.skipIf(!isPostgresql)('SQLite and PostgreSQL (reliability R8)', () => {
  it('answer and list the same, to the byte and in the same order', async () => {
    const sqlite = await openDatabase(`file:${join(temporaryFolder(), 'vatfx.db')}`);
    onTestFinished(async () => sqlite.destroy());
    const postgresql = await openTemporaryDatabase();
    let answersCount = 0;

    const property = fc.asyncProperty(anyDataSet, async (set) => {
      await Promise.all([storeDataSet(sqlite, set), storeDataSet(postgresql, set)]);
      const [here, there] = await Promise.all([
        readAnswers(sqlite, set),
        readAnswers(postgresql, set),
      ]);
      answersCount += here.length;
      expect(there).toEqual(here);
    });
    await fc.assert(property, { numRuns: dataSetsCount, endOnFailure: true });

    console.log(`R8: ${dataSetsCount} data sets, ${answersCount} answers and lists, all the same`);
    expect(answersCount).toBeGreaterThan(dataSetsCount * 15);
  }, 180_000);
});
