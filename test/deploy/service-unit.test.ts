import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { readDeployment } from './support/deployment-files.ts';

/** The longest time that a graceful shutdown takes (operator.md). */
const stopSeconds = 30;
const text = readDeployment('deploy/vatfx.service');
const settings = [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).error === undefined;

describe('deploy/vatfx.service', () => {
  it.skipIf(!hasAnalyze)('is a unit that systemd-analyze accepts without a warning', () => {
    const { status, output } = analyze('verify', '--man=no');

    expect(output).toBe('');
    expect(status).toBe(0);
  });

  it.skipIf(!hasAnalyze)(
    'has the lowest exposure that a server with a JIT compiler can have',
    () => {
      const { output } = analyze('security', '--offline=true', '--no-pager');

      expect(Number(/exposure level for vatfx\.service: ([\d.]+)/.exec(output)?.[1])).toBeLessThan(
        2,
      );
    },
  );

  it('starts `serve` by its absolute path, as its own user without further rights', () => {
    expect(valuesOf('ExecStart')).toEqual(['/usr/local/bin/vatfx serve']);
    expect(valuesOf('User')).toEqual(['vatfx']);
    expect(valuesOf('NoNewPrivileges')).toEqual(['yes']);
    expect(valuesOf('CapabilityBoundingSet')).toEqual(['']);
  });

  it('can write only to its state folder, which contains the default database', () => {
    expect(valuesOf('ProtectSystem')).toEqual(['strict']);
    expect(valuesOf('ReadWritePaths')).toEqual([]);
    expect(valuesOf('WorkingDirectory')).toEqual([`/var/lib/${valuesOf('StateDirectory')[0]}`]);
  });

  it('gives enough time for a graceful shutdown, and restarts a failed process, unless its settings are wrong', () => {
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(stopSeconds);
    expect(valuesOf('Restart')).toEqual(['on-failure']);
    expect(valuesOf('RestartPreventExitStatus')).toEqual(['78']);
  });

  it('takes its settings and SECRET_KEY from files that the commands of docs/install-npm.md make', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'etc'));
    const page = readDeployment('docs/install-npm.md');
    const commands = [...page.matchAll(/^sudo sh -c '(umask .*)'$/gm)].map(([, one = '']) =>
      one.replaceAll('/etc/vatfx', join(folder, 'etc')),
    );
    for (const command of commands) execFileSync('sh', ['-euc', command]);
    const [file = ''] = valuesOf('EnvironmentFile');
    const path = file.replace('/etc/vatfx', join(folder, 'etc'));

    const { config, warnings } = readConfig(parseEnv(readFileSync(path, 'utf8')), '');

    expect(commands).toHaveLength(2);
    expect(warnings).toEqual([]);
    expect(config.secretKey?.reveal()).toHaveLength(32);
    expect(page).toContain(`ln -s ${file} ${valuesOf('WorkingDirectory')[0]}/.env\n`);
  });
});

function valuesOf(name: string): string[] {
  return settings.filter((setting) => setting.name === name).map(({ value }) => value);
}

/** Verifies the unit with systemd-analyze, with the path of an existing program. */
function analyze(...args: readonly string[]): { readonly status: number | null; output: string } {
  const file = join(temporaryFolder(), 'vatfx.service');
  writeFileSync(file, text.replace('/usr/local/bin/vatfx', '/bin/true'));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, file], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}
