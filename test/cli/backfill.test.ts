import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { addDays } from '../../src/platform/time/time.ts';
import { datesFrom } from '../journeys/support/days.ts';
import { eventually } from '../support/eventually.ts';
import { runForJson, type Environment, runCommand, startCommand } from '../support/run-cli.ts';
import { createKey, get, startServe } from '../journeys/support/serve-process.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { readFacts, type StoredFacts } from '../journeys/support/stored-facts.ts';
import { changeRate } from '../support/sandbox/scripts.ts';

type Report = {
  readonly stored: number;
  readonly skipped: number;
  readonly refused: readonly unknown[];
  readonly interrupted: boolean;
};

const autumn = ['backfill', 'rates', '--from', '2025-07-01', '--to', '2025-12-31'];
const autumnDays = datesFrom('2025-07-01', '2025-12-31').length;

describe('backfill rates (operator.md, contract C17)', () => {
  it('stores every day without change rows or events, and prints progress', async () => {
    const { env, sandbox } = await startUpstreams();

    const { code, stdout, stderr } = await runCommand([...autumn, '--json'], env);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      from: '2025-07-01',
      to: '2025-12-31',
      stored: autumnDays,
      skipped: 0,
      refused: [],
      interrupted: false,
    });
    expect(stderr.split('\n')[0]).toMatch(/^back to 2025-\d\d-\d\d, \d+ days left$/);
    expect(await readStored(env)).toMatchObject({ versions: [], changes: [], events: [] });
    // Two requests for each period without a change, not one for each day.
    expect(sandbox.requests.of('tedb').length).toBeLessThan(20);
  });

  it('can be interrupted and repeated', async () => {
    const { env, sandbox } = await startUpstreams();
    sandbox.scenario.apply({ tedb: { latencyMs: 150 } });
    const interrupted = startCommand([...autumn, '--json'], env);
    await interrupted.waitForOutput(/back to/);

    interrupted.signal('SIGINT');
    const { code, stdout, stderr } = await interrupted.ended();
    sandbox.scenario.apply({ tedb: { latencyMs: 0 } });
    const rest = await runForJson<Report>(autumn, env);

    expect(code).toBe(1);
    expect(stderr.trim().split('\n').at(-1)).toBe(
      'interrupted; call the command again to continue',
    );
    const done = JSON.parse(stdout) as Report;
    expect(done).toMatchObject({ interrupted: true, refused: [] });
    expect(done.stored).toBeGreaterThan(0);
    expect(done.stored + rest.stored).toBe(autumnDays);
    expect(rest.interrupted).toBe(false);
  });

  it('ends on the day before the latest snapshot, and leaves published snapshots as they are', async () => {
    const { env, today } = await startUpstreams();
    await runForJson(['jobs', 'run', 'rates'], env);
    const from = addDays(today, -10);

    const report = await runForJson<Report>(['backfill', 'rates', '--from', from], env);

    expect(report).toMatchObject({ to: addDays(today, -1), stored: 10 });
    expect(await readStored(env)).toMatchObject({ versions: [today], changes: [], events: [] });
  });

  it('lists the days that it could not store, exit code 1', async () => {
    const { env, sandbox } = await startUpstreams();
    changeRate(sandbox.scenario, 'HU', 'standard', ['35'], '2025-12-30');

    const { code, stdout, stderr } = await runCommand(autumn, env);

    expect(code).toBe(1);
    expect(stdout).toContain('2025-12-31 refused: HU: standard rate 35, expected 15 to 30');
    expect(stdout).toContain('2025-12-30 refused: HU: standard rate 35, expected 15 to 30');
    expect(stderr).toContain('some days could not be stored');
  });

  it('reaches a running server within 2 s, and leaves its latest snapshot as it is', async () => {
    const { env, today } = await startUpstreams();
    const key = await createKey(env);
    const { apiUrl } = await startServe(env);
    await eventually(async () => (await get(`${apiUrl}/rates`, key)).status === 200);

    await runForJson(autumn, env);
    await eventually(async () => (await get(`${apiUrl}/rates/2025-08-01`, key)).status === 200);

    expect((await get(`${apiUrl}/rates`, key)).text).toContain(`"version":"${today}"`);
    expect((await get(`${apiUrl}/rates/2025-07-31`, key)).text).toContain('"standard":19');
  });
});

describe('backfill fx (operator.md)', () => {
  it('stores missing publications since a day, and none twice', async () => {
    const { env, today } = await startUpstreams();
    const from = addDays(today, -100);

    const first = await runForJson<{ published: number }>(['backfill', 'fx', '--from', from], env);
    const rest = await runForJson<{ published: number }>(['backfill', 'fx'], env);
    const again = await runCommand(['backfill', 'fx'], env);

    const { fxDates } = await readStored(env);
    expect(first.published).toBe(fxDates.filter((date) => date >= from).length);
    expect(first.published + rest.published).toBe(fxDates.length);
    expect(again).toMatchObject({ code: 0, stdout: '0 publications stored\n' });
  });
});

describe('backfill rates --categories (rule G2)', () => {
  it('adds rows to stored snapshots, but to none whose rates TEDB reports otherwise now, and stores no snapshots', async () => {
    const { env, sandbox } = await startUpstreams();
    const span = ['--from', '2025-07-20', '--to', '2025-08-10'];
    const fill = ['backfill', 'rates', '--categories', ...span];
    const none = await runForJson(fill, env);
    await runForJson(['backfill', 'rates', ...span], env);
    await using db = await openDatabase(env['DATABASE_URL'] ?? '');
    // As an earlier version has stored the snapshots.
    await db.deleteFrom('rate_categories').execute();
    await db.deleteFrom('rate_category_sets').execute();
    const readDates = async (): Promise<string[]> => {
      const rows = await db.selectFrom('rate_categories').select('version').execute();
      return rows.map(({ version }) => version).toSorted();
    };

    changeRate(sandbox.scenario, 'HU', 'standard', ['26'], '2025-08-05');
    const partly = await runCommand([...fill, '--json'], env);
    const dates = await readDates();
    changeRate(sandbox.scenario, 'HU', 'standard', ['27'], '2025-08-05');
    const rest = await runForJson(fill, env);
    sandbox.requests.clear();
    const again = await runCommand(fill, env);

    expect(none).toMatchObject({ stored: 0, skipped: 0 });
    const { refused } = JSON.parse(partly.stdout) as { refused: { version: string }[] };
    expect(partly.code).toBe(1);
    const late = datesFrom('2025-08-05', '2025-08-10');
    expect(refused.map(({ version }) => version).toSorted()).toEqual(late);
    expect(dates).toEqual(datesFrom('2025-07-20', '2025-08-04'));
    expect(rest).toMatchObject({ stored: 6, skipped: 16, refused: [] });
    expect(await readDates()).toEqual(datesFrom('2025-07-20', '2025-08-10'));
    expect(again.stdout).toBe('0 days stored, 22 had goods categories already\n');
    expect(sandbox.requests.of('tedb')).toEqual([]);
  });
});

async function readStored(env: Environment): Promise<StoredFacts> {
  await using db = await openDatabase(env['DATABASE_URL'] ?? '');
  return await readFacts(db);
}
