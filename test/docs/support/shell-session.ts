import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The end of some commands. */
export type Ended = {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The HTTP status of each request of curl, in order. */
  readonly statuses: readonly number[];
};

/** Ports that documents name, and those at which a test has the servers. */
export type Ports = Readonly<Record<number, string>>;

const run = promisify(execFile);
/** A line that a reader completes with a value from an earlier output, such as `KEY=vfx_…`. */
const completed = /^(?:export )?(?<name>[A-Z_]+)=(?<start>[a-z]+_)…(?:\s+#.*)?$/;

/**
 * The shell of a reader who runs the commands of a document one block after the other, with variables that last.
 *
 * The commands run exactly as they are written. A curl configuration in the home folder leads the ports of the
 * documents to those of the test, and writes the status of each response to the error output.
 */
export class ShellSession {
  /** Working directory of the commands. */
  readonly folder: string;
  readonly #home: string;
  readonly #env: Readonly<Record<string, string>>;
  /** All that the reader has seen so far. */
  #seen: string;

  constructor(options: {
    /** A folder of this session alone; gets the home folder of the commands. */
    readonly own: string;
    /** Working directory; an empty folder if left out. */
    readonly folder?: string;
    readonly ports: Ports;
    readonly env: Readonly<Record<string, string>>;
    /** Output that the reader has seen before, for example that of the demo with its key. */
    readonly seen: string;
  }) {
    this.#home = join(options.own, 'home');
    this.folder = options.folder ?? join(options.own, 'checkout');
    this.#env = options.env;
    this.#seen = options.seen;
    mkdirSync(this.#home);
    if (options.folder === undefined) mkdirSync(join(this.folder, 'deploy'), { recursive: true });
    writeFileSync(join(this.#home, '.curlrc'), printCurlConfiguration(options.ports));
    writeFileSync(this.#state, '');
  }

  /** Runs commands; each of them has to end with 0, else the rest is not run. */
  async run(commands: string): Promise<Ended> {
    const script = [
      'set -euo pipefail',
      // Variables are exported, so that the next block of the document has them.
      'set -a',
      `. '${this.#state}'`,
      'cd "$PWD"',
      `trap 'export -p > "${this.#state}"' EXIT`,
      this.complete(commands),
    ].join('\n');
    const { code, stdout, stderr } = await execute(script, this.folder, this.environment);
    this.#seen += `${stdout}\n`;
    const statuses = [...stderr.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
    return { code, stdout, stderr, statuses };
  }

  /** The environment of the commands. */
  get environment(): Readonly<Record<string, string>> {
    return { ...this.#env, HOME: this.#home, LC_ALL: 'C.UTF-8' };
  }

  /** Completes the lines that a reader has to complete, with the newest value of that form. */
  complete(commands: string): string {
    return commands
      .split('\n')
      .map((line) => {
        const { name = '', start = '' } = completed.exec(line)?.groups ?? {};
        if (name === '') return line;
        const value = this.#seen.match(new RegExp(`${start}[\\w+/=-]{8,}`, 'g'))?.at(-1);
        if (value === undefined) throw new Error(`no output before had a value for ${line}`);
        return `${name}=${value}`;
      })
      .join('\n');
  }

  get #state(): string {
    return join(this.#home, 'variables.sh');
  }
}

async function execute(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Omit<Ended, 'statuses'>> {
  try {
    const { stdout, stderr } = await run('bash', ['-c', script], { cwd, env, maxBuffer: 1e8 });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as Partial<Omit<Ended, 'statuses'>>;
    if (typeof code !== 'number') throw error;
    return { code, stdout: stdout ?? '', stderr: stderr ?? '' };
  }
}

function printCurlConfiguration(ports: Ports): string {
  const lines = Object.entries(ports).map(
    ([port, url]) => `connect-to = "127.0.0.1:${port}:${new URL(url).host}"`,
  );
  return [...lines, String.raw`write-out = "%{stderr}\nstatus %{http_code}\n"`, ''].join('\n');
}
