import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A limit for one command, with the download of packages in mind. */
const timeoutMs = 600_000;

/** Runs the command-line client of the container engine; returns its standard output, and throws with its standard error. */
export async function docker(
  args: readonly string[],
  {
    env = {},
    input,
  }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<string> {
  const options = {
    // oxlint-disable-next-line node/no-process-env -- the address of the engine, and PATH
    env: { ...process.env, ...env },
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  };
  const running = run('docker', [...args], options);
  running.child.stdin?.end(input ?? '');
  return (await running).stdout;
}

/** The part of `docker inspect` that tests read. */
type Inspected = {
  readonly State: {
    readonly ExitCode: number;
    readonly OOMKilled: boolean;
    readonly StartedAt: string;
    readonly Health?: { readonly Status: string };
  };
  readonly RestartCount: number;
  readonly HostConfig: {
    readonly LogConfig: {
      readonly Type: string;
      readonly Config: Readonly<Record<string, string>>;
    };
  };
};

export async function inspect(container: string): Promise<Inspected> {
  const [inspected] = JSON.parse(await docker(['inspect', container])) as [Inspected];
  return inspected;
}

/** The URL on this machine of a published port. */
export async function publishedUrl(container: string, port: number): Promise<string> {
  const [address = ''] = (await docker(['port', container, String(port)])).split('\n');
  return `http://${address}`;
}

/** The size of an image with all its layers, in MB. */
export async function sizeOf(image: string): Promise<number> {
  const bytes = await docker(['image', 'inspect', '--format', '{{.Size}}', image]);
  return Math.round(Number(bytes) / 1e6);
}
