import { execFile } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from './eventually.ts';
import { findPostgresql } from './programs.ts';
import { ServerProcess } from './server-process.ts';

const run = promisify(execFile);
const user = 'vatfx';
/** The role that needs its password; all others may connect without one. A test makes it. */
export const roleWithPassword = 'with_password';
type Settings = Readonly<Record<string, string | number>>;
/** Free bytes that a server in memory needs: several may run at the same time, with 200 MB each. */
const roomBytes = 4 * 1_024 ** 3;

/**
 * A PostgreSQL of the tests' own, empty, on a free port of this machine.
 *
 * It sorts by a language, not by bytes as SQLite does, so code that depends on the order of texts fails.
 */
export class PostgresqlServer {
  readonly #process: ServerProcess;
  readonly #folder: string;
  readonly #remove = (): void => rmSync(this.#folder, { recursive: true, force: true });

  /** Starts a server, with settings of its own; the caller stops it. `findPostgresql()` says if there is one. */
  static async start(settings: Settings = {}): Promise<PostgresqlServer> {
    return PostgresqlServer.#startIn(async (at) => initialize(at), settings);
  }

  /** Starts a server in a new folder, which `fill` fills. */
  static async #startIn(
    fill: (at: Place) => Promise<void>,
    settings: Settings,
  ): Promise<PostgresqlServer> {
    const programs = findPostgresql();
    if (programs === undefined) throw new Error('postgresql is not installed');
    const folder = mkdtempSync(join(parentFolder(), 'vatfx-postgresql-'));
    try {
      const uid = chooseUser();
      if (uid !== undefined) chownSync(folder, uid, -1);
      await fill({ programs, folder, as: uid === undefined ? {} : { uid, cwd: '/' } });
      const postgres = join(programs, 'postgres');
      const command = (port: number): readonly string[] => [
        postgres,
        ...argsOf(folder, port, settings),
      ];
      const server = new PostgresqlServer(await ServerProcess.start({ command, uid }), folder);
      await server.#untilReady(programs);
      return server;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Starts a standby of this server, which follows it (streaming replication) until it is detached or promoted. */
  async startStandby(): Promise<PostgresqlServer> {
    return PostgresqlServer.#startIn(async ({ programs, folder, as }) => {
      const args = ['-D', folder, '-d', this.url, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'];
      await run(join(programs, 'pg_basebackup'), args, as);
    }, {});
  }

  /** Waits until a standby has everything that this server has committed. */
  async untilFollowedBy(standby: PostgresqlServer): Promise<void> {
    const end = await this.query('select pg_current_wal_lsn()');
    await eventually(async () => {
      const isThere = `select pg_last_wal_replay_lsn() >= '${end}'::pg_lsn`;
      return (await standby.query(isThere)) === 't';
    });
  }

  /** Ends the replication to this standby: it gets nothing more. */
  async detach(): Promise<void> {
    await this.query(`alter system set primary_conninfo = ''`);
    await this.query('select pg_reload_conf()');
    await eventually(
      async () => (await this.query('select count(*) from pg_stat_wal_receiver')) === '0',
    );
  }

  /** Runs a statement; returns the first value of its result as text. */
  async query(statement: string): Promise<string> {
    const psql = join(findPostgresql() ?? '', 'psql');
    return (await run(psql, [this.url, '-qtAXc', statement])).stdout.trim();
  }

  private constructor(server: ServerProcess, folder: string) {
    this.#process = server;
    this.#folder = folder;
    // If the test was killed, the process of the server has ended by then.
    process.once('exit', this.#remove);
  }

  /** The folder of its data, which the server's user owns. */
  get folder(): string {
    return this.#folder;
  }

  get port(): number {
    return this.#process.port;
  }

  get url(): string {
    return `postgres://${user}@127.0.0.1:${this.port}/postgres`;
  }

  /** Creates an empty database. */
  async createDatabase(name: string): Promise<void> {
    await this.query(`create database ${name}`);
  }

  /** Ends it like the loss of a machine; committed data is there after `restart`. */
  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Stops it: connections stay open, and it answers nothing until `resume`. */
  pause(): void {
    this.#process.pause();
  }

  resume(): void {
    this.#process.resume();
  }

  /** Starts it on the same port and data, after the end of the one before. */
  async restart(): Promise<void> {
    await this.#process.kill();
    await this.#process.start();
    await this.#untilReady(findPostgresql() ?? '');
  }

  /** Starts it again as a standby, which accepts no writes until `promote`. */
  async restartAsStandby(): Promise<void> {
    const signal = join(this.#folder, 'standby.signal');
    writeFileSync(signal, '');
    const uid = chooseUser();
    if (uid !== undefined) chownSync(signal, uid, -1);
    await this.restart();
  }

  /** Ends it in order: a standby that follows it gets everything first. */
  async shutDown(): Promise<void> {
    await this.#process.stop('SIGINT');
  }

  async promote(): Promise<void> {
    await this.query('select pg_promote()');
  }

  async stop(): Promise<void> {
    // Without waiting for clients.
    await this.#process.stop('SIGINT');
    process.off('exit', this.#remove);
    this.#remove();
  }

  /** Waits until it serves: it listens earlier, but refuses connections until it has read its log. */
  async #untilReady(programs: string): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await run(join(programs, 'psql'), [this.url, '-qXc', 'select 1']);
        return;
      } catch (error) {
        if (attempt < 50) continue;
        await this.#process.kill();
        throw error;
      }
    }
  }
}

/**
 * A folder in memory if there is room for it. A database has a thousand files, and to create and delete them for each
 * test takes longer than the test where a disk is slow.
 */
function parentFolder(): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > roomBytes ? inMemory : tmpdir();
}

/** The folder of a server, the programs, and how they are run. */
type Place = {
  readonly programs: string;
  readonly folder: string;
  readonly as: { readonly uid?: number; readonly cwd?: string };
};

async function initialize({ programs, folder, as }: Place): Promise<void> {
  const collation = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];
  const args = ['-D', folder, '-U', user, '-A', 'trust', '-E', 'UTF8', '--no-sync', ...collation];
  await run(join(programs, 'initdb'), args, as);
  const hosts = join(folder, 'pg_hba.conf');
  const others = readFileSync(hosts, 'utf8');
  writeFileSync(hosts, `host all ${roleWithPassword} all scram-sha-256\n${others}`);
}

function argsOf(folder: string, port: number, own: Settings): readonly string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    // Dropping a schema locks all its objects.
    max_locks_per_transaction: 256,
    // Power loss is not what is tested here, and the disk is the slowest part of the machine.
    fsync: 'off',
    full_page_writes: 'off',
    ...own,
  };
  const set = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', folder, '-p', String(port), ...set];
}

/** The user to run it as, because PostgreSQL refuses to run as root; undefined for the current user. */
function chooseUser(): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  if (uid === undefined) throw new Error('postgresql: no user to run as, and root may not');
  return Number(uid);
}
