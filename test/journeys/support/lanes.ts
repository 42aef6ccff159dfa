/** Does something with each of a list, two at a time, in their order; the results are in that order, too. */
export async function inTwoLanes<T, R>(
  list: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = list.entries();
  const lane = async (): Promise<void> => {
    // Both take from the same iterator.
    for (const [at, one] of waiting) results[at] = await work(one);
  };
  await Promise.all([lane(), lane()]);
  return results;
}
