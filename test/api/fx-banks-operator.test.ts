import { describe, expect, it } from 'vitest';
import { dataSets } from '../../src/composition/data-sets.ts';
import { bankSeries } from '../../src/fx/banks/banks.ts';
import type { CurrencyCode } from '../../src/fx/snapshot.ts';
import { insertSnapshots } from '../../src/fx/store.ts';
import { bumpRevision } from '../../src/platform/database/replicas/revisions.ts';
import { holdSnapshot, listHeld } from '../../src/platform/publication/held-store.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { monday, run, start, statusOf, tableOf } from './support/bank-world.ts';

describe('values that a bank changes (contract C20, rule N12)', () => {
  it('are corrections, which an operator applies', async () => {
    const service = await start();
    service.scenario.apply({
      nbp: { values: [{ date: isoDate('2026-03-02'), currency: 'EUR', value: '4.2399' }] },
      cnb: { amounts: [{ currency: 'HUF', amount: 1_000, from: isoDate('2026-03-02') }] },
    });
    await run(service);
    await run(service, 'cnb');

    expect((await statusOf(service, 'nbp')).corrections).toMatchObject([
      { field: 'EUR', upstream: '4.2399' },
    ]);
    expect((await statusOf(service, 'cnb')).corrections[0]).toMatchObject({ field: 'HUF' });
    expect((await statusOf(service, 'cnb')).corrections[0]?.upstream).toMatch(/\/1000$/);
    expect((await service.get('/fx/nbp/2026-03-02')).text).toContain(
      '"EUR":{"units":1,"rate":4.2304}',
    );
  });

  it('may have another amount from a day on', async () => {
    const service = await start();
    service.scenario.apply({
      cnb: { amounts: [{ currency: 'HUF', amount: 1_000, from: isoDate('2026-03-03') }] },
    });
    await service.liveAt('2026-03-03T15:00:00Z');

    expect((await service.get('/fx/cnb/2026-03-02')).text).toMatch(/"HUF":\{"units":100,/);
    expect((await service.get('/fx/cnb/2026-03-03')).text).toMatch(/"HUF":\{"units":1000,/);
    expect(await listHeld(service.core.db, 'cnb')).toEqual([]);
  });

  it('are compared for the operator with their units and table numbers', async () => {
    const service = await start();
    const date = isoDate('2026-03-03');
    service.scenario.apply({
      nbp: { values: [{ date, currency: 'EUR', value: '8.5' }] },
      cnb: {
        values: [{ date, currency: 'EUR', value: '50' }],
        amounts: [{ currency: 'HUF', amount: 1_000, from: date }],
      },
    });
    await service.liveAt('2026-03-03T15:00:00Z');
    const { db } = service.core;
    const [nbp, cnb] = [await listHeld(db, 'nbp'), await listHeld(db, 'cnb')].flat();
    if (nbp === undefined || cnb === undefined) throw new Error('not held');

    const ofNbp = await dataSets.nbp.compareHeld(db, nbp);
    const ofCnb = await dataSets.cnb.compareHeld(db, cnb);

    expect(ofNbp.lists['tables']).toEqual([{ old: '041/A/NBP/2026', new: '042/A/NBP/2026' }]);
    expect(ofNbp.lists['currencies']).toContainEqual(
      expect.objectContaining({ currency: 'EUR', oldUnits: '1', new: '8.5', newUnits: '1' }),
    );
    expect(ofCnb).toMatchObject({
      comparedWith: '2026-03-02',
      vanishes: [],
      notices: ['HUF is for 1000 units; it was for 100'],
    });
  });

  it('by a factor of two are held, and published on an operator’s word', async () => {
    const service = await start();
    const doubled = { date: isoDate('2026-03-03'), currency: 'EUR', value: '8.5' };
    service.scenario.apply({ nbp: { values: [doubled] }, cnb: { fault: 'html' } });
    await service.liveAt('2026-03-03T15:00:00Z');
    const [held] = await listHeld(service.core.db, 'nbp');

    expect(held).toMatchObject({ kind: 'nbp', version: '2026-03-03' });
    if (held === undefined) return;
    await service.core.jobs.nbp?.publishHeld(held, 0);
    expect((await service.get('/fx/nbp')).text).toContain('"EUR":{"units":1,"rate":8.5}');
  });
});

describe('a held table of the NBP', () => {
  it('is settled when its number is published, whatever date it had', async () => {
    const service = await start();
    const rates = new Map([['EUR' as CurrencyCode, '4.3']]);
    const date = isoDate('2026-03-01');
    const wrong = bankSeries.nbp.print({ date, table: '042/A/NBP/2026', rates });
    const held = { kind: 'nbp', version: date, reasons: ['a date'], candidate: wrong } as const;
    await service.core.db
      .transaction()
      .execute(async (tx) => holdSnapshot(tx, { ...held, inputDigest: 'x', heldAt: monday }));
    await service.liveAt('2026-03-03T15:00:00Z');

    expect((await service.get('/fx/nbp')).text).toContain('042/A/NBP/2026');
    expect(await listHeld(service.core.db, 'nbp')).toEqual([]);
  });
});

describe('the first fill (rules N9, N10)', () => {
  it('of the CNB asks for one year after the other, and goes on where a failure has stopped it', async () => {
    const service = await start({ fxFrom: '2024-06-03', lived: [] });
    const { requests, scenario } = service.sandbox;
    const yearsAsked = () =>
      requests.of('cnb').map(({ file }) => /year=(\d+)/.exec(file ?? '')?.[1]);
    const said: string[] = [];
    const first = service.core.jobs.cnb?.refresh(0, (sentence) => {
      said.push(sentence);
      if (sentence.includes('2024-12-31')) scenario.apply({ cnb: { fault: 'html' } });
    });
    expect((await first)?.slice(-2).map(({ outcome }) => outcome)).toEqual(['published', 'failed']);
    expect(said.at(-1)).toBe('the CNB has been read through 2024-12-31 …');

    requests.clear();
    scenario.apply({ cnb: { fault: 'none' } });
    await service.core.jobs.cnb?.refresh(0);
    expect(yearsAsked()).toEqual(['2024', '2025', '2026']);
    expect(await statusOf(service, 'cnb')).toMatchObject({ newestVersion: '2026-03-02' });
  });

  it('of the NBP begins on 2004-05-01, in steps of 93 days', async () => {
    const service = await start({ lived: [] });
    await run(service);
    const spans = service.sandbox.requests.of('nbp').map(({ file = '', status }) => {
      const [, from = '', to = ''] = /A\/([\d-]{10})\/([\d-]{10})/.exec(file) ?? [];
      return { from, to, status };
    });

    expect(spans.slice(0, 2).map(({ from, to }) => `${from} ${to}`)).toEqual([
      '2004-05-01 2004-08-01',
      '2004-08-02 2004-11-02',
    ]);
    expect(spans.at(-1)).toMatchObject({ to: '2026-03-02', status: 200 });
    expect(spans.filter(({ status }) => status === 400)).toEqual([]);
    // The next run reads 30 days again.
    await run(service);
    expect(service.sandbox.requests.of('nbp').at(-1)?.file).toContain('/2026-01-30/2026-03-02/');
  });
});

describe('versions that a wrong clock has published (contract C17a)', () => {
  it('are taken back with what their answers have shown, and the next run knows it again', async () => {
    const service = await start();
    const { db, jobs, watch } = service.core;
    const [table, rates] = ['042/A/NBP/2026', new Map([['EUR' as CurrencyCode, '4.3']])];
    const publications = [{ date: isoDate('2026-03-20'), table, rates }];
    await db.transaction().execute(async (tx) => {
      await bumpRevision(tx, 'nbp');
      await insertSnapshots(tx, bankSeries.nbp, { publications, at: monday });
    });
    await watch.poll();
    expect((await service.get('/fx/nbp')).text).toContain('2026-03-20');

    const by = { actor: 'test', reason: null };
    const taken = await jobs.nbp?.withdraw({ after: isoDate('2026-03-02'), by }, 0);
    expect(taken).toEqual(['2026-03-20']);
    expect((await service.get('/fx/nbp')).text).toContain('"date":"2026-03-02"');
    await service.liveAt('2026-03-03T15:00:00Z');
    expect(await tableOf(service, '2026-03-03')).toBe('041');
  });
});
