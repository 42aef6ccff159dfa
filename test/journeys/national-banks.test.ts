import { describe, expect, it } from 'vitest';
import { bankSeries } from '../../src/fx/banks/banks.ts';
import { readCompleteness } from '../../src/fx/absences/completeness.ts';
import type { BankName } from '../../src/platform/publication/data-set-kinds.ts';
import { bankFacts } from '../../src/sandbox/banks/bank-simulators.ts';
import { isWorkingDay } from '../../src/sandbox/banks/calendar.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { datesFrom } from './support/days.ts';
import { JobProcess } from './support/job-process.ts';
import { startBeside } from './support/start-beside.ts';

const now = '2026-03-02T15:00:00Z';
const first = '2024-06-03';
const world = { at: now, fxFrom: first, config: { fxBanks: ['nbp', 'cnb'] } } as const;

describe('the first fill of a national bank (rules N9, N10)', () => {
  it.each<[BankName, nth: number, through: string, next: string]>([
    ['nbp', 4, '2024-12-14', '/A/2024-11-14/2025-02-14/'],
    ['cnb', 2, '2024-12-31', 'year=2024'],
  ])(
    'of the %s goes on behind the last whole answer after kill -9 in a transaction',
    async (bank, nth, through, next) => {
      const service = await startService(world);
      const { core, sandbox, config } = service;
      const { databaseUrl, tedbUrl, ecbUrl, fxBanks, nbpUrl, cnbUrl } = config;
      const filling = new JobProcess();
      const banks = { fxBanks, nbpUrl, cnbUrl };
      const killBefore = { sql: 'insert into "bank_reads"', nth };
      await filling.start({ databaseUrl, tedbUrl, ecbUrl, banks, now, job: bank, killBefore });
      expect(await filling.ended()).toMatchObject({ kind: 'killed' });

      // The other replica follows what was stored.
      await core.watch.poll();
      const published = publishedBy(bank);
      const before = await datesOf(service, bank);
      const { completeThrough } = await readCompleteness(core.db, bankSeries[bank]);
      expect(completeThrough).toBe(through);
      expect(before).toEqual(published.filter((date) => date <= through));

      sandbox.requests.clear();
      await core.db.updateTable('leases').set({ expires_at: '' }).execute();
      const reports = await core.jobs[bank]?.refresh(0);
      expect(reports?.at(-1)).toMatchObject({ outcome: 'published', version: '2026-03-02' });
      expect(sandbox.requests.of(bank)[0]?.file).toContain(next);
      expect(await datesOf(service, bank)).toEqual(published);
    },
  );

  it('is made by one replica, and the other one follows', async () => {
    const service = await startService(world);
    const other = await startBeside(service);
    let meanwhile: unknown = 'not asked';
    await service.core.jobs.cnb?.refresh(0, () => {
      if (meanwhile === 'not asked') meanwhile = other.core.jobs.cnb?.refresh(0);
    });
    expect(await meanwhile).toBeUndefined();

    await other.core.watch.poll();
    expect(await datesOf(other, 'cnb')).toEqual(publishedBy('cnb'));
    const [one, same] = [await service.get('/fx/cnb'), await other.get('/fx/cnb')];
    expect([same.status, same.text]).toEqual([200, one.text]);
    expect(await other.core.jobs.cnb?.refresh(0)).toMatchObject([{ outcome: 'unchanged' }]);
  });
});

/** The dates of the publications of a simulated bank. */
function publishedBy(bank: BankName): readonly string[] {
  const { holidays } = bankFacts[bank];
  return datesFrom(first, now.slice(0, 10)).filter((date) => isWorkingDay(date, holidays));
}

async function datesOf(service: TestService, bank: BankName): Promise<readonly string[]> {
  const { text } = await service.get(`/fx/${bank}/dates`);
  return (JSON.parse(text) as { readonly dates: readonly string[] }).dates;
}
