/** Upper bounds of the buckets, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const;

/** The durations of the requests of a route: the number in each bucket; the last bucket has no upper bound. */
type Durations = { readonly counts: number[]; sumSeconds: number };

/** The counters of a route and a status. */
type Bound = { count: number; readonly durations: Durations };

/**
 * Counts and times API requests, and prints both in the text format of Prometheus.
 *
 * The counters of the library check their labels at each call, which costs as much as the rest of the work for a
 * request. These only add three numbers.
 */
export class RequestMetrics {
  readonly #durations = new Map<string, Durations>();
  readonly #bound = new Map<string, Map<number, Bound>>();

  observe(route: string, status: number, durationMs: number): void {
    const bound = this.#boundTo(route, status);
    const seconds = durationMs / 1_000;
    let bucket = 0;
    while (seconds > (bounds[bucket] ?? Infinity)) bucket += 1;
    const { counts } = bound.durations;
    bound.count += 1;
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    bound.durations.sumSeconds += seconds;
  }

  /** The text format of Prometheus. */
  print(): string {
    const total = 'vatfx_http_requests_total';
    const duration = 'vatfx_http_request_duration_seconds';
    return [
      `# HELP ${total} Answered API requests by route and status.`,
      `# TYPE ${total} counter`,
      ...[...this.#bound].flatMap(([route, statuses]) =>
        [...statuses].map(
          ([status, { count }]) => `${total}{route="${route}",status="${status}"} ${count}`,
        ),
      ),
      `# HELP ${duration} Time from the head of an API request to the end of its answer.`,
      `# TYPE ${duration} histogram`,
      ...[...this.#durations].flatMap(([route, durations]) =>
        printHistogram(duration, route, durations),
      ),
      '',
    ].join('\n');
  }

  #boundTo(route: string, status: number): Bound {
    const known = this.#bound.get(route)?.get(status);
    if (known !== undefined) return known;
    const durations = this.#durations.get(route) ?? {
      counts: Array<number>(bounds.length + 1).fill(0),
      sumSeconds: 0,
    };
    this.#durations.set(route, durations);
    const statuses = this.#bound.get(route) ?? new Map<number, Bound>();
    this.#bound.set(route, statuses);
    const bound = { count: 0, durations };
    statuses.set(status, bound);
    return bound;
  }
}

/** The buckets of Prometheus are cumulative: each one includes those below it. */
function printHistogram(name: string, route: string, durations: Durations): string[] {
  let count = 0;
  const buckets = durations.counts.map((ofBucket, at) => {
    count += ofBucket;
    return `${name}_bucket{le="${bounds[at] ?? '+Inf'}",route="${route}"} ${count}`;
  });
  const sum = `${name}_sum{route="${route}"} ${durations.sumSeconds}`;
  return [...buckets, sum, `${name}_count{route="${route}"} ${count}`];
}
