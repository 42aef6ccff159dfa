import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A user that owns nothing on this machine. */
export const serviceUser = 64_123;

/** Folders and files of the machine that the documented commands write to. */
const places = [
  '/opt/vatfx',
  '/usr/local/bin',
  '/etc/vatfx',
  '/etc/systemd/system',
  '/var/lib/vatfx',
];

/**
 * Runs the commands of docs/install-npm.md below a folder instead of the root of the machine.
 *
 * The commands are those of the page, but paths begin with the folder, and the user of the service is a number, because
 * a test makes no users. `sudo -u` changes to that user; `useradd` and `systemctl` do nothing.
 */
export class DocumentedInstall {
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;

  constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.#folder = folder;
    // The user of the service must reach its folder, as on a machine.
    chmodSync(folder, 0o755);
    for (const place of ['/opt', '/usr/local/bin', '/etc/systemd/system', '/var/lib', '/bin']) {
      mkdirSync(join(folder, place), { recursive: true });
    }
    const asUser = `setpriv --reuid=${serviceUser} --regid=${serviceUser} --clear-groups`;
    this.#writeProgram('sudo', `[ "$1" != -u ] || { shift 2; exec ${asUser} "$@"; }; exec "$@"`);
    this.#writeProgram('useradd', 'exit 0');
    this.#writeProgram('systemctl', 'exit 0');
    const path = [join(folder, 'bin'), join(folder, '/usr/local/bin'), environment['PATH'] ?? ''];
    this.#environment = { ...environment, PATH: path.join(':') };
  }

  /** The place below the folder of a path of the machine. */
  place(path: string): string {
    return join(this.#folder, path);
  }

  /** The blocks of commands in a section of a page. */
  blocksOf(page: string, heading: string): readonly string[] {
    const [, section = ''] = readFileSync(page, 'utf8').split(new RegExp(`^## ${heading}$`, 'm'));
    const blocks = section.split(/^## /m)[0]?.match(/(?<=^```sh\n)[^]*?(?=^```)/gm) ?? [];
    if (blocks.length === 0) throw new Error(`${page} has no commands in ${heading}`);
    return blocks;
  }

  /** Runs a script, which ends at the first command that fails; returns what it printed on both outputs. */
  async run(script: string): Promise<string> {
    const { stdout, stderr } = await run('sh', ['-euc', this.#adapt(script)], {
      cwd: this.#folder,
      env: this.#environment,
    });
    return stdout + stderr;
  }

  /**
   * Starts the command of the installed unit, with the user, folder, umask and settings of the unit, and only the
   * variables that systemd gives to a service.
   */
  serviceCommand(): readonly string[] {
    const unit = readFileSync(this.place('/etc/systemd/system/vatfx.service'), 'utf8');
    const valueOf = (name: string): string => {
      const [, value] = new RegExp(`^${name}=-?(.*)$`, 'm').exec(unit) ?? [];
      if (value === undefined) throw new Error(`the unit has no ${name}`);
      return value;
    };
    const script = this.#adapt(
      `umask ${valueOf('UMask')}; set -a; . ${valueOf('EnvironmentFile')}; set +a; ` +
        `cd ${valueOf('WorkingDirectory')}; exec sudo -u ${valueOf('User')} ${valueOf('ExecStart')}`,
    );
    const { PATH } = this.#environment;
    const home = this.place('/var/lib/vatfx');
    return ['env', '-i', `PATH=${PATH}`, `HOME=${home}`, `LANG=C.UTF-8`, 'sh', '-euc', script];
  }

  #adapt(script: string): string {
    const placed = places.reduce(
      (text, place) => text.replaceAll(place, this.place(place)),
      script.replaceAll(/ -([og]) vatfx\b/g, ` -$1 ${serviceUser}`),
    );
    return placed.replaceAll('chgrp vatfx', `chgrp ${serviceUser}`);
  }

  #writeProgram(name: string, script: string): void {
    writeFileSync(join(this.#folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
}
