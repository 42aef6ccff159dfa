import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { parseSnapshot, printSnapshot } from '../../src/fx/snapshot.ts';
import { holdSnapshot, listHeld } from '../../src/platform/publication/held-store.ts';
import { everyCode } from '../support/every-code.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { backfill } from '../support/backfill.ts';
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
    expect(stdout).toMatch(
      new RegExp(`${fx} +fx +${at} +USD [0-9.]+ → 11\\.6, a factor of 2 or more +asked again`),
    );
    expect(stdout).toMatch(new RegExp(`${rates} +rates +${at} +HU: standard rate 35, expected 15`));
    const stderr = `several snapshots of 2026-11-20 are held: ${fx} (fx) and ${rates} (rates); name one by its id\n`;
    expect(several).toEqual([1, 2].map(() => ({ code: 1, stdout: '', stderr })));
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('is not held') });
    expect(undecided).toHaveLength(2);
    expect(rejected.stdout).toBe('fx 2026-11-20 rejected\n');
    expect(approved.stdout).toMatch(
      /HU +standard +27 +35\n[^]*\nrates 2026-11-20 published; changes: 1; /,
    );
    expect(await listHeld(db)).toEqual([]);
  });

  it('fail if the snapshot is no longer held when the decision is stored', async () => {
    const { db, fx, run } = await startHeld();
    // The decision then changes no row, as if another operator had decided just before.
    await sql`create trigger decided before update on held_snapshots begin select raise(ignore); end`.execute(
      db,
    );

    const stderr = `${fx} is not held; "npm run -s vatfx -- snapshots held" lists the held snapshots\n`;
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

describe('snapshots show | approve --yes (operator.md)', () => {
  /** A day without Germany and the Icelandic krona, on which Denmark has a reduced rate. */
  async function startDamaged() {
    const service = await startService({ at: before, lived: [before] });
    const { scenario } = service;
    changeRate(scenario, 'DK', 'reduced', ['6'], '2026-11-20');
    changeRate(scenario, 'FR', 'reduced', ['5.5', '9'], '2026-11-20');
    publishValue(scenario, '2026-11-20', 'USD', '11.6');
    scenario.apply({ tedb: { missing: ['DE'] }, ecb: { missing: ['ISK'] } });
    await service.liveAt(after);
    const [fx, rates] = await listHeld(service.core.db);
    if (fx === undefined || rates === undefined) throw new Error('not held');
    const env = settingsBeside(service);
    const run = async (...args: readonly string[]) => runCommand(['snapshots', ...args], env);
    return { service, fx, rates, run, env };
  }

  const vanishing = [
    'Germany (DE) has no rates any more; it had: standard 19; reduced 7',
    'all goods of Germany (DE) vanish: 24 entries',
  ];

  it('say first what appears and vanishes, then each difference to the newest day', async () => {
    const { service, fx, rates, run, env } = await startDamaged();

    const document = await runForJson(['snapshots', 'show', rates.id], env);
    const { stdout } = await run('show', rates.id);
    const ofFx = await runForJson(['snapshots', 'show', fx.id], env);
    const lines = service.logLines.filter((line) => line.includes('held for a decision'));

    const notices = ['Denmark (DK) has a reduced rate, which it had not: 6'];
    expect(document).toEqual({
      id: rates.id,
      kind: 'rates',
      version: '2026-11-20',
      reasons: rates.reasons,
      heldAt: rates.heldAt,
      askedAgainAt: null,
      comparedWith: '2026-11-19',
      vanishes: vanishing,
      notices,
      rates: [
        { country: 'DE', kind: 'standard', old: ['19'], new: [] },
        { country: 'DE', kind: 'reduced', old: ['7'], new: [] },
        { country: 'DK', kind: 'reduced', old: [], new: ['6'] },
        { country: 'FR', kind: 'reduced', old: ['5.5', '10'], new: ['5.5', '9'] },
      ],
      goods: [
        { country: 'DE', before: 24, after: 0, added: 0, removed: 24, changed: 0 },
        { country: 'DK', before: 2, after: 4, added: 2, removed: 0, changed: 0 },
        { country: 'FR', before: 17, after: 17, added: 0, removed: 0, changed: 6 },
      ],
    });
    const sentences = [...vanishing, ...notices].map((one) => `- ${one}\n`).join('');
    expect(stdout).toContain(`newest stored day\n\n${sentences}\nrates:\ncountry  kind `);
    expect(stdout).toMatch(/\nFR +reduced +5\.5, 10 +5\.5, 9\n\ngoods:\n/);
    expect(stdout).toContain('\n\nWithout a decision: this day is not asked for again');
    expect(ofFx).toMatchObject({
      askedAgainAt: expect.any(String),
      vanishes: ['ISK vanishes; it was 148.76'],
      currencies: expect.arrayContaining([
        { currency: 'ISK', old: '148.76', new: null, percent: null },
        { currency: 'USD', old: '1.1581', new: '11.6', percent: 901.64 },
      ]),
    });
    const next =
      '"next":"asked again at 17:00 UTC by a server with JOBS=on; a plausible answer is published without you"';
    expect(lines).toEqual([1, 2].map(() => expect.stringContaining(next) as unknown));
  });

  it('publish nothing without --yes if rates, all goods or a currency vanish', async () => {
    const { service, fx, rates, run } = await startDamaged();
    const { db } = service.core;

    const refused = await run('approve', rates.id);
    const ofFx = await run('approve', fx.id);
    const [left, versions] = [await listHeld(db), (await service.get('/rates')).text];
    const approved = await run('approve', rates.id, '--yes');

    expect(refused.code).toBe(2);
    expect(refused.stdout).toContain('\nDE       standard  19       -\n');
    expect(refused.stderr).toContain(vanishing.map((one) => `- ${one}\n`).join(''));
    expect(refused.stderr).toContain('add --yes: this cannot be undone; callers are told.');
    expect(ofFx).toMatchObject({ code: 2, stderr: expect.stringContaining('- ISK vanishes') });
    expect(ofFx.stderr).not.toContain('callers are told');
    expect(left).toHaveLength(2);
    expect(versions).toContain('"version":"2026-11-19"');
    expect(approved.stdout).toContain('published; changes: 4; this cannot be undone; callers are');
    expect(await run('approve', fx.id, '--yes')).toMatchObject({ code: 0 });
  });

  it('compare the first day of all with nothing', async () => {
    const missing = ['DE', 'FR', 'IT', 'ES', 'NL', 'BE', 'AT', 'PL'];
    const script = (scenario: Scenario) => scenario.apply({ tedb: { missing } });
    const service = await startService({ at: before, lived: [before], script });

    const show = ['snapshots', 'show', '2026-11-19'];
    expect(await runForJson(show, settingsBeside(service))).toMatchObject({
      comparedWith: null,
      vanishes: [],
      notices: ['nothing is stored yet; this day has rates of 19 countries'],
    });
  });

  it('compare the first day of the job with the newest backfilled one, and publish it without an event', async () => {
    const service = await startService({ at: before });
    const beside = settingsBeside(service);
    await backfill(service, '2026-11-18');
    service.scenario.apply({ tedb: { missing: ['DE'] } });

    await service.liveAt(before);

    const [held] = await listHeld(service.core.db);
    expect(held?.reasons).toEqual([
      'DE: no standard rate, it was 19',
      'DE: no goods categories, it had 24 rows',
    ]);
    const approve = ['snapshots', 'approve', '2026-11-19'];
    const refused = await runCommand(approve, beside);
    expect(refused).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('compared with 2026-11-18, the newest stored day'),
      stderr: expect.stringContaining('- Germany (DE) has no rates any more; it had: standard 19'),
    });
    expect(refused.stderr).not.toContain('callers are told');
    expect(await runForJson([...approve, '--yes'], beside)).toMatchObject({
      outcome: 'published',
      changes: 0,
    });
  });

  it.each([
    ['another day was published', '2026-11-18', '2026-11-19 has been published meanwhile'],
    ['the newest day was taken back', '2026-11-20', '2026-11-20 has been taken back meanwhile'],
  ])('publish nothing if %s since the operator looked', async (_, comparedWith, sentence) => {
    const { service, rates } = await startDamaged();

    const run = await service.core.jobs.rates.publishHeld({ ...rates, comparedWith }, 0);

    expect(run).toMatchObject({
      outcome: 'failed',
      detail: `${rates.id}: ${sentence}; look again`,
    });
  });

  it('name the euro as the reason if it has replaced a currency that vanishes', async () => {
    const newYear = '2022-12-30T16:00:00Z';
    const service = await startService({ at: newYear, fxFrom: '2022-12-01', lived: [newYear] });
    publishValue(service.scenario, '2023-01-02', 'USD', '11.6');
    await service.liveAt('2023-01-02T16:00:00Z');

    const { code, stdout } = await runCommand(
      ['snapshots', 'approve', '2023-01-02'],
      settingsBeside(service),
    );

    expect(code).toBe(0);
    expect(stdout).toContain('\n- HRK vanishes, because the euro has replaced it\n');
  });
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

it('snapshots show is readable if there are thousands of new currencies (contract C19)', async () => {
  const service = await startService({ at: before, lived: [before] });
  const { db } = service.core;
  const { date, rates } = parseSnapshot((await service.get('/fx')).text);
  const added = everyCode.filter((code) => !rates.has(code));
  const candidate = printSnapshot({
    date,
    rates: new Map([...rates, ...added.map((code) => [code, '1.5'] as const)]),
  });
  const held = { version: date, reasons: ['many'], inputDigest: '', heldAt: before };
  const store = { ...held, kind: 'fx', candidate } as const;
  await db.transaction().execute(async (tx) => holdSnapshot(tx, store));

  const { stdout } = await runCommand(['snapshots', 'show', date], settingsBeside(service));

  expect(stdout).toContain(`\n- ${added.length - 50} more\n`);
  expect(stdout).toContain(`\n${added.length - 500} more; --json has all`);
  expect(stdout.split('\n').length).toBeLessThan(600);
});
