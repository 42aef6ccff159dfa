import { describe, expect, it } from 'vitest';
import { runCommand, runForJson, startCommand } from '../support/run-cli.ts';

describe('vatfx sandbox (operator.md)', () => {
  it('prints settings with which a service uses it, and ends with exit code 0', async () => {
    const process = startCommand(['sandbox', '--port', '0']);
    const [, url] = await process.waitForOutput(/The sandbox is at (http:\S+)/);
    const settings = [...process.stdout.matchAll(/^ +(\w+_URL)=(\S+)$/gm)];
    const env = Object.fromEntries(settings.map(([, name = '', value = '']) => [name, value]));

    await runCommand(['migrate']);
    const run = await runForJson(['jobs', 'run', 'rates'], env);
    const page = await fetch(`${url}/`);
    process.signal('SIGINT');
    const { code } = await process.ended();

    expect(Object.keys(env)).toEqual(expect.arrayContaining(['TEDB_URL', 'ECB_URL']));
    expect(run).toMatchObject({ job: 'rates', outcome: 'published' });
    expect(page.status).toBe(200);
    expect(code).toBe(0);
  });

  it('takes a signal that npm or a shell repeats as one, and ends immediately at another', async () => {
    const process = startCommand(['sandbox', '--port', '0']);
    await process.waitForOutput(/The sandbox is at/);

    process.signal('SIGINT');

    expect(() => process.signal('SIGINT')).not.toThrow();
    expect(() => process.signal('SIGTERM')).toThrow('tried to end this process with exit code 1');
    expect((await process.ended()).code).toBe(0);
  });

  it('says which option chooses another port if its port is busy', async () => {
    const first = startCommand(['sandbox', '--port', '0']);
    const [, port = ''] = await first.waitForOutput(/The sandbox is at http:\S+:(\d+)/);

    const second = await runCommand(['sandbox', '--port', port]);

    expect(second).toEqual({
      code: 1,
      stdout: '',
      stderr: `port ${port} is busy; choose another with --port\n`,
    });
  });
});
