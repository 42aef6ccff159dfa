import { onTestFinished } from 'vitest';
import { type Db, openDatabase } from '../../../src/platform/database/database.ts';
import { announceFor, readPage, subjectsOf } from '../../api/support/event-log.ts';
import { addCaller, type Caller } from '../../api/support/caller.ts';
import { eventually } from '../../support/eventually.ts';
import { FaultProxy } from '../../support/fault-proxy.ts';
import { PostgresqlServer } from '../../support/postgresql-server.ts';
import { startService, type TestService } from '../../support/start-service.ts';

/** The functions that tell the incarnation of a database. */
export const incarnationFunctions = [
  'pg_control_system()',
  'pg_control_checkpoint()',
  'pg_current_wal_lsn()',
] as const;

type Kept = {
  readonly caller: Caller;
  readonly subjects: readonly string[];
  readonly cursor: string;
};

/** A service on a PostgreSQL that has a standby, behind an address that stays (a proxy). */
export class FailoverWorld {
  readonly primary: PostgresqlServer;
  readonly proxy: FaultProxy;
  readonly service: TestService;
  #standby: PostgresqlServer | undefined;

  /** The service's role may not call the functions of `without`. */
  static async open({ without = [] }: { readonly without?: readonly string[] } = {}) {
    const primary = await PostgresqlServer.start();
    onTestFinished(async () => primary.stop());
    await primary.query('create role app login; grant all on schema public to app');
    for (const name of without)
      await primary.query(`revoke execute on function ${name} from public`);
    const proxy = await FaultProxy.open(primary.port);
    const databaseUrl = proxy.urlOf(primary.url).replace('vatfx@', 'app@');
    const config = { databaseUrl, secretKey: '5e'.repeat(32) };
    // `doctor` goes by the time of the machine.
    const service = await startService({ at: new Date().toISOString(), config });
    return new FailoverWorld({ primary, proxy, service });
  }

  private constructor(parts: Pick<FailoverWorld, 'primary' | 'proxy' | 'service'>) {
    this.primary = parts.primary;
    this.proxy = parts.proxy;
    this.service = parts.service;
  }

  get standby(): PostgresqlServer {
    if (this.#standby === undefined) throw new Error('there is no standby yet');
    return this.#standby;
  }

  /** Announces events, and then starts a standby that has them. */
  async startStandby(): Promise<Kept> {
    const caller = await addCaller(this.service);
    const subjects = await this.announce(caller, 2);
    const { nextCursor: cursor } = await readPage(caller);
    const standby = await this.primary.startStandby();
    onTestFinished(async () => standby.stop());
    this.#standby = standby;
    return { caller, subjects, cursor };
  }

  /** As `startStandby`, and the standby gets nothing more. */
  async startLaggingStandby(): Promise<Kept> {
    const kept = await this.startStandby();
    await this.standby.detach();
    return kept;
  }

  async announce({ id }: Caller, count: number, db = this.service.core.db): Promise<string[]> {
    const subjects: string[] = [];
    for (let n = 0; n < count; n += 1) subjects.push(await announceFor(db, id));
    return subjects;
  }

  /** Loses the primary server and promotes the standby; the service does not reach it before `reach`. */
  async failOver(): Promise<void> {
    await this.proxy.refuse();
    await this.primary.kill();
    await this.standby.promote();
    this.proxy.leadTo(this.standby.port);
  }

  /** Lets the service reach the server that was promoted. */
  async reach(): Promise<void> {
    await this.proxy.accept();
    await this.untilAnswering();
  }

  async untilAnswering(): Promise<void> {
    await eventually(async () => {
      const { text } = await this.service.sendToOps('/status');
      return (JSON.parse(text) as { database: { answering: boolean } }).database.answering;
    });
  }

  /** A connection to the promoted server, as that of a command. */
  async openStandby(): Promise<Db> {
    const db = await openDatabase(this.standby.url.replace('vatfx@', 'app@'));
    onTestFinished(async () => db.destroy());
    return db;
  }
}

/** The subjects of all events after a cursor, or of all, in pages. */
export async function followAll(caller: Caller, from?: string): Promise<readonly unknown[]> {
  const subjects: unknown[] = [];
  let after = from;
  for (;;) {
    const page = await readPage(caller, `limit=3${after === undefined ? '' : `&after=${after}`}`);
    subjects.push(...subjectsOf(page));
    if (!page.hasMore) return subjects;
    after = page.nextCursor;
  }
}
