/**
 * How many calls each Member State received, and how many of them at the same time.
 *
 * A call is in flight from its arrival until its answer is sent or its caller has hung up. The next call
 * of the same caller is therefore never in flight together with this one.
 */
export class CallCounts {
  readonly #counts = new Map<string, Count>();

  /** Counts a call to a Member State, by registry code. Call the returned function when the call ends. */
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

  /** The number of calls so far, to one Member State or to all. */
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

  /** Sets the counts to 0; calls in flight are still counted as in flight. */
  clear(): void {
    for (const count of this.#counts.values()) {
      count.calls = 0;
      count.mostInFlight = count.inFlight;
    }
  }

  #countOf(memberState: string): Count {
    const none = () => ({ calls: 0, inFlight: 0, mostInFlight: 0 });
    return this.#counts.getOrInsertComputed(memberState, none);
  }
}

interface Count {
  calls: number;
  inFlight: number;
  mostInFlight: number;
}

const all = 'all';
