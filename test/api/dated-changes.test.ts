import { describe, expect, it } from 'vitest';
import { listHeld } from '../../src/platform/publication/held-store.ts';
import type { Scenario } from '../../src/sandbox/scenario/scenario.ts';
import { shareService, startService } from '../support/start-service.ts';
import { changeRate, correctFixing, setTedbFault } from '../support/sandbox/scripts.ts';

const wednesday = '2026-11-18T16:00:00Z';
const thursday = '2026-11-19T16:00:00Z';
const friday = '2026-11-20T16:00:00Z';

const shortPolicy = 'public, max-age=300, stale-while-revalidate=86400';
const immutable = 'public, max-age=31536000, immutable';

/** Two rows of Thursday and one of Friday. */
function script(scenario: Scenario): void {
  changeRate(scenario, 'SE', 'standard', ['24'], '2026-11-19');
  changeRate(scenario, 'AT', 'super_reduced', [], '2026-11-19');
  changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20');
}

describe('GET /changes/YYYY-MM-DD (interface 4.3)', () => {
  const service = shareService({ script, lived: [wednesday, thursday, friday] });

  it('answers snapshotDate, changes and count (contract C7)', async () => {
    const { status, text } = await service().get('/changes/2026-11-19');

    expect(status).toBe(200);
    expect(text.replaceAll(/rc_[0-9a-f]+/g, 'rc_<id>')).toBe(
      '{"snapshotDate":"2026-11-19","changes":[' +
        '{"id":"rc_<id>","snapshotDate":"2026-11-19","country":"AT","field":"super_reduced",' +
        '"old":4.9,"new":null,"detectedAt":"2026-11-19T16:00:00.000Z"},' +
        '{"id":"rc_<id>","snapshotDate":"2026-11-19","country":"SE","field":"standard",' +
        '"old":25,"new":24,"detectedAt":"2026-11-19T16:00:00.000Z"}],' +
        '"count":2}',
    );
  });
});

describe('the Cache-Control of GET /changes/YYYY-MM-DD (contract C8)', () => {
  const shared = shareService({ script, lived: [wednesday, thursday, friday] });

  it.each([
    ['2026-11-18', immutable],
    ['2026-11-01', immutable],
    // Of tomorrow, and of a far future.
    ['2026-11-21', shortPolicy],
    ['9999-12-31', shortPolicy],
  ])('for %s is %s', async (date, policy) => {
    const { status, headers, text } = await shared().get(`/changes/${date}`);

    expect([status, headers['cache-control']]).toEqual([200, policy]);
    expect(text).toBe(`{"snapshotDate":"${date}","changes":[],"count":0}`);
  });

  it('is never immutable before the first snapshot exists', async () => {
    const service = await startService();

    const { status, headers } = await service.get('/changes/2026-11-01');

    expect([status, headers['cache-control']]).toEqual([200, shortPolicy]);
  });

  it('becomes immutable for a date with its publication, together with all of its rows', async () => {
    const service = await startService({ lived: [wednesday] });
    changeRate(service.scenario, 'HU', 'standard', ['25'], '2026-11-19');

    const before = await service.get('/changes/2026-11-19');
    await service.liveAt(thursday);
    const after = await service.get('/changes/2026-11-19');

    expect([before.headers['cache-control'], before.text]).toEqual([
      shortPolicy,
      '{"snapshotDate":"2026-11-19","changes":[],"count":0}',
    ]);
    expect(after.headers['cache-control']).toBe(immutable);
    expect(JSON.parse(after.text)).toMatchObject({ changes: [{ country: 'HU' }], count: 1 });
  });

  it('becomes immutable for a date without a publication when a later date is published', async () => {
    const service = await startService({ lived: [wednesday] });
    service.scenario.apply({ tedb: { missing: ['DE'] } });
    await service.liveAt(thursday);
    const whileHeld = await service.get('/changes/2026-11-19');

    service.scenario.apply({ tedb: { missing: [] } });
    await service.liveAt(friday);
    const after = await service.get('/changes/2026-11-19');

    expect(whileHeld.headers['cache-control']).toBe(shortPolicy);
    expect(after.headers['cache-control']).toBe(immutable);
  });

  it('is never immutable on two different bodies of one URL during a week', async () => {
    const service = await startService();
    const { scenario } = service;
    const finalBodies = new Map<string, Set<string>>();
    const look = async (): Promise<void> => {
      for (let day = 14; day <= 24; day += 1) {
        for (const path of [
          `/changes/2026-11-${day}`,
          `/rates/2026-11-${day}`,
          `/fx/2026-11-${day}`,
        ]) {
          const { headers, text } = await service.get(path);
          if (headers['cache-control'] !== immutable) continue;
          finalBodies.set(path, (finalBodies.get(path) ?? new Set()).add(text));
        }
      }
    };
    changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-17');
    changeRate(scenario, 'SE', 'standard', ['19'], '2026-11-19');
    changeRate(scenario, 'AT', 'standard', ['21'], '2026-11-20');

    await look();
    for (const moment of ['2026-11-16T07:00:00Z', '2026-11-16T16:00:00Z', '2026-11-17T16:00:00Z']) {
      await service.liveAt(moment);
      await look();
    }
    // A day without an answer of the upstream, a day that is held and then approved, and then a correction.
    setTedbFault(scenario, 'unavailable-503');
    await service.liveAt('2026-11-18T16:00:00Z');
    await look();
    setTedbFault(scenario, 'none');
    await service.liveAt('2026-11-19T16:00:00Z');
    await look();
    const [held] = await listHeld(service.core.db, 'rates');
    await service.core.jobs.rates.publishHeld(held!, 0);
    await look();
    changeRate(scenario, 'FI', 'standard', ['24'], '2026-11-18');
    correctFixing(scenario, '2026-11-17', 'USD', '1.1601');
    await service.liveAt('2026-11-20T16:00:00Z');
    await look();
    await service.restart();
    await look();

    expect([...finalBodies.keys()].filter((path) => path.startsWith('/changes/'))).toHaveLength(7);
    expect([...finalBodies].filter(([, bodies]) => bodies.size > 1)).toEqual([]);
  });
});
