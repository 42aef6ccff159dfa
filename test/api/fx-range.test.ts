import { describe, expect, it } from 'vitest';
import { correctPublication } from '../../src/fx/corrections.ts';
import { isoDate } from '../../src/platform/time.ts';
import { startService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';
const week = '/fx/range?from=2026-11-16&to=2026-11-20&currencies=USD,JPY';

describe('GET /fx/range', () => {
  it('is answered without a look at the stored bodies', async () => {
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

  it('follows a correction that an operator applies (contract C8, C20)', async () => {
    const service = await startService({ lived: [friday] });
    const before = await service.get(week);
    service.scenario.correctFixing('2026-11-19', 'USD', '1.1601');
    await service.liveAt('2026-11-23T16:00:00Z');

    const date = isoDate('2026-11-19');
    await correctPublication(service.core.db, date, '2026-11-23T16:00:00.000Z');
    await service.core.watch.poll();

    const after = await service.get(week);
    const values = (text: string): unknown =>
      (JSON.parse(text) as { rates: { USD: number[] } }).rates.USD;
    const expected = (values(before.text) as number[]).with(3, 1.1601);
    expect(values(after.text)).toEqual(expected);
  });
});
