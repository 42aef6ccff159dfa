import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One core for the server, the other for the load: figures of a shared core say nothing. */
export const serverCore = '0';
const loadCore = '1';

/** The header with which wrk presents one key. */
export function withKey(key: string): readonly string[] {
  return ['-H', `Authorization: Bearer ${key}`];
}

/** Requests per second that wrk gets out of a URL: 64 connections, keep-alive; `mayFail` for honest 404s. */
export async function measureThroughput(
  url: string,
  requestArgs: readonly string[],
  seconds: number,
  { mayFail = false } = {},
): Promise<number> {
  const wrk = ['wrk', '-t1', '-c64', `-d${seconds}s`, ...requestArgs, url];
  const { stdout } = await run('taskset', ['-c', loadCore, ...wrk]).catch((error: unknown) => {
    throw new Error('wrk did not run; it is in the package wrk of Debian and Ubuntu', {
      cause: error,
    });
  });
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
  if (failed !== undefined && !mayFail) throw new Error(`${failed} answers of ${url} were errors`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}
