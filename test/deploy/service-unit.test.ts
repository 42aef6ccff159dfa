import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/platform/config/config.ts';
import { openSource, storeEverything } from '../cli/support/copy-world.ts';
import { ownProgram } from '../support/own-program.ts';
import { isPostgresql, temporaryFolder } from '../support/temporary-database.ts';
import { readDeployment } from './support/deployment-files.ts';

/** The longest time that a graceful shutdown takes (operator.md). */
const stopSeconds = 30;
const [unit, backupUnit, backupTimer] = [
  'vatfx.service',
  'vatfx-backup.service',
  'vatfx-backup.timer',
] as const;
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).error === undefined;

it.skipIf(!hasAnalyze)('systemd-analyze accepts the units without a warning', () => {
  expect(analyze('verify', '--man=no')).toEqual({ status: 0, output: '' });
});

describe('deploy/vatfx.service', () => {
  it.skipIf(!hasAnalyze)(
    'has the lowest exposure that a server with a JIT compiler can have',
    () => {
      const { output } = analyze('security', '--offline=true', '--no-pager');

      const exposures = [...output.matchAll(/exposure level for \S+: ([\d.]+)/g)];
      expect(exposures).toHaveLength(2);
      for (const [, exposure] of exposures) expect(Number(exposure)).toBeLessThan(2);
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

describe.skipIf(isPostgresql)('deploy/vatfx-backup.service', () => {
  it('makes a backup of a name of its own, then deletes those that are older than BACKUP_DAYS', async () => {
    const { db, url } = await openSource();
    await storeEverything(db);
    const kept = temporaryFolder();
    const program = join(temporaryFolder(), 'vatfx');
    const command = `exec ${process.execPath} ${ownProgram()} "$@"`;
    writeFileSync(program, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
    const [, days = ''] =
      /^BACKUP_DAYS=(\d+)$/.exec(valuesOf('Environment', backupUnit)[0] ?? '') ?? [];
    const old = ['vatfx-a.db', 'vatfx-a.db.secret-key', 'mine.db'].map((name) => join(kept, name));
    for (const file of [...old, join(kept, 'vatfx-b.db')]) writeFileSync(file, '');
    for (const file of old) ageBy(file, Number(days) + 1);
    ageBy(join(kept, 'vatfx-b.db'), Number(days) - 1);

    const env = { ...process.env, DATABASE_URL: url, STATE_DIRECTORY: kept, BACKUP_DAYS: days };
    for (const name of ['ExecStart', 'ExecStartPost']) {
      const [command = ''] = valuesOf(name, backupUnit);
      // As systemd reads it: the shell and its argument, with doubled dollar and percent signs.
      const [, script = ''] = /^\/bin\/sh -c '(.*)'$/.exec(command) ?? [];
      const plain = script.replaceAll('$$', () => '$').replaceAll('%%', '%');
      execFileSync('/bin/sh', ['-c', plain.replace('/usr/local/bin/vatfx', program)], { env });
    }

    expect(readdirSync(kept).toSorted()).toEqual([
      'mine.db',
      expect.stringMatching(/^vatfx-20\d\d-\d\d-\d\dT\d{6}Z\.db$/),
      'vatfx-b.db',
    ]);
  });

  it('has the user, the folder and the settings of the service, and is started by the timer', () => {
    for (const name of ['User', 'WorkingDirectory', 'EnvironmentFile']) {
      expect(valuesOf(name, backupUnit)).toEqual(valuesOf(name));
    }
    expect(valuesOf('WantedBy', backupTimer)).toEqual(['timers.target']);
  });
});

function ageBy(file: string, days: number): void {
  const then = Date.now() / 1_000 - days * 86_400 - 60;
  utimesSync(file, then, then);
}

function valuesOf(name: string, file: string = unit): string[] {
  const settings = readDeployment(`deploy/${file}`).matchAll(/^(\w+)=(.*)$/gm);
  return [...settings].filter(([, one]) => one === name).map(([, , value = '']) => value);
}

/** Calls systemd-analyze for the units, with the path of an existing program. */
function analyze(...args: readonly string[]): { readonly status: number | null; output: string } {
  const folder = temporaryFolder();
  const files = (args[0] === 'verify' ? [unit, backupUnit, backupTimer] : [unit, backupUnit]).map(
    (name) => {
      const file = join(folder, name);
      writeFileSync(
        file,
        readDeployment(`deploy/${name}`).replace('/usr/local/bin/vatfx', '/bin/true'),
      );
      return file;
    },
  );
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...args, ...files], {
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}
