import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { countDroppedLines } from './log/gathered-lines.ts';
import { RequestMetrics } from './http/server/request-metrics.ts';
import { readVersion } from './version.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Gauges of the library whose names end like those of counters, which `promtool check metrics` rejects. Their values
 * are the sums of `nodejs_active_handles`, `nodejs_active_requests` and `nodejs_active_resources`.
 */
const misnamedGauges = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Every metric of the service, nearly all on a registry of its own (`/metrics` of the operations port). */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamedGauges) registry.removeSingleMetric(name);
  const registers = [registry];
  createBuildInfo(registers);

  return {
    registry,
    ...createLogMetrics(registers),
    ...createBacklogMetrics(registers),
    requests: new RequestMetrics(),
    refusedKeys: new Counter({
      name: 'vatfx_refused_keys_total',
      help: 'Requests without a valid key, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    upstreamCalls: new Counter({
      name: 'vatfx_upstream_calls_total',
      help: 'Calls to an upstream by outcome: answered, or the kind of failure.',
      labelNames: ['upstream', 'operation', 'outcome'] as const,
      registers,
    }),
    upstreamSeconds: new Histogram({
      name: 'vatfx_upstream_call_duration_seconds',
      help: 'Time of a call to an upstream, its answer read and parsed.',
      labelNames: ['upstream', 'operation'] as const,
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120],
      registers,
    }),
    runs: new Counter({
      name: 'vatfx_job_runs_total',
      help: 'Runs of a job by outcome.',
      labelNames: ['job', 'outcome'] as const,
      registers,
    }),
    ...createFreshnessMetrics(registers),
    ...createReplicaMetrics(registers),
    ...createConnectionMetrics(registers),
  };
}

function createBuildInfo(registers: Registry[]): void {
  new Gauge({
    name: 'vatfx_build_info',
    help: 'Always 1; the labels are the version of vatfx and the version of Node.',
    labelNames: ['version', 'node'] as const,
    registers,
  }).set({ version: readVersion(), node: process.versions.node }, 1);
}

function createLogMetrics(registers: Registry[]) {
  return {
    droppedLogLines: new Counter({
      name: 'vatfx_log_lines_dropped_total',
      help: 'Lines of the log that were dropped, because they were not read or the disk was full.',
      registers,
      collect() {
        this.reset();
        this.inc(countDroppedLines());
      },
    }),
  };
}

function createReplicaMetrics(registers: Registry[]) {
  return {
    replicas: new Gauge({
      name: 'vatfx_replicas',
      help: 'Processes that serve from this database.',
      registers,
    }),
    databaseAnswering: new Gauge({
      name: 'vatfx_database_answering',
      help: '1 while the database answers, 0 while it is away.',
      registers,
    }),
    databaseWritable: new Gauge({
      name: 'vatfx_database_writable',
      help: '1 while the database accepts writes, 0 while it refuses them.',
      registers,
    }),
    clockDoubted: new Gauge({
      name: 'vatfx_clock_doubted',
      help: '1 while the clock of this machine has jumped or an upstream contradicts it, and background work waits; else 0.',
      registers,
    }),
    redisAnswering: new Gauge({
      name: 'vatfx_redis_answering',
      help: '1 while Redis answers, 0 while it is away; always 1 without REDIS_URL.',
      registers,
    }),
  };
}

function createConnectionMetrics(registers: Registry[]) {
  return {
    openConnections: new Gauge({
      name: 'vatfx_open_connections',
      help: 'Connections that are open, by port: api or operations.',
      labelNames: ['port'] as const,
      registers,
    }),
    closedConnections: new Counter({
      name: 'vatfx_connections_closed_total',
      help: 'Connections that were ended by a limit, by port and reason: connections, requests, unread or anonymous.',
      labelNames: ['port', 'reason'] as const,
      registers,
    }),
  };
}

function createBacklogMetrics(registers: Registry[]) {
  return {
    webhookAttempts: new Counter({
      name: 'vatfx_webhook_attempts_total',
      help: 'Webhook attempts by outcome: succeeded, retry, exhausted or gone.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    webhookSeconds: new Histogram({
      name: 'vatfx_webhook_attempt_duration_seconds',
      help: 'Time of a webhook attempt, from the name of the receiver to its answer.',
      buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    webhookBacklog: new Gauge({
      name: 'vatfx_webhook_backlog',
      help: 'Deliveries that have not succeeded and have not been given up.',
      registers,
    }),
    waitingChecks: new Gauge({
      name: 'vatfx_stored_checks_waiting',
      help: 'Stored VAT checks that wait for an attempt, by Member State.',
      labelNames: ['member_state'] as const,
      registers,
    }),
    lateChecks: new Gauge({
      name: 'vatfx_stored_checks_late',
      help: 'Stored VAT checks that have waited for an answer for over a day.',
      registers,
    }),
    expiredChecks: new Counter({
      name: 'vatfx_stored_checks_expired_total',
      help: 'Stored VAT checks that have expired without an answer, other than those of keys that have ended.',
      registers,
    }),
    registryBlocked: new Gauge({
      name: 'vatfx_registry_blocked',
      help: '1 while VIES blocks this service and no VAT number is queried, else 0.',
      registers,
    }),
    registryCalls: new Gauge({
      name: 'vatfx_registry_calls_today',
      help: 'Calls to VIES of all processes since midnight UTC, by kind: background, or callers for those that a caller waited for.',
      labelNames: ['kind'] as const,
      registers,
    }),
    failedWatches: new Gauge({
      name: 'vatfx_watches_failed',
      help: 'Watches whose number is not watched at present, by error.',
      labelNames: ['error'] as const,
      registers,
    }),
    waitingReaders: new Gauge({
      name: 'vatfx_events_waiting_readers',
      help: 'Requests to /events that wait for an event, in this process.',
      registers,
    }),
    eventsHeldBack: new Gauge({
      name: 'vatfx_events_held_back_seconds',
      help: 'Age of the oldest open transaction that readers of events wait for; 0 when there is none.',
      registers,
    }),
    webhookOldestDue: new Gauge({
      name: 'vatfx_webhook_oldest_due_seconds',
      help: 'How long the longest due delivery has been due; 0 when none is.',
      registers,
    }),
  };
}

function createFreshnessMetrics(registers: Registry[]) {
  return {
    held: new Gauge({
      name: 'vatfx_held_snapshots',
      help: 'Snapshots that the plausibility gate holds, and that wait for a decision.',
      labelNames: ['kind'] as const,
      registers,
    }),
    corrections: new Gauge({
      name: 'vatfx_open_corrections',
      help: 'Upstream corrections of published values that have not been applied.',
      labelNames: ['kind'] as const,
      registers,
    }),
    missed: new Gauge({
      name: 'vatfx_missed_publications',
      help: 'Publications that are due and not published here; 0 is fresh.',
      labelNames: ['kind'] as const,
      registers,
    }),
    laterThanToday: new Gauge({
      name: 'vatfx_newest_version_later_than_today',
      help: '1 if the newest version is dated after today, which only a wrong clock can publish; else 0.',
      labelNames: ['kind'] as const,
      registers,
    }),
    databaseWentBack: new Gauge({
      name: 'vatfx_database_went_back',
      help: '1 for seven days after the database was found to have gone back to an earlier state; else 0.',
      registers,
    }),
    newest: new Gauge({
      name: 'vatfx_newest_version_timestamp_seconds',
      help: 'The newest published version, as the start of its day in UTC.',
      labelNames: ['kind'] as const,
      registers,
    }),
  };
}
