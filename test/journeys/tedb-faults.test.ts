import { describe, expect, it } from 'vitest';
import type { Script } from '../../src/sandbox/scenario/script.ts';
import type { RunReport } from '../../src/platform/schedule/run-log.ts';
import { addDays, isoDate } from '../../src/platform/time.ts';
import { startService, type StartOptions, type TestService } from '../support/start-service.ts';
import { liveDay, ratesMoment } from './support/days.ts';
import { expectOneLine, readTrouble } from './support/log-reader.ts';
import { type StoredFacts, readFacts } from './support/stored-facts.ts';
import { eventually } from '../support/eventually.ts';
import { expectWithin } from '../support/proof.ts';
import { changeRate, setNow, setTedbFault } from '../support/sandbox/scripts.ts';

const yesterday = '2025-07-31';
/** The day on which Romania changes three rates. */
const today = '2025-08-01';
const anHourLater = `${today}T08:00:00Z`;

const nothingNew = { versions: [yesterday], changes: [], events: [] };

type Fault = {
  readonly answer: string;
  readonly tedb: NonNullable<Script['tedb']>;
  readonly outcome: 'failed' | 'held';
  readonly reason: string;
};

const broken: readonly Omit<Fault, 'outcome'>[] = [
  { answer: 'a fault', tedb: { fault: 'server-fault' }, reason: 'SOAP fault: Internal error' },
  { answer: 'half of it', tedb: { fault: 'truncated' }, reason: 'ended before its document did' },
  {
    answer: '128 MB',
    tedb: { fault: 'oversized' },
    reason: 'over 262144 characters without a tag',
  },
];

const implausible: readonly Omit<Fault, 'outcome'>[] = [
  {
    answer: 'Spain as the Canary Islands',
    tedb: { fault: 'canary-standard' },
    reason: 'ES: no standard rate, it was 21',
  },
  { answer: 'zeroes', tedb: { fault: 'zeroes' }, reason: 'HU: all reduced rates are gone' },
];

const faults: readonly Fault[] = [
  ...broken.map((fault) => ({ ...fault, outcome: 'failed' as const })),
  ...implausible.map((fault) => ({ ...fault, outcome: 'held' as const })),
];

describe.each(faults)('TEDB answers with $answer (contract C12, C15)', (fault) => {
  it('publishes nothing and reports the reason three times, and publishes the day in the next good run', async () => {
    const service = await startYesterday();
    const before = await service.get('/rates');
    const logged = service.logLines.length;
    service.scenario.apply({ tedb: fault.tedb });

    await service.liveAt(ratesMoment(today));

    const { text, headers } = await service.get('/rates');
    expect({ text, etag: headers.etag }).toEqual({ text: before.text, etag: before.headers.etag });
    expect((await service.get(`/rates/${today}`)).status).toBe(404);
    expect(await readFacts(service.core.db)).toMatchObject(nothingNew);
    const [run] = await service.core.runs.list(1, 'rates');
    expect(run).toMatchObject({ outcome: fault.outcome, version: today, published: 0 });
    expect(run?.detail).toContain(fault.reason);
    expect(await readLastRun(service)).toEqual(run);
    expectOneLine(readTrouble(service, logged), fault.reason);

    service.scenario.apply({ tedb: { fault: 'none', missing: [] } });
    await service.liveAt(anHourLater);
    expectPublished(await readFacts(service.core.db));
    expect((await service.get(`/rates/${today}`)).status).toBe(200);
  });
});

describe('TEDB answers with the current rates for days that are past (reliability R5)', () => {
  const inThreeDays = addDays(isoDate(today), 2);
  const catchUp = async (answers: number, options?: StartOptions): Promise<TestService> => {
    const service = await startYesterday(options);
    changeRate(service.scenario, 'SE', 'standard', ['24'], inThreeDays);
    setTedbFault(service.scenario, 'current', answers);
    await service.liveAt(ratesMoment(inThreeDays));
    return service;
  };

  /** The runs of the three days, oldest day first. */
  const caughtUp = async (service: TestService): Promise<RunReport[]> =>
    (await service.core.runs.list(3, 'rates')).toSorted((a, b) =>
      String(a.version) < String(b.version) ? -1 : 1,
    );

  it('holds them, and publishes the day on which they are in force', async () => {
    const service = await catchUp(3);

    const { versions } = await readFacts(service.core.db);

    expect(versions).toEqual([yesterday, inThreeDays]);
    const [first, ...later] = await caughtUp(service);
    expect(later.map(({ outcome }) => outcome)).toEqual(['held', 'published']);
    expect(first?.detail).toContain(
      `an answer for another date: its newest record is of ${inThreeDays}, the query was for ${today}`,
    );
  });
});

describe('TEDB never ends its answer (operator.md)', () => {
  it('ends the request when the service stops, and sends it again after the start', async () => {
    const service = await startYesterday();
    setNow(service.scenario, ratesMoment(today));
    setTedbFault(service.scenario, 'drip');
    service.sandbox.requests.clear();
    service.startJobs();
    await eventually(() => service.sandbox.requests.of('tedb').length > 0);

    const startedMs = performance.now();
    await service.stop();
    const stopMs = performance.now() - startedMs;
    setTedbFault(service.scenario, 'none');
    await service.start();
    const [run] = await service.core.runs.list(1, 'rates');
    await service.liveAt(ratesMoment(today));

    expectWithin(stopMs, 2_000);
    expect(run).toMatchObject({ outcome: 'failed', version: today });
    expect(run?.detail).toContain('cancelled, because the process is stopping');
    expectPublished(await readFacts(service.core.db));
  });
});

async function startYesterday(options: StartOptions = {}): Promise<TestService> {
  const at = `${yesterday}T05:00:00Z`;
  const service = await startService({ at, fxFrom: '2025-07-01', ...options });
  await liveDay(service, yesterday);
  return service;
}

/** The state of today as without a fault: its rows, one event, and no duplicates. */
function expectPublished(facts: StoredFacts): void {
  expect(facts.changes.map(({ row }) => row)).toEqual([
    `${today} RO reduced[0] 5 → 11`,
    `${today} RO reduced[1] 9 → none`,
    `${today} RO standard 19 → 21`,
  ]);
  expect(facts).toMatchObject({ versions: [yesterday, today], events: [today] });
}

async function readLastRun(service: TestService): Promise<unknown> {
  const { text } = await service.sendToOps('/status');
  type Status = { readonly dataSets: { readonly rates: { readonly lastRun: unknown } } };
  return (JSON.parse(text) as Status).dataSets.rates.lastRun;
}
