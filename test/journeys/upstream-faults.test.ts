import { describe, expect, it } from 'vitest';
import { fixingsOn } from '../../src/sandbox/ecb/series.ts';
import type { Script } from '../../src/sandbox/scenario/script.ts';
import type { RunReport } from '../../src/platform/schedule/run-log.ts';
import { addDays, isoDate } from '../../src/platform/time/time.ts';
import { startService, type StartOptions, type TestService } from '../support/start-service.ts';
import { fxMoment, liveDay, ratesMoment } from './support/days.ts';
import { expectOneLine, readTrouble } from './support/log-reader.ts';
import { type StoredFacts, readFacts } from './support/stored-facts.ts';
import { eventually } from '../support/eventually.ts';
import { expectWithin } from '../support/proof.ts';
import { changeRate, correctFixing, setNow, setTedbFault } from '../support/sandbox/scripts.ts';

const yesterday = '2025-07-31';
/** The day on which Romania changes three rates. */
const today = isoDate('2025-08-01');
const anHourLater = `${today}T08:00:00Z`;

const dollarToday = fixingsOn(today).find(({ currency }) => currency === 'USD')?.value ?? '';

/** The moments of a run and of the next one. */
const moments = {
  rates: [ratesMoment(today), anHourLater],
  fx: [fxMoment(today), `${today}T15:05:00Z`],
} as const;
const gone = ['USD', 'JPY', 'CZK', 'DKK'];
type Fault = [job: 'rates' | 'fx', answer: string, script: Script, outcome: string, reason: string];
const faults: Fault[] = [
  ['rates', 'a fault', { tedb: { fault: 'server-fault' } }, 'failed', 'SOAP fault: Internal'],
  ['rates', 'half of it', { tedb: { fault: 'truncated' } }, 'failed', 'ended before its document'],
  ['rates', '128 MB', { tedb: { fault: 'oversized' } }, 'failed', 'over 262144 characters'],
  ['rates', 'Tenerife', { tedb: { fault: 'canary-standard' } }, 'held', 'ES: no standard rate'],
  ['rates', 'zeroes', { tedb: { fault: 'zeroes' } }, 'held', 'HU: all reduced rates are gone'],
  ['fx', 'a 503', { ecb: { fault: 'unavailable-503' } }, 'failed', 'HTTP 503 with a web page'],
  ['fx', '128 MB', { ecb: { fault: 'oversized' } }, 'failed', 'more than 100000 bytes'],
  ['fx', 'yesterday', { ecb: { fault: 'frozen' } }, 'held', 'values are those of 2025-07-31'],
  ['fx', 'less', { ecb: { missing: gone } }, 'held', '4 currencies are gone (CZK, DKK, JPY, USD)'],
];

describe('an upstream answers wrongly (contract C12, C15, C19)', () => {
  it.each(faults)(
    'publishes nothing and reports the reason three times, and publishes the day in the next good run: %s, %s',
    async (job, _answer, script, outcome, reason) => {
      const [moment, later] = moments[job];
      const service = await startYesterday();
      const before = await service.get(`/${job}`);
      const logged = service.logLines.length;
      service.scenario.apply(script);

      await service.liveAt(moment);

      const { text, headers } = await service.get(`/${job}`);
      expect([text, headers.etag]).toEqual([before.text, before.headers.etag]);
      expect((await service.get(`/${job}/${today}`)).status).toBe(404);
      const facts = await readFacts(service.core.db);
      expect({ rates: facts.versions, fx: facts.fxDates }[job]).not.toContain(today);
      expect([facts.changes.length > 0, facts.events.length > 0]).toEqual([
        job === 'fx',
        job === 'fx',
      ]);
      const [run] = await service.core.runs.list(1, job);
      expect(run).toMatchObject({ outcome, published: 0 });
      expect(run?.detail).toContain(reason);
      const status = JSON.parse((await service.sendToOps('/status')).text) as unknown;
      const missed = { lastRun: run, newestVersion: yesterday, publicationsMissed: 1 };
      expect(status).toMatchObject({ dataSets: { [job]: missed } });
      expectOneLine(readTrouble(service, logged), reason);

      correctFixing(service.scenario, today, 'USD', dollarToday);
      const none = { fault: 'none', missing: [] } as const;
      service.scenario.apply({ tedb: none, ecb: none });
      await service.liveAt(later);
      expectPublished(await readFacts(service.core.db));
      const published = await service.get(`/${job}/${today}`);
      expect([published.status, (await service.get(`/${job}`)).text]).toEqual([
        200,
        published.text,
      ]);
    },
  );
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
