import { describe, expect, it } from 'vitest';
import { formatInstant } from '../../src/platform/time.ts';
import { reportFigure } from '../support/proof.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { datesFrom, liveDay, liveThrough } from './support/days.ts';
import { startBeside } from './support/start-beside.ts';
import { describeFacts, readFacts } from './support/stored-facts.ts';
import { setTedbFault } from '../support/sandbox/scripts.ts';

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

  it('does not stop the timetable: missing versions are fetched by the present clock', async () => {
    const service = await startOn('2025-07-30');
    setTedbFault(service.scenario, 'unavailable-503');
    await service.liveAt('2025-08-02T12:00:00Z');

    setTedbFault(service.scenario, 'none');
    await service.liveAt('2025-08-01T12:00:00Z');

    expect((await readFacts(service.core.db)).versions).toEqual([
      '2025-07-30',
      '2025-07-31',
      '2025-08-01',
    ]);
  });
});

describe('a clock that is a day ahead (reliability R6)', () => {
  it('loses no change and reports each once, with the date of the right clock', async () => {
    const service = await startOn('2025-07-30');
    const { clock } = service.sandbox;
    await service.stop();
    const ahead = await startBeside(service, { clock: { now: () => clock.now() + dayMs } });

    await liveDay(ahead, '2025-07-31');
    await ahead.stop();
    await service.start();
    await liveThrough(service, '2025-08-01', '2025-08-04');

    const facts = await readFacts(service.core.db);
    reportFigure('R6', `a clock a day ahead: ${describeFacts(facts)}, each once`);
    expect(facts.versions).toEqual(datesFrom('2025-07-30', '2025-08-04'));
    // The version of 1 August was requested on 31 July, when TEDB did not have it yet.
    expect(facts.changes.map(({ row }) => row)).toEqual([
      '2025-08-02 RO reduced[0] 5 → 11',
      '2025-08-02 RO reduced[1] 9 → none',
      '2025-08-02 RO standard 19 → 21',
    ]);
    expect(facts.events).toEqual(['2025-08-02']);
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
