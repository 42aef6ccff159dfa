import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** In a process of its own: prints the size of the young generation in MB while limited, then when free. */
const script = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { freeYoungGeneration, limitYoungGeneration } from './src/cli/young-generation.ts';

  const kept = [];
  const sizeAfterAllocating = () => {
    for (let n = 0; n < 400_000; n += 1) kept.push({ n, of: [n] });
    const space = getHeapSpaceStatistics().find((one) => one.space_name === 'new_space');
    return space.space_size / 2 ** 20;
  };
  limitYoungGeneration();
  const limited = sizeAfterAllocating();
  freeYoungGeneration();
  console.log(JSON.stringify({ limited, free: sizeAfterAllocating() }));
`;

it('does not grow while it is limited, and grows again when it is free', () => {
  const args = ['--input-type=module', '--eval', script];
  // On a busy machine it may have grown before it is limited: the least of three counts.
  const sizes = [1, 2, 3].map(
    () =>
      JSON.parse(String(execFileSync(process.execPath, args))) as { limited: number; free: number },
  );
  const [least = sizes[0]] = sizes.toSorted((one, other) => one.limited - other.limited);

  expect(least?.limited).toBeLessThanOrEqual(4);
  expect(least?.free).toBeGreaterThan(least?.limited ?? 0);
});
