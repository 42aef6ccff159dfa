import { expect, it } from 'vitest';
import { ecb } from '../../src/fx/ecb/ecb.ts';
import { correctPublication } from '../../src/fx/publishing/corrections.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { correctFixing } from '../support/sandbox/scripts.ts';
import { startService } from '../support/start-service.ts';

const friday = '2026-11-20T16:00:00Z';

it('a rate by law has the corrected value after `fx correct`, also from memory (legal-fx L6)', async () => {
  const service = await startService({ lived: [friday] });
  const path = '/fx/customs/2026-12';
  const before = await service.get(path);
  correctFixing(service.scenario, '2026-11-18', 'USD', '1.1601');
  await service.liveAt('2026-11-23T16:00:00Z');
  expect((await service.get(path)).text).toBe(before.text);

  await correctPublication(service.core.db, ecb, { date: isoDate('2026-11-18'), at: friday });

  await expect.poll(async () => (await service.get(path)).text).toContain('"USD":1.1601,');
  expect((await service.get(path)).headers['etag']).not.toBe(before.headers['etag']);
});
