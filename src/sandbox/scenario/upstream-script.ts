/** What can be scripted of every upstream. */
export interface UpstreamScript<F> {
  /** How long every answer takes to begin. */
  readonly latencyMs: number;
  readonly fault: F;
  /** Answers that the fault still spoils before it heals; null for every one. */
  readonly times: number | null;
}

/** A new fault without a count of its own is there to stay. */
export function withFault<F, S extends UpstreamScript<F>>(
  before: S,
  script: Partial<S> | undefined,
): S {
  return script?.fault === undefined ? before : { ...before, times: null };
}

/** What is left of the script after one more answer. */
export function afterOne<F, S extends UpstreamScript<F | 'none'>>(script: S): S {
  if (script.times === null || script.fault === 'none') return script;
  if (script.times > 1) return { ...script, times: script.times - 1 };
  return { ...script, fault: 'none', times: null };
}

/** The items of both lists; of two with the same key the one that was added. */
export function merge<T>(
  before: readonly T[],
  added: readonly T[] | undefined,
  key: (item: T) => string,
): readonly T[] {
  if (added === undefined) return before;
  return [...new Map([...before, ...added].map((item) => [key(item), item])).values()];
}
