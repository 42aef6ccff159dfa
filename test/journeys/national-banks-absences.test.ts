import { describe, expect, it } from 'vitest';
import { bankSeries } from '../../src/fx/banks/banks.ts';
import { bankDataSets } from '../../src/fx/banks/data-sets.ts';
import { closeDay } from '../../src/fx/absences/closings.ts';
import { listCorrections } from '../../src/platform/publication/correction-store.ts';
import type { BankName } from '../../src/platform/publication/data-set-kinds.ts';
import { listHeld } from '../../src/platform/publication/held-store.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { setNow } from '../support/sandbox/scripts.ts';
import { startService, type StartOptions, type TestService } from '../support/start-service.ts';

// Both zones are an hour ahead of UTC.
const monday = '2026-03-02T15:00:00Z';
const afterMidnight = '2026-03-03T23:06:00Z';
const hourLater = '2026-03-04T00:11:00Z';
const tuesday = isoDate('2026-03-03');
const notYet = 'fx rate not published yet';
const immutable = 'public, max-age=31536000, immutable';
const hours = (count: number): number => count * 3_600;

const start = async (bank: BankName, options: StartOptions = {}): Promise<TestService> =>
  startService({
    at: monday,
    fxFrom: '2026-02-02',
    config: { fxBanks: [bank] },
    lived: [monday],
    ...options,
  });

/** The tax point for which a publication of the given day counts, if there is one. */
const taxPointOf = (bank: BankName, day: string): string =>
  bank === 'nbp' ? new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10) : day;

type Asked = { readonly date: string; readonly cached?: unknown; readonly retryAfter?: number };

/** The publication for a day, or the error; with the header that says how long it holds. */
async function ask(service: TestService, bank: BankName, day: string): Promise<Asked> {
  const country = bank === 'nbp' ? 'PL' : 'CZ';
  const path = `/fx/vat/${taxPointOf(bank, day)}?country=${country}&bank=${bank}`;
  const { text, headers } = await service.get(path);
  const { date, error } = JSON.parse(text) as { readonly date?: string; readonly error?: string };
  if (date !== undefined) return { date, cached: headers['cache-control'] };
  return { date: error ?? '', retryAfter: Number(headers['retry-after']) };
}

const lastRun = async ({ core }: TestService, bank: BankName) => (await core.runs.list(1, bank))[0];
const heldDays = async ({ core }: TestService, bank: BankName) =>
  (await listHeld(core.db, bank)).map(({ version }) => version);

describe.each(['nbp', 'cnb'] as const)(
  'a day without a publication of the %s (rule N7b)',
  (bank) => {
    it.each([
      ['an answer of 16 hours ago, from a cache', { ageSeconds: hours(16) }],
      ['the body of the day before, with the Date of now', { staleSeconds: hours(16) }],
    ])('is not proved by %s', async (_, fault) => {
      const service = await start(bank);
      service.scenario.apply({ [bank]: fault });
      await service.liveAt(afterMidnight);
      expect((await ask(service, bank, tuesday)).date).toBe(notYet);

      service.scenario.apply({ [bank]: { ageSeconds: 0, staleSeconds: 0 } });
      await service.liveAt(hourLater);
      expect(await ask(service, bank, tuesday)).toEqual({ date: tuesday, cached: immutable });
    });

    it('is not proved by answers that contradict stored values, and their runs fail', async () => {
      const service = await start(bank);
      service.scenario.apply({ [bank]: { staleSeconds: hours(16), perMille: 1_010 } });
      for (const at of [afterMidnight, hourLater]) {
        await service.liveAt(at);
        expect(await lastRun(service, bank)).toMatchObject({
          outcome: 'failed',
          failure: 'unusable_answer',
          detail: expect.stringContaining('other values than 21 of the 21 stored publications'),
        });
      }
      expect((await ask(service, bank, tuesday)).date).toBe(notYet);
      expect(await listCorrections(service.core.db, bank)).toEqual([]);

      service.scenario.apply({ [bank]: { staleSeconds: 0, perMille: 1_000 } });
      await service.liveAt('2026-03-04T01:12:00Z');
      expect((await ask(service, bank, tuesday)).date).toBe(tuesday);
    });

    it('that the calendar calls open is proved by a second answer, 65 minutes later, which Retry-After names', async () => {
      const service = await start(bank);
      service.scenario.apply({ [bank]: { closedDays: [tuesday] } });
      await service.liveAt(afterMidnight);
      expect(await ask(service, bank, tuesday)).toEqual({ date: notYet, retryAfter: 65 * 60 });

      await service.liveAt('2026-03-04T00:05:59Z');
      expect((await ask(service, bank, tuesday)).date).toBe(notYet);
      await service.liveAt(hourLater);
      expect(await ask(service, bank, tuesday)).toEqual({ date: '2026-03-02', cached: immutable });
    });

    it('is held alone if its publication comes after that, and may be approved beside later ones', async () => {
      const service = await start(bank);
      service.scenario.apply({ [bank]: { missing: [tuesday] } });
      for (const at of [afterMidnight, hourLater]) await service.liveAt(at);
      expect((await ask(service, bank, tuesday)).date).toBe('2026-03-02');

      service.scenario.apply({ [bank]: { missing: [] } });
      for (const at of ['2026-03-04T15:00:00Z', '2026-03-04T23:06:00Z']) await service.liveAt(at);
      const [held] = await listHeld(service.core.db, bank);
      expect(await heldDays(service, bank)).toEqual([tuesday]);
      expect((await ask(service, bank, tuesday)).date).toBe(notYet);
      expect((await ask(service, bank, '2026-03-04')).date).toBe('2026-03-04');

      if (held === undefined) throw new Error('not held');
      const { compareHeld } = bankDataSets[bank];
      expect(await compareHeld(service.core.db, held)).toMatchObject({
        comparedWith: '2026-03-02',
      });
      await service.core.jobs[bank]?.publishHeld({ ...held, comparedWith: '2026-03-02' }, 0);
      expect((await ask(service, bank, tuesday)).date).toBe(tuesday);
      expect((await service.get(`/fx/${bank}`)).text).toContain('"date":"2026-03-04"');
    });
  },
);

