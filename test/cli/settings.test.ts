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

describe('VIES_REQUESTER (rule K4)', () => {
  it.each([
    ['EU372041333'],
    ['eu 372 041 333'],
    ['ＥＵ３７２０４１３３３'],
    ['nl 8542.65.259-B01'],
    ['(NL) 854265259B01'],
    ['GR094019245'],
    ['USFR17698800935'],
    ['DE 300004364 00001'],
    ['MC40000066034'],
  ])('is read in each spelling: %s', async (written) => {
    const settings = await runForJson<Setting[]>(['config'], { VIES_REQUESTER: written });

    const told = { name: 'VIES_REQUESTER', value: written, source: 'environment' };
    expect(settings).toContainEqual(told);
  });

  it.each(['EU37204133', 'GB123456789', 'NL', '854265259B01', 'n/a'])(
    'is refused with what is expected, beside other problems: %s',
    async (written) => {
      const { code, stderr } = await runCommand(['config'], { VIES_REQUESTER: written, PORT: 'x' });

      expect(code).toBe(78);
      expect(stderr).toContain('PORT is "x", expected a port');
      expect(stderr).toContain(
        `VIES_REQUESTER is "${written}", expected a VAT number with its country in front, such as \`NL854265259B01\`, or \`EU\` and nine digits`,
      );
    },
  );

  it.each([
    ['de 811115367', 'DE811115367', 'requester check digit: expected 8'],
    ['FR 0H 384 498 897', 'FR0H384498897', 'requester check digit does not match'],
    ['DE12345', 'DE12345', 'requester form: expected 9 digits'],
  ])('is doubted by config and doctor: %s', async (written, read, doubt) => {
    const { env } = await startUpstreams();
    const settings = { ...env, VIES_REQUESTER: written };
    const warning = `VIES_REQUESTER is ${read}: ${doubt}; if it is mistyped, every proof names a business that does not exist`;

    const config = await runCommand(['config'], settings);
    const doctor = await runCommand(['doctor', '--json'], settings);

    expect(config).toMatchObject({ code: 0, stderr: `warning: ${warning}\n` });
    const { findings } = JSON.parse(doctor.stdout) as { findings: object[] };
    expect(findings).toContainEqual(
      expect.objectContaining({ state: 'warning', check: 'configuration', found: warning }),
    );
  });
});

describe('migrate (operator.md)', () => {
  it('runs the migrations once', async () => {
    const { env } = await startUpstreams({ isEmpty: true });

    const first = await runCommand(['migrate'], env);
    const second = await runCommand(['migrate'], env);

    expect(first.stdout).toMatch(/^Done: 0001-first-tables/);
    expect(second.stdout).toBe('The database is up to date.\n');
  });
});
