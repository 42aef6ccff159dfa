/** Runs a function for each item, `workers` at a time; returns the results in the order of the items. */
export async function inParallel<T, R>(
  workers: number,
  items: Iterable<T>,
  run: (item: T, at: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // All workers take from the same iterator.
  const left = [...items].entries();
  const work = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await run(item, at);
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}
