/** Upper bounds of the buckets, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10] as const;

type RouteCounts = {
  /** Requests by status. */
  readonly statuses: Map<number, number>;
  /** Requests by duration, one number for each bucket; the last bucket has no upper bound. */
  readonly buckets: number[];
  sumSeconds: number;
};

/**
 * Counts and times API requests, and prints both in the text format of Prometheus.
 *
 * The counters of the library check their labels at each call, which costs as much as the rest of the work for a
 * request. These only add three numbers.
 */
export class RequestMetrics {
  readonly #routes = new Map<string, RouteCounts>();

  observe(route: string, status: number, durationMs: number): void {
    const counts = this.#routes.get(route) ?? this.#addRoute(route);
    const { statuses, buckets } = counts;
    const seconds = durationMs / 1_000;
    let bucket = 0;
    while (seconds > (bounds[bucket] ?? Infinity)) bucket += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    counts.sumSeconds += seconds;
  }

  /** The text format of Prometheus. */
  print(): string {
    const total = 'vatfx_http_requests_total';
    const duration = 'vatfx_http_request_duration_seconds';
    return [
      `# HELP ${total} Answered API requests by route and status.`,
      `# TYPE ${total} counter`,
      ...[...this.#routes].flatMap(([route, { statuses }]) =>
        [...statuses].map(
          ([status, count]) => `${total}{route="${route}",status="${status}"} ${count}`,
        ),
      ),
      `# HELP ${duration} Time from the head of an API request to the end of its answer.`,
      `# TYPE ${duration} histogram`,
      ...[...this.#routes].flatMap(([route, counts]) => printHistogram(duration, route, counts)),
      '',
    ].join('\n');
  }

  #addRoute(route: string): RouteCounts {
    const buckets = Array<number>(bounds.length + 1).fill(0);
    const counts = { statuses: new Map<number, number>(), buckets, sumSeconds: 0 };
    this.#routes.set(route, counts);
    return counts;
  }
}

/** The buckets of Prometheus are cumulative: each one includes those below it. */
function printHistogram(
  name: string,
  route: string,
  { buckets, sumSeconds }: RouteCounts,
): string[] {
  let count = 0;
  const lines = buckets.map((inBucket, at) => {
    count += inBucket;
    return `${name}_bucket{le="${bounds[at] ?? '+Inf'}",route="${route}"} ${count}`;
  });
  const sum = `${name}_sum{route="${route}"} ${sumSeconds}`;
  return [...lines, sum, `${name}_count{route="${route}"} ${count}`];
}
