import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/database.ts';
import { addDays, isoDate } from '../../src/platform/time/time.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { type Environment, runCommand, runForJson } from '../support/run-cli.ts';
import { runDoctor } from './support/run-doctor.ts';

type Run = { readonly outcome: string; readonly version: string };

/** Settings with the NBP, of which all days before the history of the sandbox are known, so that two requests bring the rest. */
async function prepare() {
  const { env, sandbox, today } = await startUpstreams();
  const settings: Environment = { ...env, FX_BANKS: 'nbp' };
  await runCommand(['migrate'], settings);
  const db = await openDatabase(settings['DATABASE_URL'] ?? '');
  const complete_through = addDays(isoDate(today), -121);
  await db
    .insertInto('bank_reads')
    .values({ bank: 'nbp', complete_through, fetched_at: `${today}T00:00:00.000Z` })
    .execute();
  await db.destroy();
  return { settings, scenario: sandbox.scenario };
}

describe('commands with a national bank (rule N12)', () => {
  it('run its job, list its corrections and apply them', async () => {
    const { settings, scenario } = await prepare();
    const first = await runForJson<Run>(['jobs', 'run', 'nbp'], settings);
    const date = first.version;
    scenario.apply({ nbp: { values: [{ date: isoDate(date), currency: 'EUR', value: '4.5' }] } });
    const second = await runForJson<Run>(['jobs', 'run', 'nbp'], settings);

    expect([first.outcome, second.outcome]).toEqual(['published', 'unchanged']);
    expect(await runForJson(['fx', 'corrections'], settings)).toMatchObject([
      { bank: 'nbp', date, currency: 'EUR', upstream: '4.5' },
    ]);
    const ofEcb = await runCommand(['fx', 'correct', date], settings);
    expect(ofEcb.stderr).toContain(`there is no correction for ${date}`);
    const applied = await runCommand(['fx', 'correct', date, '--bank', 'nbp'], settings);
    expect([applied.code, applied.stdout]).toEqual([
      0,
      expect.stringContaining(`/fx/nbp/${date} was answered as immutable`),
    ]);
    const { stdout } = await runCommand(['fx', 'corrections'], settings);
    expect(stdout).toBe('There are no corrections: no bank has changed a published value.\n');
    expect(await runForJson(['audit'], settings)).toMatchObject([
      { action: 'fx.correct', subject: date, detail: { bank: 'nbp' } },
    ]);
  });

  it('say that it published nothing on a day, list those days, and take it back', async () => {
    const { settings } = await prepare();
    const { version } = await runForJson<Run>(['jobs', 'run', 'nbp'], settings);
    const of = (command: string, date: string) => [
      'fx',
      command,
      date,
      '--bank',
      'nbp',
      '--reason',
      'notice of the bank',
    ];
    // The newest day may not have ended. One of seven days before it is the same day of the week.
    const weekBefore = addDays(isoDate(version), -7);
    const published = await runCommand(of('closed', weekBefore), settings);
    expect(published.stderr).toContain(
      `/fx/nbp/${weekBefore} is published, so the day is not closed`,
    );

    const closed = await runCommand(of('closed', '2026-01-03'), settings);
    const again = await runCommand(of('closed', '2026-01-03'), settings);
    expect(closed.stdout).toContain('2026-01-03 is closed: the NBP published nothing on that day');
    expect(again.stderr).toContain('2026-01-03 is closed already');
    expect(await runForJson(['fx', 'closings'], settings)).toMatchObject([
      { bank: 'nbp', date: '2026-01-03', reason: 'notice of the bank' },
    ]);

    const reopened = await runCommand(of('reopen', '2026-01-03'), settings);
    expect(reopened.stdout).toContain('2026-01-03 is open again: the NBP is asked for it');
    const { stdout } = await runCommand(['fx', 'closings'], settings);
    expect(stdout).toBe('No operator has closed a day.\n');
  });

  it('check it, and advise about it', async () => {
    const { settings, scenario } = await prepare();
    await runCommand(['jobs', 'run', 'nbp'], settings);
    const good = await runDoctor(settings);
    scenario.apply({ nbp: { fault: 'html' } });
    const bad = await runDoctor(settings);

    // Whether the table of today is missed depends on the time of day.
    expect(good.found['nbp']?.found).toMatch(/^newest 20.* 0 held, 0 corrections$/);
    expect(good.found['nbp source']?.found).toMatch(/^exchange rates of 20/);
    expect(bad.found['nbp source']).toMatchObject({
      state: 'wrong',
      found: expect.stringContaining('a web page instead of data'),
      advice: expect.stringContaining('check NBP_URL'),
    });
    expect(Object.keys(good.found).filter((name) => name.startsWith('cnb'))).toEqual([]);
  });

  it.each([
    ['jobs run cnb', 'the bank cnb is not enabled; add it to FX_BANKS'],
    ['jobs run xyz', 'xyz is not a job, expected rates, fx, nbp, cnb'],
    ['fx correct 2026-03-02 --bank xyz', '--bank is xyz, expected nbp, cnb, '],
    ['fx closed 2026-03-02 --bank ecb --reason x', '--bank is ecb, expected nbp or cnb'],
    ['fx closed 2026-03-02 --bank nbp', '--reason is missing, expected where the bank says'],
    ['fx closed 2999-03-02 --bank nbp --reason x', '2999-03-02 has not ended where the bank is'],
    ['fx reopen 2026-03-02 --bank nbp --reason x', '2026-03-02 is not closed by an operator'],
  ])('%s says what is wrong', async (command, sentence) => {
    const { env } = await startUpstreams();
    const { code, stderr } = await runCommand(command.split(' '), { ...env, FX_BANKS: 'nbp' });
    expect([code > 0, stderr]).toEqual([true, expect.stringContaining(sentence)]);
  });

  it('FX_BANKS takes names of banks, each once, in any order', async () => {
    const { env } = await startUpstreams();
    const shown = await runCommand(['config'], { ...env, FX_BANKS: 'cnb, nbp,cnb' });
    const wrong = await runCommand(['config'], { ...env, FX_BANKS: 'nbp,ecb' });

    expect(shown.stdout).toMatch(/FX_BANKS +.*nbp,\s?cnb/);
    expect(wrong.stderr).toMatch(/FX_BANKS is "nbp,ecb", expected `nbp`.*, separated by commas/);
  });
});
