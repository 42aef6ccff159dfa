import { DatabaseError } from 'pg';
import { expect } from 'vitest';

/** A kind of work that processes repeat. */
export type Deed = { readonly name: string; readonly work: () => Promise<unknown> };

/**
 * Runs all kinds of work in parallel and repeats each for a while, like many independent processes.
 *
 * @returns the count of each kind, and of each error.
 */
export async function churn(
  deeds: readonly Deed[],
  forMs: number,
): Promise<{
  readonly done: Readonly<Record<string, number>>;
  readonly wrong: Readonly<Record<string, number>>;
}> {
  const endMs = performance.now() + forMs;
  const done: Record<string, number> = {};
  const wrong: Record<string, number> = {};
  const count = (counts: Record<string, number>, name: string): void => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  const keepDoing = async ({ name, work }: Deed): Promise<void> => {
    while (performance.now() < endMs) {
      try {
        await work();
        count(done, name);
      } catch (error) {
        count(wrong, `${name}: ${describe(error)}`);
      }
    }
  };
  await Promise.all(deeds.map(keepDoing));
  return { done, wrong };
}

/** A number from 0 up to, and without, `end`. */
export function randomBelow(end: number): number {
  return Math.floor(Math.random() * end);
}

/** One of a list that is not empty. */
export function pick<T>(list: readonly T[]): T {
  expect(list).not.toEqual([]);
  return list[randomBelow(list.length)] as T;
}

function describe(error: unknown): string {
  if (error instanceof DatabaseError) return `${error.code} ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
