import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  canRun,
  type CommandBlock,
  needsCheckout,
  readAllBlocks,
} from '../docs/support/command-blocks.ts';
import { findProblems } from '../docs/support/reader.ts';
import { ShellSession } from '../docs/support/shell-session.ts';
import { findMissingForm } from '../docs/support/shown-output.ts';
import { environment } from '../package/support/packed.ts';
import { eventually } from '../support/eventually.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Folders of a checkout that are not part of a clone. */
const leftOut = new Set(['.git', 'node_modules', 'dist', 'packed', 'data']);

const all = readAllBlocks();
const blocks = all.filter(canRun);
const noRegistry = 'the registry cannot be reached';
/** The first line of the first block; the others run all tests, and reach the real upstreams. */
const [first = ''] =
  all.find(({ document }) => document === 'README.md')?.commands.split('\n') ?? [];
const readme = blocks.filter(({ document }) => document === 'README.md');
const others = blocks.filter((block) => block.document !== 'README.md' && needsCheckout(block));
/** `npm ci` replaces the packages that a running demo uses. */
const withDemo = others.filter(
  ({ commands }) => !/^npm /m.test(commands) && !isOfRelease(commands),
);
const afterDemo = others.filter((block) => !withDemo.includes(block));

describe('commands of documents, by a newcomer with a clone of the repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-walkthrough-'));
  const copy = join(folder, 'vatfx');
  const home = join(folder, 'home');
  const env = {
    ...environment,
    HOME: home,
    // Any free ports; the demo prints them.
    PORT: '0',
    npm_config_cache: join(environment['HOME'] ?? '', '.npm'),
    npm_config_prefer_offline: 'true',
  };
  let demo: Demo | undefined;
  let session: ShellSession | undefined;
  let isOffline = false;

  beforeAll(() => {
    mkdirSync(home);
    cpSync(root, copy, {
      recursive: true,
      filter: (source) => !leftOut.has(relative(root, source)),
    });
  });
  afterAll(() => {
    demo?.end();
    rmSync(folder, { recursive: true, force: true });
    // Two installations of all packages, 600 MB.
  });

  it('the first command of README.md installs everything and starts a demo', async (context) => {
    demo = new Demo(first, { cwd: copy, env });

    await eventually(() => demo?.isReady === true || demo?.isOver === true, 540_000);
    isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH/.test(demo.said);
    context.skip(isOffline, noRegistry);

    expect(demo.said).toContain('Ctrl-C ends it.');
    session = openSession({ demo, folder, copy, env });
  }, 600_000);

  it.for([...readme, ...withDemo])(
    '$place works: $commands',
    { timeout: 300_000 },
    async (block, context) => {
      context.skip(isOffline, noRegistry);
      expect(await readProblems(session, block)).toEqual([]);
    },
  );

  it('Ctrl-C ends the demo, which removes its data', async (context) => {
    if (demo === undefined || session === undefined) return context.skip('no demo');
    const data = demo.find(/data folder +(\S+)/);

    demo.interrupt();
    await eventually(() => demo?.isOver === true);

    expect(existsSync(data)).toBe(false);
  });

  it.for(afterDemo)('$place works: $commands', { timeout: 600_000 }, async (block, context) => {
    context.skip(isOffline, noRegistry);
    expect(await readProblems(session, block)).toEqual([]);
  });
});

/** Runs a block in the shell of the newcomer; there is none if the demo did not start. */
async function readProblems(
  session: ShellSession | undefined,
  block: CommandBlock,
): Promise<readonly string[]> {
  if (session === undefined) return ['the first command of README.md did not start a demo'];
  return findProblems(block, await session.run(block.commands), findMissingForm);
}

/** A shell in the copy, with settings that lead commands to the demo's database and upstreams. */
function openSession(of: {
  readonly demo: Demo;
  readonly folder: string;
  readonly copy: string;
  readonly env: Readonly<Record<string, string>>;
}): ShellSession {
  const apiUrl = of.demo.find(/vatfx is at +(\S+)/);
  const opsUrl = of.demo.find(/operations port +(http:\/\/[^/]+)/);
  const sandboxUrl = of.demo.find(/sandbox +(\S+)/);
  const programs = join(of.folder, 'programs');
  mkdirSync(programs);
  // The program that docs/install-npm.md installs, which needs root.
  const vatfx = join(programs, 'vatfx');
  writeFileSync(vatfx, `#!/bin/sh\nexec node '${of.copy}/bin/vatfx.js' "$@"\n`);
  chmodSync(vatfx, 0o755);
  return new ShellSession({
    own: mkdtempSync(join(of.folder, 'session-')),
    folder: of.copy,
    ports: { 8080: apiUrl, 9080: opsUrl, 9100: sandboxUrl },
    env: {
      ...of.env,
      PATH: `${programs}:${of.env['PATH'] ?? ''}`,
      PORT: new URL(apiUrl).port,
      OPS_PORT: new URL(opsUrl).port,
      DATABASE_URL: `file:${of.demo.find(/data folder +(\S+)/)}/vatfx.db`,
      TEDB_URL: `${sandboxUrl}/taxation_customs/tedb/ws/`,
      ECB_URL: `${sandboxUrl}/stats/eurofxref/`,
      VIES_URL: `${sandboxUrl}/taxation_customs/vies/services/checkVatService`,
    },
    seen: of.demo.said,
  });
}

/** Whether the commands are about the files that `npm run pack` makes. */
function isOfRelease(commands: string): boolean {
  return commands.includes('packed');
}

/** A demo that runs in the foreground of a terminal of its own. */
class Demo {
  said = '';
  isOver = false;
  readonly #child: ChildProcess;

  constructor(
    commands: string,
    options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  ) {
    // A group of its own, because Ctrl-C reaches every process of a terminal.
    this.#child = spawn('bash', ['-c', commands], {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    this.#child.once('close', () => (this.isOver = true));
  }

  get isReady(): boolean {
    return this.said.includes('Ctrl-C ends it.');
  }

  /** The part of the output that a pattern names; an empty text if there is none. */
  find(pattern: RegExp): string {
    return pattern.exec(this.said)?.[1] ?? '';
  }

  interrupt(): void {
    process.kill(-(this.#child.pid ?? 0), 'SIGINT');
  }

  end(): void {
    if (!this.isOver) process.kill(-(this.#child.pid ?? 0), 'SIGKILL');
  }
}
