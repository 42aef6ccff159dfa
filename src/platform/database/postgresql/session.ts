import type { PoolClient } from 'pg';
import { repeatConflicts } from './conflicts.ts';
import type { Connections } from './connections.ts';
import { isRefusal, outageOf, toOutage } from './errors.ts';
import { timeoutsMs } from './timeouts.ts';
import { DatabaseUnavailableError } from '../unavailable.ts';

/**
 * Reads how the transaction of a single statement has to begin. There is no row if the defaults of the role, the database
 * and the server are those that this program needs: then such a statement needs no `begin`. A standby writes nothing.
 */
const readBeginning = `
  select 'begin isolation level read committed' ||
    case when is_read_only then ' read write' else '' end as beginning
  from (select current_setting('default_transaction_isolation') as isolation,
    current_setting('default_transaction_read_only')::boolean
      and not pg_is_in_recovery() as is_read_only) as of_session
  where isolation <> 'read committed' or is_read_only`;

const beginnings = new WeakMap<PoolClient, string | undefined>();

/**
 * A connection that is taken from the pool, as Kysely uses it.
 *
 * Every statement runs in a transaction that is read committed and read-write, whatever the defaults are. Settings of the
 * session stay as they are, because a pooler in transaction mode gives the session to other processes. The connection is
 * closed after an error that did not come from a statement.
 */
export class Session {
  readonly #connections: Connections;
  #client: PoolClient | undefined;
  #isBroken = false;
  #isInTransaction = false;

  /** Takes a connection; rejects with an outage if there is none in time. */
  static async open(connections: Connections): Promise<Session> {
    const session = new Session(connections);
    try {
      await session.#unlessRefused(async () => {});
      return session;
    } catch (error) {
      session.release(true);
      throw error;
    }
  }

  private constructor(connections: Connections) {
    this.#connections = connections;
  }

  async query(text: string, parameters: readonly unknown[]): Promise<unknown> {
    if (this.#isInTransaction) {
      const result = await this.#send(text, parameters).catch((error: unknown) => {
        throw toOutage(error);
      });
      this.#isInTransaction = text !== 'commit' && text !== 'rollback';
      return result;
    }
    if (text.startsWith('begin ')) return this.#begin(text);
    return repeatConflicts(async () =>
      this.#unlessRefused(async () => this.#sendAlone(text, parameters)),
    );
  }

  release(destroy = false): void {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) this.#connections.release(client, destroy || this.#isBroken);
  }

  /** Does the first work of a connection. If a pooler refuses it before any statement, another connection is taken. */
  async #unlessRefused<T>(work: () => Promise<T>): Promise<T> {
    const untilMs = performance.now() + timeoutsMs.connect;
    for (;;) {
      try {
        await this.#take();
        return await work();
      } catch (error) {
        if (!isRefusal(error) || performance.now() >= untilMs) throw toOutage(error);
        this.#connections.noteRefusal(error);
        this.release(true);
        this.#isBroken = false;
      }
    }
  }

  async #take(): Promise<void> {
    if (this.#client !== undefined) return;
    const client = await this.#connections.connect();
    this.#client = client;
    if (beginnings.has(client)) return;
    const result = (await this.#send(readBeginning, [])) as {
      readonly rows: readonly { readonly beginning: string }[];
    };
    beginnings.set(client, result.rows[0]?.beginning);
  }

  async #begin(text: string): Promise<unknown> {
    try {
      const result = await this.#unlessRefused(async () => this.#send(text, []));
      this.#isInTransaction = true;
      return result;
    } catch (error) {
      // A standby refuses `read write`, with a code that statements have for other reasons.
      throw outageOf(error);
    }
  }

  /** Sends a statement that is a transaction of its own. */
  async #sendAlone(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const beginning = this.#client && beginnings.get(this.#client);
    if (beginning === undefined) return this.#send(text, parameters);
    await this.#send(beginning, []);
    try {
      const result = await this.#send(text, parameters);
      await this.#send('commit', []);
      return result;
    } catch (error) {
      await this.#send('rollback', []).catch(() => {});
      throw error;
    }
  }

  async #send(text: string, parameters: readonly unknown[]): Promise<unknown> {
    // A rollback on a broken connection would wait for another timeout.
    if (this.#isBroken || this.#client === undefined) {
      throw new DatabaseUnavailableError('database: this connection cannot be used any more');
    }
    try {
      return await this.#client.query(text, [...parameters]);
    } catch (error) {
      this.#isBroken ||= toOutage(error) instanceof DatabaseUnavailableError;
      throw error;
    }
  }
}
