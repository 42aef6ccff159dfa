/** The part of the scenario that every upstream has. */
export interface UpstreamScript<F> {
  /** The time before every answer. */
  readonly latencyMs: number;
  readonly fault: F;
  /** Answers after which the fault heals; null for never. */
  readonly times: number | null;
}

/** The state before a script: a new fault does not inherit the count of the one before. */
export function withFault<F, S extends UpstreamScript<F>>(
  before: S,
  script: Partial<S> | undefined,
): S {
  return script?.fault === undefined ? before : { ...before, times: null };
}

/** The state after one more answer. */
export function afterOne<F, S extends UpstreamScript<F | 'none'>>(script: S): S {
  if (script.times === null || script.fault === 'none') return script;
  if (script.times > 1) return { ...script, times: script.times - 1 };
  return { ...script, fault: 'none', times: null };
}

/** The items of both lists; an added item replaces the one with the same key. */
export function merge<T>(
  before: readonly T[],
  added: readonly T[] | undefined,
  key: (item: T) => string,
): readonly T[] {
  if (added === undefined) return before;
  return [...new Map([...before, ...added].map((item) => [key(item), item])).values()];
}
