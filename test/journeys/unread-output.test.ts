import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { ownProgram } from '../support/own-program.ts';
import { findFreePort } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { UnreadPipe } from '../support/unread-pipe.ts';

const hasPython = spawnSync('python3', ['-c', 'import pty']).status === 0;
/** Starts the arguments on a terminal that is never read, passes SIGTERM on, and ends with the exit code. */
const unreadTerminal = `
import os, pty, signal, sys
child, terminal = pty.fork()
if child == 0: os.execv(sys.argv[1], sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))`;

const settings = {
  JOBS: 'off',
  DELIVERY: 'off',
  FAILED_AUTH_PER_MINUTE: 'none',
  // A name that vatfx warns of on standard error.
  RATE_LIMIT: '1',
};
type Streams = { readonly stdout: number | 'pipe'; readonly stderr: number | 'pipe' };
type Running = { readonly child: ChildProcess; readonly api: string; readonly ops: string };

/** Starts a server whose output is not read, and waits until it answers. */
async function start(
  { stdout, stderr }: Streams,
  { file = process.execPath, before = [] as readonly string[] } = {},
): Promise<Running> {
  const [PORT, OPS_PORT] = [`${await findFreePort()}`, `${await findFreePort()}`];
  const folder = temporaryFolder();
  const child = spawn(file, [...before, ownProgram(), 'serve'], {
    cwd: folder,
    env: { ...settings, PORT, OPS_PORT, TMPDIR: folder },
    stdio: ['ignore', stdout, stderr],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ops = `http://127.0.0.1:${OPS_PORT}`;
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the server ended with code ${code} before it answered`);
  });
  await Promise.race([untilAnswering(`${ops}/live`), ended]);
  return { child, api: `http://127.0.0.1:${PORT}`, ops };
}

async function untilAnswering(url: string): Promise<void> {
  await eventually(async () => (await fetch(url).catch(() => undefined))?.ok === true);
}

/** Makes `turns` times 50 requests, then asks both ports, and stops the server. */
async function useAndStop({ child, api, ops }: Running, turns: number): Promise<unknown> {
  const ask = async (url: string): Promise<number> =>
    (await fetch(url, { signal: AbortSignal.timeout(10_000) })).status;
  for (let turn = 0; turn < turns; turn += 1) await askTogether(api, 50);
  const answers = [await ask(`${api}/openapi.json`), await ask(`${ops}/live`)];
  const ended = once(child, 'exit', { signal: AbortSignal.timeout(20_000) });
  child.kill('SIGTERM');
  return { answers, code: (await ended)[0] };
}

/** Sends up to 64 requests in one packet, and waits for their answers. */
async function askTogether(url: string, count: number): Promise<void> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  const request = (more = ''): string => `GET /rates HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
  socket.write(request().repeat(count - 1) + request('Connection: close\r\n'));
  socket.setTimeout(10_000, () => socket.destroy(new Error('no answer within 10 s')));
  const answers = await text(socket);
  expect(answers.split('HTTP/1.1 ')).toHaveLength(count + 1);
}

// The pipes are full before; a socket takes 1,200 lines, and a terminal 20.
const good = { answers: [200, 200], code: 0 };

describe('output that nobody reads (rule O1)', () => {
  it.each<[string, (pipe: UnreadPipe) => Streams, number]>([
    ['a pipe as standard output', ({ fd }) => ({ stdout: fd, stderr: 'pipe' }), 2],
    ['a pipe as standard error', ({ fd }) => ({ stdout: 'pipe', stderr: fd }), 2],
    ['one pipe as both', ({ fd }) => ({ stdout: fd, stderr: fd }), 2],
    // The children of Node have Unix sockets as streams, as a service of systemd has.
    ['sockets', () => ({ stdout: 'pipe', stderr: 'pipe' }), 40],
  ])('delays no answer, no probe and no stop: %s', async (_, streamsOf, turns) => {
    expect(await useAndStop(await start(streamsOf(new UnreadPipe())), turns)).toEqual(good);
  });

  it.skipIf(!hasPython)('delays none of them on a terminal that is stopped', async () => {
    const before = ['-c', unreadTerminal, process.execPath];
    const running = await start({ stdout: 'pipe', stderr: 'pipe' }, { file: 'python3', before });

    expect(await useAndStop(running, 10)).toEqual(good);
  });

  it('delays none of them if another program of Node, which shares the pipe, has ended', async () => {
    const { fd } = new UnreadPipe();
    const other = spawn(process.execPath, ['-e', 'process.stdout; process.stdin.resume()'], {
      stdio: ['pipe', fd, 'inherit'],
    });
    const running = await start({ stdout: fd, stderr: 'pipe' });
    const ended = once(other, 'exit');
    other.stdin?.end();
    await ended;

    expect(await useAndStop(running, 2)).toEqual(good);
  });

  it('does not keep a sandbox from ending', async () => {
    const { fd } = new UnreadPipe();
    const port = await findFreePort();
    const child = spawn(process.execPath, [ownProgram(), 'sandbox', '--port', `${port}`], {
      stdio: ['ignore', fd, 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await untilAnswering(`http://127.0.0.1:${port}/`);
    const ended = once(child, 'exit', { signal: AbortSignal.timeout(20_000) });
    child.kill('SIGTERM');

    expect((await ended)[0]).toBe(0);
  });
});
