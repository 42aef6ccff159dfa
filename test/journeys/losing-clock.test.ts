import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportFigure, someOf } from '../support/proof.ts';
import type { TestService } from '../support/start-service.ts';
import { answerMs, EveryEndpoint, whole } from './support/endpoint-groups.ts';
import { becomes, startToLose } from './support/losing-world.ts';
import { Names } from './support/names.ts';
import { hasEngines, shareEngines } from './support/shared-engines.ts';
import { setNow } from '../support/sandbox/scripts.ts';

const engines = shareEngines();
const hourMs = 3_600_000;
const from = '2026-11-20T16:00:00Z';

// Leases, limits and the list of replicas use the machine's clock, everything else the service's: both are set.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(from) }));
afterEach(() => void vi.useRealTimers());

const steps: readonly (readonly [how: string, ms: number])[] = [
  ['a minute forward', 60_000],
  ['a minute back', -60_000],
  ['a day forward', 24 * hourMs],
  ['a day back', -24 * hourMs],
  ['a year forward', 365 * 24 * hourMs],
  ['a year back', -365 * 24 * hourMs],
];

describe.each([
  { engine: 'PostgreSQL and Redis', start: async () => startToLose(engines()) },
  { engine: 'SQLite', start: async () => startToLose(undefined) },
])('a clock that leaps, on $engine (reliability R26)', ({ engine, start }) => {
  it.skipIf(!hasEngines).each(someOf(steps, 2))(
    'does not change an answer: %s',
    async (how, ms) => {
      Names.use();
      const service = await start();
      const every = await EveryEndpoint.prepare(service);
      const before = await readPublished(service);

      leap(service, ms);
      const answers = await every.sendRequest();
      const published = await readPublished(service);
      await becomes(service, 'ready');

      reportFigure('R26', `clock ${how}, ${engine}: ${every.describe()}`);
      expect(answers).toEqual(whole);
      expect(published).toEqual(before);
      expect(every.longestMs).toBeLessThan(answerMs);
    },
  );
});

function leap({ scenario }: TestService, ms: number): void {
  const nowMs = Date.parse(from) + ms;
  vi.setSystemTime(nowMs);
  setNow(scenario, new Date(nowMs).toISOString());
}

async function readPublished(service: TestService): Promise<readonly string[]> {
  const paths = ['/rates', '/fx', '/changes', '/rates/2026-11-20', '/fx/2026-11-19'];
  return Promise.all(paths.map(async (path) => (await service.get(path)).text));
}
