import { execFile, type ExecFileException } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../support/programs.ts';

/** A command: the program and its arguments. */
export type Command = readonly string[];

/** A language of the documented samples, and how they are built and started in a copy of their folder. */
export type Language = {
  readonly name: string;
  readonly folder: string;
  /** Whether the receiver is a process that can refuse to start; PHP begins anew with each request. */
  readonly hasStart: boolean;
  /** Programs and files without which the samples cannot run. */
  readonly needs: readonly string[];
  /** The driver of the function that verifies, and its place in the copy. */
  readonly driver: readonly [file: string, to: string];
  readonly builds: readonly Command[];
  /** Undefined if the call cannot run here. */
  readonly call: Command | undefined;
  /** Reads the event log; undefined if the language has no such sample. */
  readonly follow?: Command;
  /** The receiver on this port; it also gets it as PORT. */
  readonly receive: (port: number) => Command;
  readonly verify: Command;
};

const jackson = ['databind', 'core', 'annotations'].map(
  (part) => `/usr/share/java/jackson-${part}.jar`,
);
const classPath = ['.', ...jackson].join(':');

const root = fileURLToPath(new URL('../../../', import.meta.url));
const installed = 'node_modules/vatfx-client';

/** The example of the client. */
const typescript: Language = {
  name: 'TypeScript',
  folder: 'client/examples',
  hasStart: true,
  needs: [],
  driver: ['verify.mjs', 'verify.mjs'],
  builds: [
    ['mkdir', '-p', installed],
    ['cp', `${root}client/package.json`, installed],
    [`${root}node_modules/.bin/tsc`, '-p', `${root}client`, '--outDir', `${installed}/dist`],
  ],
  call: undefined,
  receive: () => [process.execPath, 'shop.mjs'],
  verify: [process.execPath, 'verify.mjs'],
};

const interpreted: readonly Language[] = [
  {
    name: 'Python',
    folder: 'docs/samples/python',
    hasStart: true,
    needs: ['python3'],
    driver: ['verify.py', 'verify.py'],
    builds: [],
    call: ['python3', 'call.py'],
    follow: ['python3', 'follow.py'],
    receive: () => ['python3', 'receive.py'],
    verify: ['python3', 'verify.py'],
  },
  {
    name: 'PHP',
    folder: 'docs/samples/php',
    hasStart: false,
    needs: ['php'],
    driver: ['verify.php', 'verify.php'],
    builds: [],
    call: ['php', 'call.php'],
    receive: (port) => ['php', '-S', `127.0.0.1:${port}`, 'receive.php'],
    verify: ['php', 'verify.php'],
  },
];

/** Languages with a compiler, which only some machines have. */
export const compiledLanguages: readonly Language[] = [
  {
    name: 'Java',
    folder: 'docs/samples/java',
    hasStart: true,
    needs: ['javac', ...jackson],
    driver: ['Verify.java', 'Verify.java'],
    builds: [
      [
        'javac',
        '-cp',
        classPath,
        'Call.java',
        'Receive.java',
        'WebhookSignature.java',
        'Verify.java',
      ],
    ],
    call: ['java', '-cp', classPath, 'Call'],
    receive: () => ['java', '-cp', classPath, 'Receive'],
    verify: ['java', '-cp', classPath, 'Verify'],
  },
  {
    name: 'Go',
    folder: 'docs/samples/go',
    hasStart: true,
    needs: ['go'],
    driver: ['verify.go', 'verify/main.go'],
    builds: [
      ['cp', 'receive/signature.go', 'verify/'],
      ['go', 'vet', './...'],
      ['go', 'build', '-o', 'built/', './...'],
    ],
    call: ['./built/call'],
    follow: ['./built/follow'],
    receive: () => ['./built/receive'],
    verify: ['./built/verify'],
  },
  {
    name: 'C#',
    folder: 'docs/samples/csharp',
    hasStart: true,
    needs: ['mcs', 'mono'],
    driver: ['Verify.cs', 'Verify.cs'],
    builds: [
      ['mcs', '-warnaserror', 'Receive.cs', 'WebhookSignature.cs'],
      ['mcs', '-warnaserror', 'Verify.cs', 'WebhookSignature.cs'],
    ],
    // System.Text.Json is part of .NET, which Debian does not have.
    call: undefined,
    receive: () => ['mono', 'Receive.exe'],
    verify: ['mono', 'Verify.exe'],
  },
];

/** The languages of docs/samples. */
export const languages: readonly Language[] = [...interpreted, ...compiledLanguages];
/** Languages that the machine of each programmer has, or installs in a minute. */
export const commonLanguages: readonly Language[] = [typescript, ...interpreted];

/** Whether everything that the samples need is on this machine. */
export function isInstalled({ needs }: Language): boolean {
  return needs.every((need) =>
    need.startsWith('/') ? existsSync(need) : findProgram(need) !== undefined,
  );
}

/** Copies the samples and the driver into a folder, and builds them. */
export async function build(language: Language, folder: string): Promise<void> {
  const [file, to] = language.driver;
  cpSync(language.folder, folder, { recursive: true });
  mkdirSync(join(folder, to, '..'), { recursive: true });
  mkdirSync(join(folder, 'built'), { recursive: true });
  cpSync(fileURLToPath(new URL(`drivers/${file}`, import.meta.url)), join(folder, to));
  for (const command of language.builds) {
    const { code, output } = await run(command, { folder });
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`);
  }
}

/** Runs a command to its end; `output` is what it printed on stdout, and on stderr if it failed. */
export async function run(
  [program = '', ...args]: Command,
  of: { readonly folder: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string },
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((resolve) => {
    const settings = { cwd: of.folder, env: environmentOf(of), timeout: 120_000 };
    const ended = (error: ExecFileException | null, stdout: string, stderr: string): void =>
      resolve({
        code: error === null ? 0 : Number(error.code ?? 1),
        output: error === null ? stdout : stdout + stderr,
      });
    const child = execFile(program, args, settings, ended);
    // A program may end without reading its input; its exit code and output tell.
    child.stdin?.on('error', () => undefined).end(of.input ?? '');
  });
}

/** PATH and HOME of this process and the given variables; the cache of Go is in the folder. */
export function environmentOf(of: {
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
}): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- the folders of programs
  const { PATH, HOME } = process.env;
  return { PATH, HOME, GOCACHE: join(of.folder, '.go-cache'), ...of.env };
}
