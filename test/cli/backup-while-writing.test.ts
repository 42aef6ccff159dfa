import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataSets } from '../../src/composition/data-sets.ts';
import { connectDatabase, type Db } from '../../src/platform/database/database.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { printChanges } from '../../src/rates/change-wire.ts';
import { listChangesOf } from '../../src/rates/store.ts';
import { runCommand } from '../support/run-cli.ts';
import { countOf, reportFigure } from '../support/proof.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { BusyDatabase } from './support/backup-world.ts';

const rounds = countOf({ full: 20, perCommit: 5 });

describe.skipIf(isPostgresql)('backup and restore (reliability R9)', () => {
  it(`answers every dated URL as before, backed up while it was written, ${rounds} of ${rounds} times`, async () => {
    const busy = await BusyDatabase.open();
    const compared: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      busy.start();
      const before = busy.days;
      const file = join(temporaryFolder(), 'copy.db');
      const { code, stderr } = await runCommand(['backup', file], { DATABASE_URL: busy.url });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await busy.stop();
      expect(busy.days).toBeGreaterThan(before);
      const restored = join(temporaryFolder(), 'vatfx.db');
      const done = await runCommand(['restore', file], { DATABASE_URL: `file:${restored}` });
      expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
      compared.push(await compareWithSource(busy, restored, before));
    }

    const all = compared.reduce((sum, bodies) => sum + bodies, 0);
    reportFigure(
      'R9',
      `${compared.length} of ${rounds} backups, each made while days were published into the database, were ` +
        `restored with all that is dated in them: ${all} bodies, the last ${compared.at(-1)}, 0 that differ`,
    );
    expect(compared).toHaveLength(rounds);
  }, 600_000);
});

/** Compares every day of the restored database with the source, and returns the number of bodies. */
async function compareWithSource(
  busy: BusyDatabase,
  restored: string,
  daysBefore: number,
): Promise<number> {
  await using copy = connectDatabase(`file:${restored}`);
  const { days } = await copy
    .selectFrom('rate_snapshots')
    .select((e) => e.fn.countAll<number>().as('days'))
    .executeTakeFirstOrThrow();
  expect(days).toBeGreaterThanOrEqual(daysBefore);
  // Days after the backup are removed from a copy of the source, so that both have the same days.
  await using source = await busy.copyFirstDays(days);
  const bodies = await readDated(copy);
  expect(bodies).toEqual(await readDated(source));
  expect(bodies).toHaveLength(days * 3);
  return bodies.length;
}

/** Reads each dated body of rates, exchange rates and changes, as the service reads it. */
async function readDated(db: Db): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const { snapshots } of Object.values(dataSets)) {
    for (const date of await snapshots.listDates(db, { from: undefined, to: undefined })) {
      bodies.push((await snapshots.findBody(db, isoDate(date))) ?? `no body of ${date}`);
    }
  }
  const changes = db.selectFrom('rate_changes').select('snapshot_date').distinct();
  for (const { snapshot_date: date } of await changes.orderBy('snapshot_date').execute()) {
    bodies.push(printChanges(await listChangesOf(db, isoDate(date))));
  }
  return bodies;
}
