import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-cli.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';

describe('--json (operator.md)', () => {
  it.each(['config', 'jobs list', 'snapshots held', 'fx corrections', 'keys list'])(
    'prints one JSON document on standard output, also for an empty list: %s',
    async (command) => {
      const { code, stdout, stderr } = await runCommand([...command.split(' '), '--json']);

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toBeInstanceOf(Array);
    },
  );

  it('keeps the log on standard error', async () => {
    const { env } = await startUpstreams();

    const run = await runCommand(['jobs', 'run', 'rates', '--json'], { ...env, LOG_LEVEL: 'info' });

    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'published' });
    const lines = run.stderr.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['run ended']);
  });
});

describe('--help (operator.md)', () => {
  it.each([
    { command: '--help', tells: 'Usage: vatfx [options] [command]' },
    { command: 'serve --help', tells: 'Usage: vatfx serve [options]' },
    { command: 'jobs --help', tells: 'run a job now' },
    { command: 'backfill rates --help', tells: '--from <date>' },
    { command: 'keys create --help', tells: 'last day on which the key works, UTC' },
  ])('prints the help of $command on standard output, exit code 0', async ({ command, tells }) => {
    const { code, stdout, stderr } = await runCommand(command.split(' '));

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(tells);
  });
});
