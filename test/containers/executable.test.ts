import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../console/support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { reportFigure } from '../support/proof.ts';
import { docker, publishedUrl } from './support/docker.ts';

/** Debian without Node, with the files of a release in `/release`, and the API's port published. */
const name = `vatfx-test-${randomBytes(4).toString('hex')}`;
const release = mkdtempSync(join(tmpdir(), 'vatfx-release-'));

const shell = async (command: string, user = 'root'): Promise<string> =>
  docker(['exec', '--user', user, name, 'sh', '-ec', command]);
/** A command as docs/production.md has it: as the user of the service, in its folder. */
const asService = async (command: string): Promise<string> =>
  shell(`cd /var/lib/vatfx && ${command}`, 'vatfx');

/** Starts a command of the user of the service in a folder; its output is in `/tmp/<word>.log`, its id in `/tmp/<word>.pid`. */
const begin = async (folder: string, word: string, ...options: string[]): Promise<string> => {
  const run = `cd ${folder} && echo $$ > /tmp/${word}.pid && exec vatfx ${word} ${options.join(' ')} > /tmp/${word}.log 2>&1`;
  return docker(['exec', '-d', '--user', 'vatfx', name, 'sh', '-c', run]);
};

describe('the executable on a machine without Node (O18, R47)', () => {
  beforeAll(async () => {
    execFileSync('npm', ['run', '-s', 'pack'], { stdio: ['ignore', 'ignore', 'inherit'] });
    cpSync('packed', release, { recursive: true });
    const place = [
      '-v',
      `${release}:/release:ro`,
      '-p',
      '127.0.0.1::8080',
      '-p',
      '127.0.0.1::9080',
    ];
    await docker(['run', '-d', '--name', name, ...place, 'node:26-slim', 'sleep', 'infinity']);
    await shell('rm -rf /usr/local/bin/* /usr/local/lib/node_modules');
    await shell('command -v xz || { apt-get update -q && apt-get install -qy xz-utils; }');
  }, 600_000);

  afterAll(async () => {
    await docker(['rm', '--force', '--volumes', name]);
    rmSync(release, { recursive: true });
  }, 60_000);

  it('is not installed if a library is missing, and install.sh names its package', async () => {
    await shell('for f in /usr/lib/*/libatomic.so.1*; do mv $f $f.away; done');

    const refused = shell('sh /release/install.sh');
    await expect(refused).rejects.toThrow(/libatomic\.so\.1: cannot open [^]*package libatomic1/);
    expect(await shell('ls /usr/local/bin; ls -d /etc/vatfx /var/lib/vatfx || true')).toBe('');
    await shell('for f in /usr/lib/*/*.away; do mv $f ${f%.away}; done');
  });

  it('is not installed from a damaged download, or from files of two releases', async () => {
    const damaged = join(release, 'damaged');
    const files = readdirSync(release).filter((file) => !file.endsWith('.tar'));
    for (const file of files) cpSync(join(release, file), join(damaged, file));
    appendFileSync(join(damaged, 'vatfx-linux-x64.xz'), 'x');

    const refused = shell('sh /release/install.sh /release/damaged');
    await expect(refused).rejects.toThrow(/vatfx-linux-x64\.xz: FAILED[^]*Nothing was installed/);
    rmSync(join(damaged, 'vatfx.service'));
    const partial = shell('sh /release/install.sh /release/damaged');
    await expect(partial).rejects.toThrow('/release/damaged has no file vatfx.service');
    const plain = shell('sh /release/install.sh http://127.0.0.1/');
    await expect(plain).rejects.toThrow('files are fetched with https only');
    expect(await shell('ls /usr/local/bin; ls -d /etc/vatfx || true')).toBe('');
    rmSync(damaged, { recursive: true });
  });

  it('is installed with a user, a key and units; a second run keeps settings, key and data', async () => {
    const state =
      'cat /etc/vatfx/secret-key /etc/vatfx/vatfx.env; stat -c "%a %U:%G %n" /etc/vatfx /etc/vatfx/* /var/lib/vatfx';

    const first = await shell('sh /release/install.sh');
    await shell('echo CONTACT=operator@example.com >> /etc/vatfx/vatfx.env');
    const before = await shell(state);
    const second = await shell('sh /release/install.sh --no-start');

    expect(first).toContain('systemd does not run here, so nothing was started');
    expect(second).not.toContain('made');
    expect(await shell(state)).toBe(before);
    expect(before.split('\n').slice(0, 7)).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}$/),
      'SECRET_KEY_FILE=/etc/vatfx/secret-key',
      'CONTACT=operator@example.com',
      '750 root:vatfx /etc/vatfx',
      '640 root:vatfx /etc/vatfx/secret-key',
      '640 root:vatfx /etc/vatfx/vatfx.env',
      '700 vatfx:vatfx /var/lib/vatfx',
    ]);
    expect(await shell('ls /etc/systemd/system/vatfx*')).toContain('vatfx-backup.timer');
    const version = (await asService('vatfx --version')).trim();
    reportFigure('R47', `the executable of ${version} runs in Debian slim without Node`);
  });

  it('serves the demo with console and reference, which a browser shows', async () => {
    await begin('/tmp', 'demo', '--host', '0.0.0.0');
    const address = await publishedUrl(name, 8080);
    await eventually(async () => (await shell('cat /tmp/demo.log')).includes('#key='), 240_000);
    const [, key = ''] = /#key=(\S+)/.exec(await shell('cat /tmp/demo.log')) ?? [];
    const executablePath = findChromium() ?? '';
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(`${address}/#key=${key}`);
      await page.getByText('Austria').first().waitFor();
      expect(await page.title()).toContain('vatfx');
      await page.goto(`${address}/docs`);
      // Entries of closed groups of the navigation are hidden.
      await page.getByText('/vatcheck').filter({ visible: true }).first().waitFor();
    } finally {
      await browser.close();
      // The next test needs its ports.
      await shell('kill $(cat /tmp/demo.pid)');
    }
    const ended = async (): Promise<string> =>
      shell('test -e /proc/$(cat /tmp/demo.pid) || echo ended');
    await eventually(async () => (await ended()) !== '');
  });

  it('serves, examines, backs up, restores and verifies', async () => {
    const environment =
      'HOST=0.0.0.0 OPS_HOST=0.0.0.0 TEDB_URL=http://127.0.0.1:9100/taxation_customs/tedb/ws/ ECB_URL=http://127.0.0.1:9100/stats/eurofxref/ VIES_URL=http://127.0.0.1:9100/taxation_customs/vies/services/checkVatService';
    await shell(`printf '%s\\n' ${environment} >> /etc/vatfx/vatfx.env`);
    for (const word of ['sandbox', 'serve']) await begin('/var/lib/vatfx', word);
    const [api, ops] = [await publishedUrl(name, 8080), await publishedUrl(name, 9080)];
    await eventually(async () => (await fetch(`${ops}/ready`).catch(() => undefined))?.ok === true);
    const key = (await asService('vatfx keys create --name me')).trim();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ countryCode: 'GR', vatNumber: '100', waitSeconds: 10 });
    const posted = await fetch(`${api}/vatchecks`, { method: 'POST', headers, body });
    expect(posted.status).toBe(201);
    const { id } = (await posted.json()) as { readonly id: string };
    await eventually(async () => {
      const answer = await fetch(`${api}/vatchecks/${id}`, { headers });
      return (await answer.text()).includes('"status":"answered"');
    });

    const doctor = await asService('vatfx doctor || true');
    for (const [file, path] of [
      ['proof.json', `/vatchecks/${id}/evidence`],
      ['keys.json', '/evidence/keys'],
    ] as const) {
      const input = await (await fetch(api + path, { headers })).text();
      const save = ['exec', '-i', '--user', 'vatfx', name, 'sh', '-c', `cat > /tmp/${file}`];
      await docker(save, { input });
    }
    const verify = 'vatfx evidence verify /tmp/proof.json --keys /tmp/keys.json';
    const verified = await asService(verify);
    await asService('vatfx backup /tmp/monday.db');
    const restored = await asService('DATABASE_URL=file:./trial.db vatfx restore /tmp/monday.db');
    const listed = await asService('DATABASE_URL=file:./trial.db vatfx keys list');

    expect(doctor).toContain('database');
    expect(verified).toContain(id);
    expect(restored).toContain('trial.db');
    expect(listed).toContain('me');
    expect(await shell('cat /proc/[0-9]*/comm')).not.toMatch(/^node$/m);
  });
});
