import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The cores of the server and of the load. If they shared one, the figures would be meaningless. */
export const serverCore = '0';
export const loadCore = '1';

/** The option of wrk that sends a key. */
export function withKey(key: string): readonly string[] {
  return ['-H', `Authorization: Bearer ${key}`];
}

/**
 * Requests per second that wrk measures for a URL, with 64 connections and keep-alive.
 *
 * Throws if an answer is an error or a connection breaks, because the figure would be worthless.
 */
export async function measureThroughput(
  url: string,
  requestArgs: readonly string[],
  seconds: number,
): Promise<number> {
  const wrk = ['wrk', '-t1', '-c64', `-d${seconds}s`, ...requestArgs, url];
  const { stdout } = await run('taskset', ['-c', loadCore, ...wrk]).catch((error: unknown) => {
    throw new Error('wrk did not run; it is in the package wrk of Debian and Ubuntu', {
      cause: error,
    });
  });
  const failed = /Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1];
  if (failed !== undefined) throw new Error(`${failed} answers of ${url} were errors`);
  const broken = /Socket errors: .*/.exec(stdout)?.[0];
  if (broken !== undefined) throw new Error(`${url}: ${broken}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

/**
 * Sends one request and returns its answer; throws for another status than the expected one.
 *
 * wrk counts each 2xx and 3xx as good, so the answer is checked before the measurement.
 */
export async function requestOnce(
  url: string,
  headers: Readonly<Record<string, string>>,
  status: 200 | 304,
): Promise<{ readonly headers: Headers; readonly body: string }> {
  const response = await fetch(url, { headers });
  if (response.status !== status) throw new Error(`${url} answered ${response.status}`);
  return { headers: response.headers, body: await response.text() };
}
