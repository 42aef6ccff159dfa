import { describe, expect, it } from 'vitest';
import { listAudit } from '../../src/platform/database/audit.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { boundOf, eventually } from '../support/eventually.ts';
import { changeRate, correctFixing, setNow } from '../support/sandbox/scripts.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { startBeside } from './support/start-beside.ts';
import { fxMoment, liveThrough, ratesMoment } from './support/days.ts';
import { readFacts } from './support/stored-facts.ts';

const today = isoDate('2025-07-31');
const by = { actor: 'ann@web-1', reason: 'the clock was wrong' };

type Page = { readonly events: readonly { readonly id: string }[]; readonly nextCursor: string };

/** Two replicas of which the first has published until 3 August, with Romania's change on 1 August; it is 31 July again. */
async function startAhead(): Promise<readonly [TestService, TestService]> {
  const one = await startService({ at: `${today}T05:00:00Z`, fxFrom: '2025-07-01' });
  const other = await startBeside(one, { config: { jobs: false } });
  await one.liveAt(ratesMoment(today));
  await one.liveAt(fxMoment(today));
  await liveThrough(one, '2025-08-01', '2025-08-03');
  setNow(one.scenario, fxMoment(today));
  await becomes([one, other], '2025-08-03', '2025-08-01');
  return [one, other];
}

async function becomes(services: readonly TestService[], rates: string, fx: string): Promise<void> {
  for (const service of services) {
    const dates = async () => {
      const latest = await Promise.all(['/rates', '/fx'].map(async (path) => service.get(path)));
      const [ofRates, ofFx] = latest.map(({ text }) => JSON.parse(text) as Record<string, unknown>);
      return `${String(ofRates?.['version'])} ${String(ofFx?.['date'])}`;
    };
    await eventually(async () => (await dates()) === `${rates} ${fx}`, boundOf(2_000));
  }
}

async function withdraw(service: TestService) {
  const { jobs } = service.core;
  const wanted = { after: today, by };
  return { rates: await jobs.rates.withdraw(wanted, 0), fx: await jobs.fx.withdraw(wanted, 0) };
}

async function readEvents(service: TestService, after = ''): Promise<Page> {
  const { text } = await service.get(`/events${after === '' ? '' : `?after=${after}`}`);
  return JSON.parse(text) as Page;
}

describe('versions that a wrong clock has published (contract C17a)', () => {
  it('are an error in both statuses until they are taken back', async () => {
    const [one] = await startAhead();
    const wrong = { rates: { error: 'later than today' }, fx: { error: 'later than today' } };
    const right = { rates: { error: null }, fx: { error: null } };
    const read = async () => [
      JSON.parse((await one.sendToOps('/status')).text) as object,
      JSON.parse((await one.get('/status')).text) as object,
    ];
    const gauge = async () =>
      /^vatfx_newest_version_later_than_today\{kind="rates"\} (\d)$/m.exec(
        (await one.sendToOps('/metrics')).text,
      )?.[1];

    for (const status of await read()) expect(status).toMatchObject({ dataSets: wrong });
    expect(await gauge()).toBe('1');
    await withdraw(one);

    for (const status of await read()) expect(status).toMatchObject({ dataSets: right });
    expect(await gauge()).toBe('0');
  });

  it('go with their rows and events on every replica, and the real days are published again', async () => {
    const [one, other] = await startAhead();
    const { db } = one.core;
    const before = await readEvents(one);
    expect(before.events).not.toEqual([]);
    expect((await other.get('/rates/2025-08-02')).headers['cache-control']).toContain('immutable');

    expect(await withdraw(one)).toEqual({
      rates: ['2025-08-01', '2025-08-02', '2025-08-03'],
      fx: ['2025-08-01'],
    });

    await becomes([one, other], today, today);
    for (const service of [one, other]) {
      expect((await service.get('/rates/2025-08-02')).status).toBe(404);
      expect((await service.get('/fx/2025-08-01')).status).toBe(404);
      const range = '/fx/range?from=2025-08-01&to=2025-08-03&currencies=USD';
      expect((await service.get(range)).text).toContain('[]');
      expect((await service.get('/changes/2025-08-01')).text).toContain('"count":0');
      expect((await service.get('/changes/2025-08-01')).headers['cache-control']).not.toContain(
        'immutable',
      );
    }
    expect(await readEvents(one)).toMatchObject({ events: [] });
    expect(await readEvents(one, before.nextCursor)).toMatchObject({ events: [] });
    const facts = await readFacts(db);
    expect(facts).toMatchObject({ versions: [today], changes: [], events: [] });
    // Both have one moment, so their order is none.
    const audit = (await listAudit(db, 2)).toSorted((a, b) =>
      String(b.detail['kind']).localeCompare(String(a.detail['kind'])),
    );
    expect(audit).toMatchObject(
      ['rates', 'fx'].map((kind) => {
        return { action: 'snapshots.withdraw', subject: today, ...by, detail: { kind } };
      }),
    );

    await liveThrough(one, '2025-08-01', '2025-08-03');
    await becomes([one, other], '2025-08-03', '2025-08-01');
    const real = await readFacts(db);
    expect(real.versions).toEqual([today, '2025-08-01', '2025-08-02', '2025-08-03']);
    expect(real.changes).not.toEqual([]);
    // Receivers ignore an id that they know, so the real event has another one; its rows have the same ids.
    const { events } = await readEvents(one, before.nextCursor);
    expect(events).toHaveLength(before.events.length);
    const known = new Set(before.events.map(({ id }) => id));
    expect(events.filter(({ id }) => known.has(id))).toEqual([]);
  });

  it('are only those after today, and a held one of a later day cannot be approved', async () => {
    const service = await startService({ at: `${today}T05:00:00Z`, fxFrom: '2025-07-01' });
    await service.liveAt(ratesMoment(today));
    changeRate(service.scenario, 'HU', 'standard', ['40'], '2025-08-01');
    correctFixing(service.scenario, '2025-07-30', 'USD', '9');
    await service.liveAt(ratesMoment('2025-08-01'));
    setNow(service.scenario, fxMoment(today));
    const { rates } = service.core.jobs;
    const [held] = await service.core.db.selectFrom('held_snapshots').selectAll().execute();

    await expect(rates.withdraw({ after: isoDate('2025-07-30'), by }, 0)).rejects.toThrow(
      '2025-07-30 is before today, 2025-07-31',
    );
    const approved = await rates.publishHeld(
      {
        id: held?.id ?? '',
        kind: 'rates',
        version: held?.version ?? '',
        reasons: [],
        candidate: held?.candidate ?? '',
        inputDigest: '',
        heldAt: '',
      },
      0,
    );

    expect(held?.version).toBe('2025-08-01');
    expect(approved?.outcome).toBe('failed');
    expect(approved?.detail).toContain('2025-08-01 is later than today, 2025-07-31');
    expect(await withdraw(service)).toEqual({ rates: [], fx: [] });
  });
});
