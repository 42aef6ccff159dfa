import { subscribe } from 'node:diagnostics_channel';
import { Client } from 'pg';
import { pino } from 'pino';
import { createCore } from '../../../src/composition/core.ts';
import { readConfig } from '../../../src/platform/config/config.ts';
import { isoDate } from '../../../src/platform/time/time.ts';
import type { Moment, ReplicaMessage, ReplicaTask } from './pg-replica-task.ts';

/**
 * A process that runs the daily job of rates for each task, as one of several replicas. It waits during a run if the
 * test stops it or ends its sessions there.
 *
 * The product needs no change for this: statements are observed in `pg`, and the end of a call to an upstream comes
 * from undici's diagnostics channels.
 */
const patterns: Readonly<Record<Moment, RegExp>> = {
  fetched: /^begin/,
  inserting: /^insert into "rate_snapshots"/,
  checking: /^update "leases" set "holder" = "holder"/,
  committing: /^commit/,
};

let waitAt: Moment | undefined;
let isFetched = false;
const backends = new Set<number>();
let goOn = Promise.withResolvers<void>();

type WithProcessId = Client & { readonly processID: number };

watchStatements();
subscribe('undici:request:trailers', () => (isFetched = true));
const { DATABASE_URL: databaseUrl = '', TEDB_URL: tedbUrl = '' } = process.env;
let nowMs = 0;
const core = await createCore({
  config: { ...readConfig({ DATABASE_URL: databaseUrl }, '').config, tedbUrl },
  log: pino({ level: 'silent' }),
  clock: { now: () => nowMs },
  retry: { attempts: 1, firstDelayMs: 1 },
});
process.on('message', (message) => {
  if (message === 'go on') goOn.resolve();
  else void run(message as ReplicaTask);
});
tell({ kind: 'ready' });

async function run(task: ReplicaTask): Promise<void> {
  nowMs = Date.parse(task.now);
  waitAt = task.waitAt;
  isFetched = false;
  goOn = Promise.withResolvers();
  const troubles: string[] = [];
  let outcomes: (string | null)[] = [];
  try {
    const reports = await core.jobs.rates.refreshTo(isoDate(task.version), task.waitMs);
    if (reports === undefined) troubles.push('the lease was never free');
    outcomes = (reports ?? []).map(({ outcome }) => outcome);
    troubles.push(...(reports ?? []).flatMap(({ detail }) => detail ?? []));
  } catch (error) {
    troubles.push(error instanceof Error ? error.message : String(error));
  }
  tell({ kind: 'ended', outcomes, troubles });
}

/** Observes every statement before it is sent, from now on. */
function watchStatements(): void {
  const query = Reflect.get(Client.prototype, 'query') as (...args: unknown[]) => unknown;
  const watched = function (this: WithProcessId, ...args: unknown[]): unknown {
    if (!backends.has(this.processID)) {
      backends.add(this.processID);
      this.once('end', () => backends.delete(this.processID));
    }
    const [text] = args;
    const isHere =
      isFetched && waitAt !== undefined && typeof text === 'string' && patterns[waitAt].test(text);
    if (!isHere) return query.apply(this, args);
    waitAt = undefined;
    const own = this.processID;
    tell({ kind: 'waiting', own, others: [...backends].filter((pid) => pid !== own) });
    return goOn.promise.then(async () => query.apply(this, args));
  };
  Object.assign(Client.prototype, { query: watched });
}

function tell(message: ReplicaMessage): void {
  process.send?.(message);
}
