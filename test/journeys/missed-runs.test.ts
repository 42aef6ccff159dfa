import { describe, expect, it } from 'vitest';
import { addDays, isoDate } from '../../src/platform/time/time.ts';
import { reportFigure } from '../support/proof.ts';
import { breakTable } from '../support/stored-keys.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { fxMoment, liveDay, liveThrough, ratesMoment } from './support/days.ts';
import { describeFacts, readFacts, type StoredFacts } from './support/stored-facts.ts';
import { changeRate, setNow, setTedbFault } from '../support/sandbox/scripts.ts';

const firstDay = isoDate('2025-07-31');
/** Romania changes rates on the first missed day and, in this test, Hungary on the third. */
const hungary = { date: '2025-08-03', standard: '25' };

describe('a service that was down (operator.md, reliability R6)', () => {
  it.each([{ days: 1 }, { days: 3 }, { days: 30 }])(
    'publishes $days missed days with the same rows and events as if it had run',
    async ({ days }) => {
      const back = addDays(firstDay, days + 1);
      const always = await startOnFirstDay();
      await liveThrough(always, addDays(firstDay, 1), back);
      const down = await startOnFirstDay();
      await down.stop();

      setNow(down.scenario, ratesMoment(back));
      await down.start();
      await liveDay(down, back);

      const facts = await readFacts(down.core.db);
      reportFigure(
        'R6',
        `down for ${days} days: ${describeFacts(facts)}, the same as without an outage`,
      );
      expect(withoutDetection(facts)).toEqual(withoutDetection(await readFacts(always.core.db)));
      expect(facts.events).toHaveLength(days === 1 ? 1 : 2);
      for (const { detectedAt } of facts.changes) expect(detectedAt).toBe(ratesMoment(back));
    },
  );

  // A simulation found this fault.
  it('does not go on to the next day after a failed one, also if the failure cannot be recorded', async () => {
    const service = await startOnFirstDay();
    const { db } = service.core;
    const repair = await breakTable(
      db,
      `update on runs when new.outcome = 'failed' and new.detail not like 'the process ended%'`,
    );
    // One fault for each of the two tries of a run.
    setTedbFault(service.scenario, 'html', 2);

    await service.liveAt(ratesMoment('2025-08-02'));
    const broken = await readFacts(db);
    await repair();
    await service.liveAt('2025-08-02T08:00:00Z');

    expect(broken.versions).toEqual([firstDay]);
    expect((await readFacts(db)).versions).toEqual([firstDay, '2025-08-01', '2025-08-02']);
  });
});

describe('a first start (operator.md, contract C16, C18)', () => {
  it.each([
    { at: '2025-07-31T21:59:00Z', version: '2025-07-31' },
    { at: '2025-07-31T22:00:00Z', version: '2025-08-01' },
    { at: '2026-01-31T23:00:00Z', version: '2026-02-01' },
  ])('fetches the rates of the date in Brussels: $version at $at', async ({ at, version }) => {
    const service = await startService({ at, fxFrom: '2025-07-01' });

    await service.liveAt(at);

    const { versions, changes, events } = await readFacts(service.core.db);
    expect({ versions, changes, events }).toEqual({ versions: [version], changes: [], events: [] });
  });
});

describe('a restart (operator.md)', () => {
  it('keeps every body and validator, and runs no job that is not due', async () => {
    const service = await startOnFirstDay();
    await liveDay(service, '2025-08-01');
    const paths = ['/rates', `/rates/${firstDay}`, '/changes', '/changes/2025-08-01', '/fx'];
    const look = async (): Promise<unknown[]> => {
      const answers = await Promise.all(paths.map(async (path) => service.get(path)));
      return answers.map(({ status, text, headers }) => ({ status, text, etag: headers.etag }));
    };
    const before = await look();
    const runs = await service.core.runs.list(100);

    await service.restart();
    await service.liveAt('2025-08-01T14:30:00Z');

    expect(await look()).toEqual(before);
    expect(await service.core.runs.list(100)).toEqual(runs);
  });
});

async function startOnFirstDay(): Promise<TestService> {
  const service = await startService({ at: `${firstDay}T05:00:00Z`, fxFrom: '2025-07-01' });
  changeRate(service.scenario, 'HU', 'standard', [hungary.standard], hungary.date);
  await service.liveAt(ratesMoment(firstDay));
  await service.liveAt(fxMoment(firstDay));
  return service;
}

function withoutDetection(facts: StoredFacts): unknown {
  return { ...facts, changes: facts.changes.map(({ id, row }) => ({ id, row })) };
}
