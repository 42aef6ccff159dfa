import { describe, expect, it } from 'vitest';
import { listHeld } from '../../src/platform/publication/held-store.ts';
import { startService, type StartOptions, type TestService } from '../support/start-service.ts';
import { databaseSettings } from '../support/temporary-database.ts';
import { fxMoment, liveDay, ratesMoment } from './support/days.ts';
import { boundOf, eventually } from '../support/eventually.ts';
import { readTrouble } from './support/log-reader.ts';
import { runVatfxForJson, type Environment } from './support/run-vatfx.ts';
import { correctFixing, publishValue } from '../support/sandbox/scripts.ts';

/** A Thursday and a Friday. */
const yesterday = '2025-07-31';
const today = '2025-08-01';
const anHourLater = `${today}T15:05:00Z`;

type Held = { readonly id: string; readonly kind: string; readonly version: string };

describe('a held FX publication (contract C19)', () => {
  it('is published by `snapshots approve`, and served within 2 s', async () => {
    const service = await startDoubted();
    const held = await runVatfxForJson<Held[]>(['snapshots', 'held'], operator(service));

    const approve = ['snapshots', 'approve', held[0]?.id ?? ''];
    const run = await runVatfxForJson(approve, operator(service));
    await eventually(async () => (await service.get('/fx')).text.includes(today), boundOf(2_000));

    expect(held).toMatchObject([{ kind: 'fx', version: today }]);
    expect(run).toMatchObject({ job: 'fx', outcome: 'published', version: today, published: 1 });
    expect((await service.get(`/fx/${today}`)).text).toContain('"USD":11.4');
  });

  it('is not held again after its rejection, and the right values are still published', async () => {
    const service = await startDoubted();
    const [held] = await listHeld(service.core.db, 'fx');

    await runVatfxForJson(['snapshots', 'reject', held?.id ?? ''], operator(service));
    // The file is written again without a change.
    service.scenario.apply({ ecb: { latencyMs: 0 } });
    await service.liveAt(anHourLater);
    const [repeated] = await service.core.runs.list(1, 'fx');
    correctFixing(service.scenario, today, 'USD', '1.1404');
    await service.liveAt(`${today}T16:05:00Z`);

    expect(repeated).toMatchObject({ outcome: 'unchanged', published: 0 });
    expect(await listHeld(service.core.db, 'fx')).toEqual([]);
    expect((await service.get(`/fx/${today}`)).text).toContain('"USD":1.1404');
  });
});

describe('GATE=warn (contract C19)', () => {
  it('publishes an implausible document with a warning', async () => {
    const service = await startDoubted({ config: { fxGate: 'warn' } });

    expect((await service.get('/fx')).text).toContain(`"date":"${today}"`);
    expect(readTrouble(service).map(({ level, msg }) => ({ level, msg }))).toEqual([
      { level: 'warn', msg: 'implausible exchange rates published' },
    ]);
  });
});

async function startDoubted(options: StartOptions = {}): Promise<TestService> {
  const at = `${yesterday}T05:00:00Z`;
  const service = await startService({ at, fxFrom: '2025-07-01', ...options });
  publishValue(service.scenario, today, 'USD', '11.4');
  await liveDay(service, yesterday);
  await service.liveAt(ratesMoment(today));
  await service.liveAt(fxMoment(today));
  return service;
}

function operator(service: TestService): Environment {
  return databaseSettings(service.config.databaseUrl);
}
