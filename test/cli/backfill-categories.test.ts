import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { datesFrom } from '../journeys/support/days.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { type Environment, runCommand, runForJson } from '../support/run-cli.ts';

const span = ['--from', '2025-07-20', '--to', '2025-08-10'];
const days = datesFrom('2025-07-20', '2025-08-10');

/** Stores snapshots, and removes their rows: as if an earlier version had stored them. */
async function storeWithoutRows(env: Environment): Promise<void> {
  await runForJson(['backfill', 'rates', ...span], env);
  await using db = await openDatabase(env['DATABASE_URL'] ?? '');
  await db.deleteFrom('rate_categories').execute();
  await db.deleteFrom('rate_category_sets').execute();
}

async function readDates(env: Environment): Promise<string[]> {
  await using db = await openDatabase(env['DATABASE_URL'] ?? '');
  const rows = db.selectFrom('rate_categories').select('version').orderBy('version');
  return (await rows.execute()).map(({ version }) => version);
}

describe('backfill rates --categories (rule G2)', () => {
  it('adds rows to stored snapshots, and changes nothing the second time', async () => {
    const { env, sandbox } = await startUpstreams();
    await storeWithoutRows(env);

    const first = await runForJson(['backfill', 'rates', '--categories', ...span], env);
    sandbox.requests.clear();
    const second = await runCommand(['backfill', 'rates', '--categories', ...span], env);

    expect(first).toMatchObject({ stored: days.length, skipped: 0, refused: [] });
    expect(await readDates(env)).toEqual(days);
    expect(second.stdout).toBe(`0 days stored, ${days.length} had goods categories already\n`);
    expect(sandbox.requests.of('tedb')).toEqual([]);
  });

  it('leaves a snapshot alone whose rates TEDB reports otherwise now', async () => {
    const { env, sandbox } = await startUpstreams();
    await storeWithoutRows(env);
    changeRate(sandbox.scenario, 'HU', 'standard', ['26'], '2025-08-05');

    const { code, stdout } = await runCommand(
      ['backfill', 'rates', '--categories', ...span, '--json'],
      env,
    );

    const { refused } = JSON.parse(stdout) as { readonly refused: { readonly version: string }[] };
    expect(code).toBe(1);
    expect(refused.map(({ version }) => version).toSorted()).toEqual(
      datesFrom('2025-08-05', '2025-08-10'),
    );
    expect(await readDates(env)).toEqual(datesFrom('2025-07-20', '2025-08-04'));
  });
});
