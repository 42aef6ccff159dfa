import { describe, expect, it } from 'vitest';
import { breaks } from './breaks.ts';
import { liveSeeds } from './seeds-process.ts';

/** Lives enough for each of them; most are caught in the first days of the first. */
const seeds = { from: 5, to: 60, days: 60 };

describe('a broken build in simulated time (reliability R4)', () => {
  it.each(Object.keys(breaks))(
    'is caught by an invariant: %s',
    { timeout: 240_000 },
    async (name) => {
      const lived = await liveSeeds(seeds, name);

      const violation = lived.at(-1)?.violation ?? 'none';
      console.log(`${name}: seed ${lived.at(-1)?.seed}, ${violation.slice(0, 160)}`);
      expect(violation).not.toBe('none');
      // A broken build that only fell over would tell where.
      expect(violation).not.toMatch(/\n +at /);
    },
  );
});
