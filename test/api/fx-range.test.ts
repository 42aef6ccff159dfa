import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ecb } from '../../src/fx/ecb/ecb.ts';
import { correctPublication } from '../../src/fx/publishing/corrections.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { startService } from '../support/start-service.ts';
import { isPostgresql, openTemporaryDatabase } from '../support/temporary-database.ts';
import { addCaller, usedBy } from './support/caller.ts';
import { correctFixing } from '../support/sandbox/scripts.ts';

const friday = '2026-11-20T16:00:00Z';
const week = '/fx/range?from=2026-11-16&to=2026-11-20&currencies=USD,JPY';

describe('GET /fx/range', () => {
  it('is answered without reading the stored bodies', async () => {
    const service = await startService({ lived: [friday] });
    const before = await service.get(week);

    await service.core.db.updateTable('fx_snapshots').set({ body: 'unreadable' }).execute();
    const fromThursday = week.replace('11-16', '11-19');

    expect([before.status, (await service.get(fromThursday)).status]).toEqual([200, 200]);
  });

  it('has the whole history after a start on a database of an earlier version', async () => {
    const service = await startService({ lived: [friday] });
    const before = await service.get(week);
    await service.core.db.deleteFrom('fx_columns').execute();

    await service.restart();

    expect((await service.get(week)).text).toBe(before.text);
  });

  it('is charged as one request for each 400 days, with and without a cached response', async () => {
    const service = await startService({ lived: [friday] });
    const caller = await addCaller(service, { rateLimit: 80 });
    const history = '/fx/range?from=1999-01-04&to=2026-11-20&currencies=USD';
    const reordered = '/fx/range?currencies=usd&to=2026-11-20&from=1999-01-04';

    const answers = [];
    for (const path of [history, history, reordered, history]) {
      answers.push((await caller.get(path)).status);
    }

    expect(answers).toEqual([200, 200, 200, 429]);
    expect(await usedBy(caller)).toEqual([78, 78]);
    expect((await caller.get(week)).status).toBe(200);
  });

  it.skipIf(!isPostgresql)('is refused while two ranges of the same key are read', async () => {
    const service = await startService({ lived: [friday] });
    const other = await openTemporaryDatabase(service.config.databaseUrl);
    const [one, two, three] = ['11-16', '11-17', '11-18'].map((day) => week.replace('11-16', day));
    const caller = await addCaller(service);

    const answers = await other.transaction().execute(async (tx) => {
      await sql`lock table fx_columns in access exclusive mode`.execute(tx);
      const begun = [caller.get(one ?? ''), caller.get(two ?? '')];
      await expect.poll(async () => usedBy(caller)).toEqual([2, 2]);
      const third = await caller.get(three ?? '');
      expect([third.status, third.text]).toEqual([429, '{"error":"RATE_LIMITED"}']);
      expect((await caller.get('/rates')).status).toBe(200);
      return begun;
    });

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await caller.get(three ?? '')).status).toBe(200);
  });

  it('follows a correction that an operator applies (contract C8, C20)', async () => {
    const service = await startService({ lived: [friday] });
    const before = await service.get(week);
    correctFixing(service.scenario, '2026-11-19', 'USD', '1.1601');
    await service.liveAt('2026-11-23T16:00:00Z');

    const date = isoDate('2026-11-19');
    await correctPublication(service.core.db, ecb, { date, at: '2026-11-23T16:00:00.000Z' });
    await service.core.watch.poll();

    const after = await service.get(week);
    const values = (text: string): unknown =>
      (JSON.parse(text) as { rates: { USD: number[] } }).rates.USD;
    const expected = (values(before.text) as number[]).with(3, 1.1601);
    expect(values(after.text)).toEqual(expected);
  });
});
