import { describe, expect, it } from 'vitest';
import { runForJson, runCommand } from '../support/run-cli.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';

type Setting = { readonly name: string; readonly value: string; readonly source: string };

describe('settings (operator.md)', () => {
  it('lists each setting, its value and its source', async () => {
    const settings = await runForJson<Setting[]>(['config'], { PORT: '8081', JOBS: 'off' });

    const told = settings.map(({ name, value, source }) => `${name}=${value} (${source})`);
    expect(told).toContain('PORT=8081 (environment)');
    expect(told).toContain('JOBS=off (environment)');
    expect(told).toContain('OPS_PORT=9080 (default)');
    expect(told).toContain('DATABASE_URL=file:./data/vatfx.db (default)');
  });

  it.each(['config --json', 'serve', 'migrate', 'keys list'])(
    'stops %s with all problems together, exit code 78',
    async (command) => {
      const { code, stdout, stderr } = await runCommand(command.split(' '), {
        OPS_PORT: '8080x',
        LOG_LEVEL: 'loud',
      });

      expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
      expect(stderr).toContain('OPS_PORT is "8080x", expected a port');
      expect(stderr).toContain('LOG_LEVEL is "loud", expected');
    },
  );

  it('warns on standard error of a name that looks like a setting', async () => {
    const { code, stdout, stderr } = await runCommand(['config', '--json'], { VATFX_PORT: '1' });

    expect(code).toBe(0);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    expect(stderr).toBe('warning: VATFX_PORT is not a setting of this version\n');
  });
});

describe('migrate (operator.md)', () => {
  it('runs the migrations once', async () => {
    const { env } = await startUpstreams();

    const first = await runCommand(['migrate'], env);
    const second = await runCommand(['migrate'], env);

    expect(first.stdout).toMatch(/^Done: 0001-first-tables/);
    expect(second.stdout).toBe('The database is up to date.\n');
  });
});
