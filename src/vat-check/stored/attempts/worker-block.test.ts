import { describe, expect, it } from 'vitest';
import { reportFigure } from '../../../../test/support/proof.ts';
import { checkRow } from '../../../../test/support/stored-checks.ts';
import { openTwice } from '../../../../test/support/stored-keys.ts';
import { answered, StoredWorld } from '../../../../test/vat-check/support/stored-world.ts';
import type { RegistryOutcome } from '../../registries/outcome.ts';
import { toStoredCheck } from '../stored-check.ts';

const [stepMs, minuteMs] = [5_000, 60_000];
const states = ['AT', 'BE', 'BG', 'CZ', 'DE', 'FR', 'IT', 'NL'] as const;
const blocked: RegistryOutcome = { kind: 'failed', failure: 'blocked' };

/**
 * Replicas with 400 pending checks of 8 Member States, and 60 callers a minute, who ask the replicas in turn. VIES blocks for
 * the first `blockedMinutes`. Returns the calls of each minute.
 */
async function liveThrough(replicas: number, blockedMinutes: number, minutes: number) {
  const [one, other] = await openTwice();
  const world = await StoredWorld.open(one);
  const processes = Array.from({ length: replicas }, (_, n) =>
    world.createWorker(n % 2 === 0 ? one : other),
  );
  await world.create(
    ...Array.from({ length: 400 }, (_, n) => {
      return { queried: { registryCode: states[n % 8]!, number: `n${n}` } };
    }),
  );
  const startedMs = world.nowMs;
  const upAtMs = startedMs + blockedMinutes * minuteMs;
  world.answer = () => (world.nowMs < upAtMs ? blocked : answered(true));
  let asked = 0;
  for (; world.nowMs < startedMs + minutes * minuteMs; world.advance(stepMs)) {
    await world.followBlocks();
    for (let caller = 0; caller < 5; caller += 1) {
      const row = checkRow({ id: 'vc_1', registry_code: states[asked % 8]!, number: `c${asked}` });
      await processes[asked % replicas]?.attempts.makeForCaller(toStoredCheck(row));
      asked += 1;
    }
    await Promise.all(processes.map(async ({ worker }) => worker.pass()));
    await Promise.all(processes.map(async ({ worker }) => worker.settle()));
  }
  const perMinute = Map.groupBy(world.queries, ({ atMs }) =>
    Math.floor((atMs - startedMs) / minuteMs),
  );
  const callsOf = (minute: number): number => perMinute.get(minute)?.length ?? 0;
  return { world, callsPerMinute: Array.from({ length: minutes }, (_, n) => callsOf(n)) };
}

describe('a block by VIES with callers and pending checks (rule K21)', () => {
  it.each([1, 3])(
    'is met with a few calls by %i replicas together, and all go on within a minute of its end',
    async (replicas) => {
      const { world, callsPerMinute } = await liveThrough(replicas, 14, 18);

      reportFigure(
        'R35',
        `VIES blocks 60 callers a minute and 400 pending checks for 14 minutes, ${replicas} replicas: calls per minute ` +
          callsPerMinute.join(', '),
      );
      // Each replica counts its own three; then trials after 1, 2, 4 and 8 minutes, of all together.
      expect(callsPerMinute[0]).toBeLessThanOrEqual(3 * replicas);
      expect(callsPerMinute.slice(1, 15)).toEqual([1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
      expect(callsPerMinute[15]).toBeGreaterThan(60);
      expect(world.logLines).toEqual([
        expect.stringContaining('"level":"error"'),
        expect.stringContaining('"level":"info"'),
      ]);
    },
  );
});
