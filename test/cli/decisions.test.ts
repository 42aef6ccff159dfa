import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { listHeld } from '../../src/platform/publication/held-store.ts';
import { runForJson, type Environment, runCommand } from '../support/run-cli.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import { changeRate, correctFixing, publishValue } from '../support/sandbox/scripts.ts';

/** Tests the texts for a person. The effects of the commands are tested in `test/journeys/gate-*.test.ts`. */
describe('snapshots held | approve | reject (operator.md)', () => {
  it('prints a sentence if nothing is held', async () => {
    const service = await startService();

    const { code, stdout } = await runCommand(['snapshots', 'held'], settingsBeside(service));

    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing is held.\n' });
  });

  it('lists both kinds in one table, with the reasons', async () => {
    const service = await startHeld();

    const { stdout } = await runCommand(['snapshots', 'held'], settingsBeside(service));

    const [titles, ...rows] = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(titles).toEqual(['id', 'kind', 'version', 'held at', 'reasons']);
    expect(rows.map(([, kind, version, heldAt]) => ({ kind, version, heldAt }))).toEqual(
      ['fx', 'rates'].map((kind) => ({
        kind,
        version: '2026-11-20',
        heldAt: '2026-11-20T16:00:00.000Z',
      })),
    );
    expect(rows[0]?.[4]).toMatch(/^USD [0-9.]+ → 11\.6, a factor of 2 or more$/);
    expect(rows[1]?.[4]).toMatch(/^HU: standard rate 35, expected 15 to 30; /);
  });

  it('prints the decision in one line', async () => {
    const service = await startHeld();
    const [fx, rates] = await listHeld(service.core.db);

    const approved = await runCommand(
      ['snapshots', 'approve', rates?.id ?? ''],
      settingsBeside(service),
    );
    const rejected = await runCommand(
      ['snapshots', 'reject', fx?.id ?? ''],
      settingsBeside(service),
    );

    expect(approved.stdout).toBe('rates 2026-11-20 published; changes: 1\n');
    expect(rejected.stdout).toBe('fx 2026-11-20 rejected\n');
    expect(await listHeld(service.core.db)).toEqual([]);
  });
});

describe('snapshots approve | reject DATE', () => {
  it.each([
    ['approve', '2026-11-20'],
    ['reject', '2026-11-20'],
  ])(
    'does not %s if several of that date are held, and names their ids',
    async (decision, date) => {
      const service = await startHeld();
      const [fx, rates] = await listHeld(service.core.db);

      const decided = await runCommand(['snapshots', decision, date], settingsBeside(service));

      expect(decided).toEqual({
        code: 1,
        stdout: '',
        stderr: `several snapshots of ${date} are held: ${fx?.id} (fx) and ${rates?.id} (rates); name one by its id\n`,
      });
      expect(await listHeld(service.core.db)).toHaveLength(2);
    },
  );

  it('decides on the only one of that date', async () => {
    const service = await startHeld();
    const env = settingsBeside(service);
    const [fx] = await listHeld(service.core.db);
    const rejected = await runForJson(['snapshots', 'reject', fx?.id ?? ''], env);

    const approved = await runCommand(['snapshots', 'approve', '2026-11-20'], env);

    expect(rejected).toMatchObject({ id: fx?.id, kind: 'fx', state: 'rejected' });
    expect(approved.stdout).toBe('rates 2026-11-20 published; changes: 1\n');
    expect(await listHeld(service.core.db)).toEqual([]);
  });

  it('says that no snapshot of another date is held', async () => {
    const service = await startHeld();

    const decided = await runCommand(
      ['snapshots', 'approve', '2026-11-19'],
      settingsBeside(service),
    );

    expect(decided).toEqual({
      code: 1,
      stdout: '',
      stderr: '2026-11-19 is not held; "snapshots held" lists the held snapshots\n',
    });
  });
});

describe('snapshots reject while another operator decides', () => {
  it('fails if the snapshot is no longer held when the decision is stored', async () => {
    const service = await startHeld();
    const { db } = service.core;
    const [fx] = await listHeld(db);
    // The decision then changes no row, as if the other operator had decided just before.
    await sql`create trigger decided before update on held_snapshots begin select raise(ignore); end`.execute(
      db,
    );

    const rejected = await runCommand(
      ['snapshots', 'reject', fx?.id ?? ''],
      settingsBeside(service),
    );

    expect(rejected).toEqual({
      code: 1,
      stdout: '',
      stderr: `${fx?.id} is not held; "snapshots held" lists the held snapshots\n`,
    });
  });
});

describe('a held snapshot of a kind that this version does not know', () => {
  it.each(['approve', 'reject'])('is left as it is by snapshots %s', async (decision) => {
    const service = await startHeld();
    const { db } = service.core;
    const [fx] = await listHeld(db);
    await db
      .updateTable('held_snapshots')
      .set({ kind: 'thresholds' })
      .where('kind', '=', 'fx')
      .execute();

    const { code, stderr } = await runCommand(
      ['snapshots', decision, fx?.id ?? ''],
      settingsBeside(service),
    );

    expect(code).toBe(1);
    expect(stderr).toContain('is a snapshot of thresholds, which this version does not know');
    expect((await listHeld(db)).map(({ kind }) => kind as string)).toContain('thresholds');
  });
});

describe('fx corrections | correct (operator.md, contract C20)', () => {
  it('lists values that the ECB has changed, and applies them', async () => {
    const service = await startService({ at: '2026-11-19T16:00:00Z' });
    await service.liveAt('2026-11-19T16:00:00Z');
    const none = await runCommand(['fx', 'corrections'], settingsBeside(service));
    correctFixing(service.scenario, '2026-11-18', 'NOK', '11.5829');
    await service.liveAt('2026-11-20T16:00:00Z');

    const open = await runCommand(['fx', 'corrections'], settingsBeside(service));
    const list = await runForJson(['fx', 'corrections'], settingsBeside(service));
    const applied = await runCommand(['fx', 'correct', '2026-11-18'], settingsBeside(service));
    const again = await runCommand(['fx', 'correct', '2026-11-18'], settingsBeside(service));

    expect(none.stdout).toBe('There are no corrections: the ECB has changed no published value.\n');
    expect(open.stdout).toMatch(/^date +currency +published +upstream +seen at\n2026-11-18 +NOK +/);
    expect(list).toMatchObject([{ date: '2026-11-18', currency: 'NOK', upstream: '11.5829' }]);
    expect(applied.stdout).toMatch(
      /^2026-11-18 corrected: NOK [0-9.]+ → 11\.5829\n\/fx\/2026-11-18 was answered as immutable/,
    );
    expect(again).toMatchObject({ code: 1, stdout: '' });
  });
});

async function startHeld(): Promise<TestService> {
  const service = await startService({ at: '2026-11-19T16:00:00Z' });
  await service.liveAt('2026-11-19T16:00:00Z');
  changeRate(service.scenario, 'HU', 'standard', ['35'], '2026-11-20');
  publishValue(service.scenario, '2026-11-20', 'USD', '11.6');
  await service.liveAt('2026-11-20T16:00:00Z');
  return service;
}

function settingsBeside({ config }: TestService): Environment {
  return databaseSettings(config.databaseUrl);
}
