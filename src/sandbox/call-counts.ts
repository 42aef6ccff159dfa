/**
 * How many calls each Member State received, and how many of them at the same time.
 *
 * A call is in flight from its arrival until its answer is sent or the peer has hung up. A caller that
 * has its answer, or has given up, may call again and is never counted twice.
 */
export class CallCounts {
  readonly #counts = new Map<string, Count>();

  /** Counts a call to a Member State, by registry code; the function returned ends the call. */
  begin(memberState: string): () => void {
    const counts = [this.#countOf(memberState), this.#countOf(all)];
    for (const count of counts) {
      count.calls += 1;
      count.inFlight += 1;
      count.mostInFlight = Math.max(count.mostInFlight, count.inFlight);
    }
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      for (const count of counts) count.inFlight -= 1;
    };
  }

  /** The calls so far, to one Member State or in all. */
  calls(memberState: string = all): number {
    return this.#countOf(memberState).calls;
  }

  inFlight(memberState: string = all): number {
    return this.#countOf(memberState).inFlight;
  }

  /** The greatest number of calls that were in flight at the same time. */
  mostInFlight(memberState: string = all): number {
    return this.#countOf(memberState).mostInFlight;
  }

  /** Starts counting again; calls in flight stay counted as such. */
  clear(): void {
    for (const count of this.#counts.values()) {
      count.calls = 0;
      count.mostInFlight = count.inFlight;
    }
  }

  #countOf(memberState: string): Count {
    const count = this.#counts.get(memberState) ?? { calls: 0, inFlight: 0, mostInFlight: 0 };
    this.#counts.set(memberState, count);
    return count;
  }
}

interface Count {
  calls: number;
  inFlight: number;
  mostInFlight: number;
}

const all = 'all';
