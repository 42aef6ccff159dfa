/** An invariant that does not hold. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Throws a {@link Violation} unless it holds; the sentence describes the violation. */
export function mustHold(holds: boolean, sentence: () => string): asserts holds {
  if (!holds) throw new Violation(sentence());
}
