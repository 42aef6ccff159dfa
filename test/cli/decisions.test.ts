import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listHeld } from '../../src/platform/publication/held-store.ts';
import { runCommand, runForJson } from '../support/run-cli.ts';
import { changeRate, correctFixing, publishValue } from '../support/sandbox/scripts.ts';
import { startService } from '../support/start-service.ts';
import { settingsBeside } from './support/key-commands.ts';

const [before, after] = ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'];

/** A service with held exchange rates and held rates of one date, and the commands beside it. */
async function startHeld() {
  const service = await startService({ at: before, lived: [before] });
  changeRate(service.scenario, 'HU', 'standard', ['35'], '2026-11-20');
  publishValue(service.scenario, '2026-11-20', 'USD', '11.6');
  await service.liveAt(after);
  const { db } = service.core;
  const [fx, rates] = (await listHeld(db)).map(({ id }) => id);
  const run = async (...args: readonly string[]) =>
    runCommand(['snapshots', ...args], settingsBeside(service));
  return { db, fx: fx ?? '', rates: rates ?? '', run };
}

/** The effects of the commands are tested in `test/journeys/gate-*.test.ts`. */
describe('snapshots held | approve | reject (operator.md)', () => {
  it('list both kinds with the reasons, and decide by id, or by the date of the only one', async () => {
    const { db, fx, rates, run } = await startHeld();

    const { stdout } = await run('held');
    const several = [await run('approve', '2026-11-20'), await run('reject', '2026-11-20')];
    const other = await run('approve', '2026-11-19');
    const undecided = await listHeld(db);
    const rejected = await run('reject', fx);
    const approved = await run('approve', '2026-11-20');

    const at = '2026-11-20 {2}2026-11-20T16:00:00.000Z';
    expect(stdout).toMatch(new RegExp(`${fx} +fx +${at} +USD [0-9.]+ → 11\\.6, a factor of 2`));
    expect(stdout).toMatch(new RegExp(`${rates} +rates +${at} +HU: standard rate 35, expected 15`));
    const stderr = `several snapshots of 2026-11-20 are held: ${fx} (fx) and ${rates} (rates); name one by its id\n`;
    expect(several).toEqual([1, 2].map(() => ({ code: 1, stdout: '', stderr })));
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('is not held') });
    expect(undecided).toHaveLength(2);
    expect(rejected.stdout).toBe('fx 2026-11-20 rejected\n');
    expect(approved.stdout).toBe('rates 2026-11-20 published; changes: 1\n');
    expect(await listHeld(db)).toEqual([]);
  });

  it('fail if the snapshot is no longer held when the decision is stored', async () => {
    const { db, fx, run } = await startHeld();
    // The decision then changes no row, as if another operator had decided just before.
    await sql`create trigger decided before update on held_snapshots begin select raise(ignore); end`.execute(
      db,
    );

    const stderr = `${fx} is not held; "snapshots held" lists the held snapshots\n`;
    expect(await run('reject', fx)).toEqual({ code: 1, stdout: '', stderr });
  });

  it.each(['approve', 'reject'])(
    '%s leaves a kind that this version does not know',
    async (what) => {
      const { db, fx, run } = await startHeld();
      const held = db.updateTable('held_snapshots').where('kind', '=', 'fx');
      await held.set({ kind: 'thresholds' }).execute();

      const { code, stderr } = await run(what, fx);

      expect(code).toBe(1);
      expect(stderr).toContain('is a snapshot of thresholds, which this version does not know');
      expect((await listHeld(db)).map(({ kind }) => kind as string)).toContain('thresholds');
    },
  );
});

describe('fx corrections | correct (operator.md, contract C20)', () => {
  it('lists values that the ECB has changed, and applies them once', async () => {
    const service = await startService({ at: before, lived: [before] });
    const env = settingsBeside(service);
    correctFixing(service.scenario, '2026-11-18', 'NOK', '11.5829');
    await service.liveAt(after);

    const open = await runCommand(['fx', 'corrections'], env);
    const list = await runForJson(['fx', 'corrections'], env);
    const applied = await runCommand(['fx', 'correct', '2026-11-18'], env);
    const again = await runCommand(['fx', 'correct', '2026-11-18'], env);

    expect(open.stdout).toMatch(/^date +currency +published +upstream +seen at\n2026-11-18 +NOK +/);
    expect(list).toMatchObject([{ date: '2026-11-18', currency: 'NOK', upstream: '11.5829' }]);
    expect(applied.stdout).toMatch(
      /^2026-11-18 corrected: NOK [0-9.]+ → 11\.5829\n\/fx\/2026-11-18 was answered as immutable/,
    );
    expect(again).toMatchObject({ code: 1, stdout: '' });
  });
});
