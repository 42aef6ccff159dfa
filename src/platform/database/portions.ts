import { setImmediate } from 'node:timers/promises';

/**
 * Does work in portions, until a portion returns that none follows. Other work of the process runs in between: on SQLite
 * a statement blocks the event loop, and promises alone do not let other work run.
 */
export async function inPortions(portion: () => boolean | Promise<boolean>): Promise<void> {
  while (await portion()) await setImmediate();
}

/** Works through rows in portions of at most `size`, in their order. Other work of the process runs in between. */
export async function eachPortion<T>(
  rows: readonly T[],
  size: number,
  work: (portion: readonly T[]) => void | Promise<void>,
): Promise<void> {
  let at = 0;
  await inPortions(async () => {
    if (at < rows.length) await work(rows.slice(at, at + size));
    at += size;
    return at < rows.length;
  });
}

/** As `eachPortion`, with one row at a time. */
export async function oneByOne<T>(
  rows: readonly T[],
  work: (row: T) => void | Promise<void>,
): Promise<void> {
  await eachPortion(rows, 1, async (portion) => {
    for (const row of portion) await work(row);
  });
}

/** As `eachPortion`; returns the results of all portions in their order. */
export async function mapPortions<T, R>(
  rows: readonly T[],
  size: number,
  work: (portion: readonly T[]) => readonly R[] | Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = [];
  await eachPortion(rows, size, async (portion) => {
    results.push(...(await work(portion)));
  });
  return results;
}
