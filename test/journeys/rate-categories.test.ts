import { describe, expect, it } from 'vitest';
import { isoDate } from '../../src/platform/time/time.ts';
import {
  findSnapshotCategories,
  readCountryRows,
} from '../../src/rates/categories/category-store.ts';
import { liveDay, ratesMoment } from './support/days.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import { runVatfxForJson } from './support/run-vatfx.ts';

const yesterday = '2025-07-31';
/** Romania changes three rates on this day. */
const today = '2025-08-01';
const start = { at: `${yesterday}T05:00:00Z`, fxFrom: '2025-07-01' } as const;

async function findSets(service: TestService, date: string) {
  return findSnapshotCategories(service.core.db, isoDate(date));
}

describe('the rows by goods category of a snapshot (rule G2)', () => {
  it('are stored with it, and shared with the days before for countries without changes', async () => {
    const service = await startService(start);

    await liveDay(service, yesterday);
    await service.liveAt(ratesMoment(today));

    const before = await findSets(service, yesterday);
    const after = await findSets(service, today);
    const moved = Object.entries(after?.sets ?? {}).filter(([c, id]) => before?.sets[c] !== id);
    expect(Object.keys(before?.sets ?? {})).toHaveLength(27);
    expect(moved.map(([country]) => country)).toEqual(['RO']);
    expect([before?.comparedWith, after?.comparedWith]).toEqual([undefined, yesterday]);
    const stored = service.core.db.selectFrom('rate_category_sets').select('id');
    expect(await stored.execute()).toHaveLength(28);
    const days = await service.core.db.selectFrom('rate_categories').select('sets').execute();
    // A day costs its list of sets, and no rows.
    for (const { sets } of days) expect(sets.length).toBeLessThan(1_200);
  });

  it('are published with a held snapshot that an operator approves', async () => {
    const service = await startService(start);
    await liveDay(service, yesterday);
    changeRate(service.scenario, 'HU', 'standard', ['35'], today);
    await service.liveAt(ratesMoment(today));
    const whileHeld = await findSets(service, today);
    const env = databaseSettings(service.config.databaseUrl);
    const [held] = await runVatfxForJson<readonly { readonly id: string }[]>(
      ['snapshots', 'held'],
      env,
    );

    await runVatfxForJson(['snapshots', 'approve', held?.id ?? ''], env);

    const published = await findSets(service, today);
    expect(whileHeld).toBeUndefined();
    expect(Object.keys(published?.sets ?? {})).toHaveLength(27);
    expect(published?.comparedWith).toBe(yesterday);
    expect(await readCountryRows(service.core.db, published?.sets ?? {})).toHaveLength(27);
  });
});

describe('the gate for rows by goods category (rule G10)', () => {
  it('holds a snapshot in which a country lost its rows', async () => {
    const service = await startService(start);
    await liveDay(service, yesterday);
    // The previous snapshot gets a further country, because the sandbox always answers for all.
    await service.core.db
      .updateTable('rate_categories')
      .set({ sets: JSON.stringify({ ...(await findSets(service, yesterday))?.sets, XX: 'cs_x' }) })
      .execute();
    const row = { category: 'A', cnCodes: [], cpaCodes: [], rate: '5', treatment: 'rate' };
    await service.core.db
      .insertInto('rate_category_sets')
      .values({ id: 'cs_x', country: 'XX', rows: JSON.stringify([row]) })
      .execute();

    await service.liveAt(ratesMoment(today));

    const [run] = await service.core.runs.list(1, 'rates');
    expect(run).toMatchObject({ outcome: 'held', version: today });
    expect(run?.detail).toMatch(/: XX: no goods categories, it had 1 rows$/);
  });
});
