import { describe, expect, it } from 'vitest';
import { formatInstant, isoDate } from '../../src/platform/time/time.ts';
import { reportFigure } from '../support/proof.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { liveDay, liveThrough } from './support/days.ts';
import { startBeside } from './support/start-beside.ts';
import { describeFacts, readFacts } from './support/stored-facts.ts';
import { setMemberState, setNow } from '../support/sandbox/scripts.ts';
import { postBatch } from '../vat-check/support/stored-checks-api.ts';

const dayMs = 24 * 3_600_000;
const hourMs = 3_600_000;

describe('a clock that is set back by a day (reliability R6)', () => {
  it('changes no published data, and later days are published as usual', async () => {
    const service = await startOn('2025-07-30');
    await liveThrough(service, '2025-07-31', '2025-08-02');
    const latest = await service.get('/rates');

    await service.liveAt('2025-08-01T15:00:00Z');
    await service.restart();
    await service.liveAt('2025-08-01T20:00:00Z');
    const during = await service.get('/rates');
    await liveThrough(service, '2025-08-02', '2025-08-04');

    const undisturbed = await startOn('2025-07-30');
    await liveThrough(undisturbed, '2025-07-31', '2025-08-04');
    const facts = await readFacts(service.core.db);
    reportFigure(
      'R6',
      `a clock a day back: ${describeFacts(facts)}, the same as with a right clock`,
    );
    expect(during.text).toBe(latest.text);
    expect(facts).toEqual(await readFacts(undisturbed.core.db));
  });
});

describe('a clock that is a year ahead for twelve seconds (contract C17a, rule K8)', () => {
  it('publishes no version and ends none of 201 pending checks', async () => {
    const service = await startOn('2025-07-30');
    const { clock } = service.sandbox;
    await service.stop();
    let aheadMs = 0;
    const leaping = await startBeside(service, { clock: { now: () => clock.now() + aheadMs } });
    const { db, runs } = leaping.core;
    await leaping.liveAt('2025-07-31T07:00:00Z');
    setMemberState(leaping.scenario, 'DE', 'down');
    const checks = Array.from({ length: 201 }, (_, n) => {
      return { countryCode: 'DE', vatNumber: String(100_000_000 + n) };
    });
    await postBatch(leaping, { checks });
    const before = await readFacts(db);
    const countPending = async () =>
      (await db.selectFrom('vat_checks').where('status', '=', 'pending').selectAll().execute())
        .length;

    aheadMs = 365 * dayMs;
    for (let second = 1; second <= 12; second += 1) {
      await leaping.liveAt(`2025-07-31T07:00:${String(second).padStart(2, '0')}Z`);
      await leaping.attemptDueChecks();
    }
    const [failed] = await runs.list(1, 'rates');
    const status: unknown = JSON.parse((await leaping.sendToOps('/status')).text);
    aheadMs = 0;
    await leaping.liveAt('2025-07-31T08:00:00Z');
    await leaping.attemptDueChecks();

    const after = await readFacts(db);
    reportFigure(
      'R6',
      `a clock a year ahead for 12 s: ${after.versions.length - before.versions.length} versions published, ` +
        `${201 - (await countPending())} of 201 pending checks ended`,
    );
    expect(failed).toMatchObject({ outcome: 'failed', failure: 'wrong_clock' });
    expect(failed?.detail).toContain('the clock of this machine is 365 days ahead of');
    expect(status).toMatchObject({ clock: { trusted: false, reason: 'contradicted' } });
    expect(after).toEqual(before);
    expect(await countPending()).toBe(201);
    expect(leaping.core.clockGuard.isTrusted).toBe(true);
  });

  it('publishes nothing later than today if the clock is set right while missed days are read', async () => {
    const service = await startOn('2025-07-30');
    setNow(service.scenario, '2025-07-31T12:00:00Z');

    const reports = await service.core.jobs.rates.refreshTo(isoDate('2026-07-31'), 0);

    expect(reports?.at(-1)).toMatchObject({ outcome: 'failed', failure: 'wrong_clock' });
    const { versions } = await readFacts(service.core.db);
    expect(versions.filter((version) => version > '2025-07-31')).toEqual([]);
  });
});

describe.each([
  {
    name: 'October 2025',
    from: '2025-10-23T20:05:00Z',
    published: [
      '2025-10-24 rates 07:05',
      '2025-10-24 fx 14:05',
      '2025-10-25 rates 07:05',
      '2025-10-26 rates 07:05',
      '2025-10-27 rates 07:05',
      '2025-10-27 fx 15:05',
    ],
  },
  {
    name: 'March 2026',
    from: '2026-03-26T20:05:00Z',
    published: [
      '2026-03-27 rates 07:05',
      '2026-03-27 fx 15:05',
      '2026-03-28 rates 07:05',
      '2026-03-29 rates 07:05',
      '2026-03-30 rates 07:05',
      '2026-03-30 fx 14:05',
    ],
  },
])('the night in which the clocks change, $name (contract C18)', ({ name, from, published }) => {
  it('fetches exchange rates by the clock of Frankfurt, and VAT rates always at the same time in UTC', async () => {
    const service = await startService({ at: from, fxFrom: '2025-10-01' });
    const firstMs = Date.parse(from);

    for (let hour = 0; hour < 4 * 24; hour += 1) {
      await service.liveAt(formatInstant(firstMs + hour * hourMs));
    }

    const runs = (await service.core.runs.list(1_000)).filter((run) => run.outcome === 'published');
    // Without the first start, which fetches whatever is published.
    const told = runs
      .filter(({ startedAt }) => !startedAt.startsWith(from.slice(0, 16)))
      .map(({ job, startedAt }) => `${startedAt.slice(0, 10)} ${job} ${startedAt.slice(11, 16)}`);
    reportFigure('R6', `the night of ${name}: ${told.length} publications at their moments`);
    expect(told.toReversed()).toEqual(published);
  });
});

async function startOn(date: string): Promise<TestService> {
  const service = await startService({ at: `${date}T05:00:00Z`, fxFrom: '2025-07-01' });
  await liveDay(service, date);
  return service;
}
