import { describe, expect, it, vi } from 'vitest';
import { hasEngines, shareEngines } from '../journeys/support/shared-engines.ts';
import { expectWithin, isFull, seedOf, reportFigure } from '../support/proof.ts';
import type { Fault } from '../support/faulty-way.ts';
import { EngineQuestions, type Said } from './support/engine-questions.ts';
import { startBehindProxies } from './support/engine-world.ts';
import { begin, type Case, casesOf } from './support/faults.ts';
import { patienceMs } from '../support/eventually.ts';

/*
 * No bits are flipped here: answers of PostgreSQL and Redis have no checksum but that of TCP, so a flipped digit would be
 * accepted. If the network cannot be trusted, TLS detects it (docs/operating.md, Several replicas).
 */

const engines = shareEngines();
const seed = seedOf(21);
/** Longest wait for an answer if an engine hangs (docs/operating.md). */
const answerMs = 20_000;
/** Longest time after a fault until all answers are normal again. */
const backMs = 10_000;

const away = '503 temporarily unavailable, Retry-After';
/** Answers that are allowed during a fault, besides those without one. */
const allowed = {
  database: {
    'from memory': [],
    'from the database': [away],
    'into the database': [away],
    'a check': [],
    health: [],
  },
  redis: {
    'from memory': [],
    'from the database': [],
    'into the database': [],
    'a check': [],
    health: [],
  },
} as const satisfies Record<string, Record<keyof Said, readonly string[]>>;

/** The faults of a commit, which end by themselves; a fault that hangs takes up to 15 s. */
const quick: readonly Fault['kind'][] = ['latency', 'cut', 'reset'];
const cases = casesOf({ question: 400, answer: 400 }).filter(
  ({ fault, direction }: Case) =>
    isFull || (quick.includes(fault.kind) && direction === 'toClient'),
);

describe.skipIf(!hasEngines)(
  'faults on the connections to PostgreSQL and Redis (reliability R26)',
  () => {
    it.each(['database', 'redis'] as const)(
      '%s: all answers are documented, and normal again after the fault',
      async (link) => {
        const { service, proxies } = await startBehindProxies(engines(), seed);
        const questions = await EngineQuestions.prepare(service);
        const whole = await questions.sendRequest();
        const proxy = proxies[link];
        const undocumented: string[] = [];
        let slowestBackMs = 0;

        for (const one of cases) {
          begin(proxy, one);
          const said = await questions.sendRequest();
          proxy.heal();
          slowestBackMs = Math.max(slowestBackMs, await questions.timeUntil(whole));
          for (const [name, what] of Object.entries(said)) {
            const question = name as keyof Said;
            const others: readonly string[] = allowed[link][question];
            if (what === whole[question] || others.includes(what)) continue;
            undocumented.push(`${one.name}: ${name}: ${what}`);
          }
        }
        await service.stop();
        await vi.waitFor(
          () => expect(proxies.database.openCount + proxies.redis.openCount).toBe(0),
          patienceMs,
        );

        reportFigure(
          'R26',
          `${cases.length} faults on the way to the ${link}: ${questions.asked} requests, ` +
            `${undocumented.length} undocumented answers, each within ${questions.longestMs} ms; all was ` +
            `well ${slowestBackMs} ms after a fault at most; 0 sockets left`,
        );
        expect(undocumented).toEqual([]);
        expect(questions.longestMs).toBeLessThan(answerMs);
        expectWithin(slowestBackMs, backMs);
      },
      300_000,
    );
  },
);
