import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareBodies } from '../../src/cli/copy-check.ts';
import { connectDatabase } from '../../src/platform/database/database.ts';
import { runVatfx } from '../journeys/support/run-vatfx.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { BusyDatabase } from './support/backup-world.ts';

// oxlint-disable-next-line node/no-process-env -- how much is tested
const rounds = process.env['R9'] === 'full' ? 20 : 5;

describe.skipIf(isPostgresql)('backup and restore (reliability R9)', () => {
  it(`answers every dated URL as before, backed up while it was written, ${rounds} of ${rounds} times`, async () => {
    const busy = await BusyDatabase.open();
    const seen: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      busy.start();
      const before = busy.days;
      const file = join(temporaryFolder(), 'copy.db');
      const { code, stderr } = await runVatfx(['backup', file], { DATABASE_URL: busy.url });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await busy.stop();
      expect(busy.days).toBeGreaterThan(before);
      const restored = join(temporaryFolder(), 'data', 'vatfx.db');
      const done = await runVatfx(['restore', file], { DATABASE_URL: `file:${restored}` });
      expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
      seen.push(await compareWithSource(busy, restored, before));
    }

    console.log(
      `R9: backed up while writing and restored ${seen.length} times: ${seen.join(', ')}`,
    );
    expect(seen).toHaveLength(rounds);
  }, 600_000);
});

/** Compares every day of the restored one with the source, and tells how many there are. */
async function compareWithSource(
  busy: BusyDatabase,
  restored: string,
  daysBefore: number,
): Promise<string> {
  await using copy = connectDatabase(`file:${restored}`);
  const { days } = await copy
    .selectFrom('rate_snapshots')
    .select((e) => e.fn.countAll<number>().as('days'))
    .executeTakeFirstOrThrow();
  expect(days).toBeGreaterThanOrEqual(daysBefore);
  // What came later is taken out of a copy of the source, so that both are of one moment.
  await using source = await busy.cutAt(days);
  const bodies = await source.transaction().execute(async (from) => {
    return copy.transaction().execute(async (to) => compareBodies(from, to, () => {}));
  });
  expect(bodies).toBe(days * 3);
  return `${bodies} dated bodies`;
}
