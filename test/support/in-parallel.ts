/** Runs a function for each item, so many at a time, and waits for all of them. */
export async function inParallel<T>(
  workers: number,
  items: Iterable<T>,
  run: (item: T, at: number) => Promise<void>,
): Promise<void> {
  const left = [...items].entries();
  const work = async (): Promise<void> => {
    for (const [at, item] of left) await run(item, at);
  };
  await Promise.all(Array.from({ length: workers }, work));
}
