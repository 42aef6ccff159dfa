import type { Result } from './measure.ts';

/**
 * The questions of the bench, in order. Each is loaded when it is measured, so that a revision that lacks a part
 * which one question needs can be measured by the others.
 */
export const questions: Readonly<Record<string, (rounds: number) => Promise<Result[]>>> = {
  P1: async (rounds) => (await import('./p1-from-memory.ts')).measureFromMemory(rounds, 1),
  P2: async (rounds) => (await import('./p2-not-modified.ts')).measureNotModified(rounds, 1),
  P3: async (rounds) => (await import('./p3-cached-check.ts')).measureCachedCheck(rounds, 1),
  P4: async (rounds) => (await import('./p4-latency.ts')).measureLatency(rounds, 1),
  P5: async (rounds) => (await import('./p5-dated.ts')).measureDated(rounds, 1),
  P6: async (rounds) => (await import('./p6-change-log.ts')).measureChangeLog(rounds),
  P7: async (rounds) => (await import('./p7-cold-check.ts')).measureColdCheck(rounds, 300),
  P8: async (rounds) => (await import('./p8-daily-job.ts')).measureDailyJob(3 * rounds),
  P9: async (rounds) => (await import('./p9-history.ts')).measureHistory(rounds),
  P10: async (rounds) => (await import('./p10-fan-out.ts')).measureFanOut(rounds),
  // More rounds, because the differences between two sizes are small and the figures vary.
  P11: async (rounds) => (await import('./p11-many-keys.ts')).measureManyKeys(rounds + 2, 1),
  P12: async (rounds) => (await import('./p12-start.ts')).measureStart(rounds),
  P13: async (rounds) => (await import('./p13-replicas.ts')).measureReplicas(rounds, 3),
  P14: async (rounds) => (await import('./p14-range.ts')).measureRange(rounds),
  P15: async (rounds) => (await import('./p15-stored-checks.ts')).measureStoredChecks(100 * rounds),
  P16: async (rounds) => [
    ...(await (await import('./p16-category-lookup.ts')).measureCategoryLookup(rounds)),
    ...(await (await import('./p16-category-storage.ts')).measureCategoryStorage()),
  ],
  P17: async (rounds) => (await import('./p17-waiting-readers.ts')).measureWaitingReaders(rounds),
  // One round takes 86 s, and the whole benchmark 20 minutes at most.
  C26a: async () => (await import('./c26a-floods.ts')).measureFloods(1, 5),
  SCALE: async () => (await import('./scale.ts')).measureScale('sqlite'),
  'SCALE-PG': async () => (await import('./scale.ts')).measureScale('postgresql'),
  P21: async () => (await import('./p21-clone.ts')).measureClone(),
  P22: async (rounds) => (await import('./p22-registries.ts')).measureRegistries(rounds, 40),
  P18: async (rounds) => (await import('./p18-fx-by-law.ts')).measureFxByLaw(rounds, 1),
};
