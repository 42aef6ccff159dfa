import { describe, expect, it } from 'vitest';
import { formatInstant, isoDate } from '../../src/platform/time/time.ts';
import { reportFigure } from '../support/proof.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { liveDay, ratesMoment } from './support/days.ts';
import { eventually } from '../support/eventually.ts';
import type { JobTask } from './support/job-child.ts';
import { JobProcess } from './support/job-process.ts';
import { describeFacts, readFacts, type StoredFacts } from './support/stored-facts.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const yesterday = '2025-07-31';
/** The day on which Romania changes three rates. */
const today = '2025-08-01';

describe('a job that is run twice (reliability R6)', () => {
  it('finds nothing new the second time', async () => {
    const service = await startYesterday();
    setNow(service.scenario, ratesMoment(today));

    const first = await service.core.jobs.rates.refreshTo(isoDate(today), 0);
    const second = await service.core.jobs.rates.refreshTo(isoDate(today), 0);

    const facts = await readFacts(service.core.db);
    reportFigure('R6', `a job twice: ${describeFacts(facts)}, each once`);
    expect(first).toMatchObject([{ outcome: 'published', changes: 3 }]);
    expect(second).toMatchObject([{ outcome: 'unchanged', changes: 0, detail: null }]);
    expectOnce(facts);
  });
});

describe('two processes on one database (reliability R6)', () => {
  it('publish a day once if both run at the same time', async () => {
    const service = await startYesterday();
    setNow(service.scenario, ratesMoment(today));
    const processes = [new JobProcess(), new JobProcess()];
    await Promise.all(processes.map(async (process) => process.ready()));

    await Promise.all(processes.map(async (process) => process.start(taskOf(service))));
    const ends = await Promise.all(processes.map(async (process) => process.ended()));

    const outcomes = ends.flatMap((end) => (end.kind === 'ended' ? end.outcomes : ['killed']));
    const facts = await readFacts(service.core.db);
    reportFigure('R6', `two processes together: ${describeFacts(facts)}, each once`);
    expect(new Set(outcomes)).toEqual(new Set(['published', 'unchanged']));
    expectOnce(facts);
  });

  it('publish once if one is stopped during its run and goes on after the other', async () => {
    const service = await startYesterday();
    const { core, sandbox } = service;
    service.scenario.apply({ now: Date.parse(ratesMoment(today)), tedb: { latencyMs: 1_000 } });
    sandbox.requests.clear();
    const sleeper = new JobProcess();
    await sleeper.start(taskOf(service));
    await eventually(() => sandbox.requests.of('tedb').length > 0);
    sleeper.signal('SIGSTOP');
    service.scenario.apply({ tedb: { latencyMs: 0 } });
    // For the database, more time than the lease has passed.
    await core.db.updateTable('leases').set({ expires_at: '' }).execute();

    const reports = await core.jobs.rates.refreshTo(isoDate(today), 0);
    sleeper.signal('SIGCONT');
    const end = await sleeper.ended();

    expect(reports).toMatchObject([{ outcome: 'published' }]);
    expect(end).toMatchObject({ kind: 'ended', outcomes: ['failed'] });
    const details = (await core.runs.list(10, 'rates')).map(({ detail }) => detail);
    expect(details).toContain('the process ended before the run did');
    expectOnce(await readFacts(core.db));
  });
});

describe('the lease of a killed process (contract C31)', () => {
  it('delays the next run until 10 s after its expiry at most', async () => {
    const service = await startYesterday();
    const { core, scenario } = service;
    setNow(scenario, ratesMoment(today));
    const dying = new JobProcess();
    await dying.start({ ...taskOf(service), killAtChannel: 'undici:request:create' });
    await dying.ended();
    const diedMs = Date.now();

    const leftMs = Date.parse((await readRatesLease(service)).expires_at) - diedMs;
    const leaveLease = async (ms: number): Promise<number> => {
      const expiresMs = Date.now() + ms;
      const leases = core.db.updateTable('leases');
      await leases.set({ expires_at: formatInstant(expiresMs) }).execute();
      return expiresMs;
    };
    // Longer than the next line may take on a slow machine.
    await leaveLease(60_000);
    const atOnce = await core.jobs.rates.refreshTo(isoDate(today), 0);
    // For the database, all but a second of the lease has passed.
    const expiresMs = await leaveLease(1_000);
    const reports = await core.jobs.rates.refreshTo(isoDate(today), 5_000);

    expect(atOnce).toBeUndefined();
    expect(leftMs).toBeLessThanOrEqual(10_000);
    expect(reports).toMatchObject([{ outcome: 'published' }]);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresMs);
    expectOnce(await readFacts(core.db));
  });
});

async function readRatesLease({ core }: TestService): Promise<{ readonly expires_at: string }> {
  return core.db
    .selectFrom('leases')
    .select('expires_at')
    .where('name', '=', 'rates')
    .executeTakeFirstOrThrow();
}

async function startYesterday(): Promise<TestService> {
  const service = await startService({ at: `${yesterday}T05:00:00Z`, fxFrom: '2025-07-01' });
  await liveDay(service, yesterday);
  return service;
}

function taskOf({ config }: TestService): JobTask {
  const { databaseUrl, tedbUrl, ecbUrl } = config;
  return { databaseUrl, tedbUrl, ecbUrl, job: 'rates', now: ratesMoment(today) };
}

function expectOnce(facts: StoredFacts): void {
  expect(facts.versions).toEqual([yesterday, today]);
  expect(facts.changes.map(({ row }) => row)).toEqual([
    `${today} RO reduced[0] 5 → 11`,
    `${today} RO reduced[1] 9 → none`,
    `${today} RO standard 19 → 21`,
  ]);
  expect(new Set(facts.changes.map(({ detectedAt }) => detectedAt)).size).toBe(1);
  expect(facts.events).toEqual([today]);
}
