/** The state that every upstream has. */
export interface UpstreamState<F> {
  /** The delay of every answer. */
  readonly latencyMs: number;
  readonly fault: F;
  /** Answers after which the fault heals; null for never. */
  readonly times: number | null;
}

/** The state that a script is merged into: a new fault starts without the count of the previous fault. */
export function withFault<F, S extends UpstreamState<F>>(
  before: S,
  script: Partial<S> | undefined,
): S {
  return script?.fault === undefined ? before : { ...before, times: null };
}

/** The state after one more answer. */
export function afterAnswer<F, S extends UpstreamState<F | 'none'>>(state: S): S {
  if (state.times === null || state.fault === 'none') return state;
  if (state.times > 1) return { ...state, times: state.times - 1 };
  return { ...state, fault: 'none', times: null };
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
