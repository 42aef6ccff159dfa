import { accessSync, chownSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ServerProcess } from '../../support/server-process.ts';

/** The id of a user without rights. */
const unprivilegedUser = 65_534;

/** The path of PgBouncer, if it is installed. */
export function findPgbouncer(): string | undefined {
  // oxlint-disable-next-line node/no-process-env -- the folders of programs
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...path, '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin']
    .map((folder) => join(folder, 'pgbouncer'))
    .find(isProgram);
}

/** A pooler in front of a server, in transaction mode, with only two sessions. */
export class Pooler {
  readonly #process: ServerProcess;
  readonly #folder: string;

  /** Starts a pooler in front of the database of a URL; `settings` are lines of its file, which win. */
  static async start(databaseUrl: string, settings: readonly string[] = []): Promise<Pooler> {
    const program = findPgbouncer();
    if (program === undefined) throw new Error('pgbouncer is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'vatfx-pgbouncer-'));
    // PgBouncer refuses to run as root.
    const uid = process.getuid?.() === 0 ? unprivilegedUser : undefined;
    if (uid !== undefined) chownSync(folder, uid, -1);
    const users = join(folder, 'users.txt');
    writeFileSync(users, '"vatfx" ""\n');
    const command = (port: number): readonly string[] => {
      const file = join(folder, `${port}.ini`);
      writeFileSync(file, configOf({ databaseUrl, port, users, settings }));
      return [program, file];
    };
    return new Pooler(await ServerProcess.start({ command, uid }), folder);
  }

  private constructor(process: ServerProcess, folder: string) {
    this.#process = process;
    this.#folder = folder;
  }

  get url(): string {
    return `postgres://vatfx@127.0.0.1:${this.#process.port}/vatfx`;
  }

  async stop(): Promise<void> {
    await this.#process.stop('SIGINT');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function configOf(of: {
  readonly databaseUrl: string;
  readonly port: number;
  readonly users: string;
  readonly settings: readonly string[];
}): string {
  const { hostname, port, username, pathname } = new URL(of.databaseUrl);
  const target = `host=${hostname} port=${port} user=${username} dbname=${pathname.slice(1)}`;
  return [
    '[databases]',
    `vatfx = ${target}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${of.port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${of.users}`,
    'pool_mode = transaction',
    'default_pool_size = 2',
    'max_client_conn = 200',
    ...of.settings,
  ].join('\n');
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
