import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Db } from '../../../src/platform/database/database.ts';
import { formatInstant } from '../../../src/platform/time/time.ts';
import { storeDeliveries, storeEvent, storeSubscription } from '../../support/stored-webhooks.ts';

const script = fileURLToPath(new URL('./pg-dispatcher-child.ts', import.meta.url));
const subscriptionsCount = 50;
const longAgo = '2026-01-01T00:00:00.000Z';

/** Counts the attempts of each delivery. */
export class AttemptCounter {
  readonly attempts = new Map<string, number>();
  readonly #server = createServer((request, response) => {
    let id = '';
    request.on('data', (part: Buffer) => (id += part.toString()));
    request.on('end', () => {
      this.attempts.set(id, (this.attempts.get(id) ?? 0) + 1);
      response.writeHead(204).end();
    });
  });

  static async start(): Promise<AttemptCounter> {
    const counter = new AttemptCounter();
    counter.#server.listen(0, '127.0.0.1');
    await once(counter.#server, 'listening');
    onTestFinished(() => {
      counter.#server.close();
      counter.#server.closeAllConnections();
    });
    return counter;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}/`;
  }

  /** Deliveries that were attempted more than once. */
  get repeated(): string[] {
    return [...this.attempts].filter(([, count]) => count > 1).map(([id]) => id);
  }
}

/** Stores so many due deliveries, to fifty subscriptions. */
export async function storeDue(db: Db, count: number): Promise<void> {
  const ids = Array.from({ length: subscriptionsCount }, (_, n) => `sub_${n}x`);
  for (const id of ids) await storeSubscription(db, { id });
  for (let n = 0; n < count / subscriptionsCount; n += 1) {
    const eventId = `evt_${n}e`;
    await storeEvent(db, { id: eventId, created_at: longAgo });
    const due = ids.map((id) => ({
      event_id: eventId,
      subscription_id: id,
      created_at: longAgo,
      due_at: longAgo,
    }));
    await storeDeliveries(db, ...due);
  }
}

export async function countPending(db: Db): Promise<number> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('status', '=', 'pending')
    .execute();
  return rows.length;
}

/** The deliveries that a process has claimed. */
export async function listClaimed(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('claimed_until', '>', formatInstant(Date.now()))
    .execute();
  return rows.map(({ id }) => id);
}

/** Ends all claims, as if their 30 s had passed. */
export async function endClaims(db: Db): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ claimed_until: longAgo })
    .where('claimed_until', 'is not', null)
    .execute();
}

/** A process that delivers (`pg-dispatcher-child.ts`); it is killed when the test ends. */
export class DispatcherProcess {
  readonly #child: ChildProcess;
  readonly #messages: AsyncIterator<unknown[]>;

  /** A process that is held makes no attempts of its claimed deliveries. */
  static async load(
    url: string,
    counter: AttemptCounter,
    own: { readonly isHeld?: boolean } = {},
  ): Promise<DispatcherProcess> {
    const hold = own.isHeld === true ? { HOLD: 'on' } : {};
    const process = new DispatcherProcess({
      DATABASE_URL: url,
      COUNTER_URL: counter.url,
      ...hold,
    });
    await process.#messages.next();
    return process;
  }

  private constructor(env: Readonly<Record<string, string>>) {
    this.#child = fork(script, {
      env: { PATH: process.env['PATH'], ...env },
      execArgv: [],
    });
    this.#messages = on(this.#child, 'message') as AsyncIterator<unknown[]>;
    const closed = once(this.#child, 'close');
    onTestFinished(async () => {
      this.#child.kill('SIGKILL');
      await closed;
    });
  }

  start(): void {
    this.#child.send('start');
  }

  /** Resolves when the process has claimed deliveries, before its attempts. */
  async claimed(): Promise<void> {
    await this.#messages.next();
  }

  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    this.#child.kill(name);
  }
}