describe('the last open day of a year without a table (rule N7b)', () => {
  const lastDay = isoDate('2026-12-31');
  const newYear = ['2026-12-31T23:06:00Z', '2027-01-01T00:12:00Z', '2027-01-04T15:00:00Z'];

  it('is a hole, also after two answers and table 001, until the table is there', async () => {
    const at = '2026-12-30T15:00:00Z';
    const service = await start('nbp', { at, fxFrom: '2026-12-01', lived: [at] });
    service.scenario.apply({ nbp: { missing: [lastDay] } });
    for (const moment of newYear) {
      await service.liveAt(moment);
      expect((await ask(service, 'nbp', lastDay)).date).toBe(notYet);
    }
    expect((await ask(service, 'nbp', '2027-01-03')).date).toBe(notYet);
    expect((await lastRun(service, 'nbp'))?.detail).toMatch(
      /a publication of 2026-12-31 is missing.*asked again at \d\d:\d\d UTC.*fx closed 2026-12-31 --bank nbp/,
    );

    // However old it is, each run asks for it again.
    service.scenario.apply({ nbp: { missing: [] } });
    setNow(service.scenario, '2027-06-01T15:00:00Z');
    for (let times = 0; times < 2; times += 1) await service.core.jobs.nbp?.refresh(0);
    expect(await heldDays(service, 'nbp')).toEqual([]);
    expect(await ask(service, 'nbp', '2027-01-03')).toEqual({ date: lastDay, cached: immutable });
  });
});

describe('a table that is missing where a span of the first fill ends', () => {
  const missing = isoDate('2025-03-17');
  const refused = `fx closed ${missing} --bank nbp`;

  const runOf = async ({ core }: TestService) => (await core.jobs.nbp?.refresh(0))?.at(-1);

  async function fill(): Promise<TestService> {
    const service = await start('nbp', { fxFrom: '2024-12-01', lived: [] });
    service.scenario.apply({ nbp: { missing: [missing] } });
    for (let times = 0; times < 2; times += 1) {
      const run = await runOf(service);
      expect(run).toMatchObject({ outcome: 'failed', detail: expect.stringContaining(refused) });
      expect(run?.detail).toContain('asked again at');
    }
    return service;
  }

  it('fails the run until the bank has it; then all is published', async () => {
    const service = await fill();
    service.scenario.apply({ nbp: { missing: [] } });

    expect(await runOf(service)).toMatchObject({ outcome: 'published', version: '2026-03-02' });
    expect(await heldDays(service, 'nbp')).toEqual([]);
    expect((await ask(service, 'nbp', missing)).date).toBe(missing);
  });

  it('fails the run until an operator says that the bank published none', async () => {
    const service = await fill();
    const by = { actor: 'ann@web', reason: 'notice of the bank' };
    const closing = { date: missing, at: '2026-03-02T17:00:00.000Z', by };
    expect(await closeDay(service.core.db, bankSeries.nbp, closing)).toBeUndefined();

    expect(await runOf(service)).toMatchObject({ outcome: 'published', version: '2026-03-02' });
    expect(await ask(service, 'nbp', missing)).toEqual({ date: '2025-03-14', cached: immutable });
  });
});

describe('a database of version 0.3 (docs/upgrading.md)', () => {
  /** Leaves of what is known what version 0.3 stores. */
  async function forgetProofs({ core }: TestService): Promise<void> {
    await core.db.deleteFrom('bank_absences').execute();
    const earlier_through = core.db.selectFrom('bank_reads').select('complete_through');
    await core.db.updateTable('bank_reads').set({ earlier_through }).execute();
  }

  it.each<[BankName, day: string, at: string, before: string, after: Asked['date']]>([
    ['cnb', '2026-02-25', monday, '2026-02-24', '2026-02-24'],
    ['nbp', '2026-12-31', '2027-01-04T15:00:00Z', '2026-12-30', notYet],
  ])(
    'of the %s has answers that are not immutable until two runs an hour apart',
    async (bank, day, at, before, after) => {
      const own = { at, fxFrom: at.startsWith('2027') ? '2026-12-01' : '2026-02-02' };
      const script = bank === 'nbp' ? 'missing' : 'closedDays';
      const service = await start(bank, {
        ...own,
        lived: [at],
        script: (scenario) => scenario.apply({ [bank]: { [script]: [isoDate(day)] } }),
      });
      await forgetProofs(service);
      await service.restart();

      const weak = { date: before, cached: 'public, max-age=300, stale-while-revalidate=86400' };
      expect(await ask(service, bank, day)).toEqual(weak);
      await service.core.jobs[bank]?.refresh(0);
      expect(await ask(service, bank, day)).toEqual(weak);
      expect(service.logLines.join('')).toContain('to version 0.3: two runs an hour apart ask');

      service.passTime(66 * 60_000);
      await service.core.jobs[bank]?.refresh(0);
      const found = await ask(service, bank, day);
      expect([found.date, found.cached]).toEqual([after, after === before ? immutable : undefined]);
    },
  );
});
