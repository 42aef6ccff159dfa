import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { options } from '../../src/platform/config/options.ts';
import { RunningVatfx } from '../journeys/support/run-vatfx.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { readDeployment } from './support/deployment-files.ts';
import { buildImage, copiedForBuild, exitCodeOf, listFiles, readImage } from './support/image.ts';

describe('the image (Dockerfile)', () => {
  it('is built of only the files that it copies, contains the bundle and no packages, and writes only to its data folder', async () => {
    const root = buildImage();
    const before = listFiles(join(root, 'app'));

    const { running, opsUrl } = await startImage(root);
    const { command, healthcheck } = readImage();
    const healthy = await exitCodeOf(healthcheck, { OPS_PORT: new URL(opsUrl).port });
    running.signal('SIGTERM');
    const { code } = await running.ended();
    const gone = await exitCodeOf(healthcheck, { OPS_PORT: new URL(opsUrl).port });

    expect(readdirSync(join(root, 'app')).toSorted()).toEqual([
      'LICENSE',
      'bin',
      'deploy',
      'dist',
      'openapi.json',
      'package.json',
      'reference.html',
    ]);
    expect(existsSync(join(root, 'app/dist/web/index.html.br'))).toBe(true);
    expect(command).toEqual(['node', '/app/bin/vatfx.js', 'serve']);
    expect({ healthy, code, gone }).toEqual({ healthy: 0, code: 0, gone: 1 });
    expect(listFiles(join(root, 'app'))).toEqual(before);
    expect(existsSync(join(root, 'data/vatfx.db'))).toBe(true);
  });

  it('has only settings that exist, and exposes their ports', () => {
    const { instructions, healthcheck, settings: environment } = readImage();
    const { NODE_OPTIONS: ofNode, ...settings } = environment;

    const names = Object.values(options).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(settings)));
    expect(settings).toEqual({ HOST: '::', OPS_HOST: '::' });
    expect(ofNode).toBe('--max-old-space-size-percentage=50 --disable-sigusr1');
    expect(instructions.get('EXPOSE')).toBe(`${options.port.default} ${options.opsPort.default}`);
    expect(healthcheck).toEqual(['vatfx-health', '/live']);
    const opsHost = `setting OPS_HOST ${options.opsHost.default})`;
    expect(readDeployment('deploy/health.sh')).toContain(opsHost);
    expect(readDeployment('deploy/health.sh')).toContain(
      `setting OPS_PORT ${options.opsPort.default})`,
    );
  });

  it('has its data in a volume, runs as a user without rights, and stops by SIGTERM', () => {
    const { instructions } = readImage();

    expect(instructions.get('VOLUME')).toBe('/data');
    expect(instructions.get('WORKDIR')).toBe('/');
    expect(options.databaseUrl.default).toBe('file:./data/vatfx.db');
    expect(instructions.get('USER')).toBe('1000:1000');
    expect(instructions.get('STOPSIGNAL')).toBe('SIGTERM');
  });

  it('has a build context with only the files that it copies (.dockerignore)', () => {
    const [, ...kept] = readDeployment('.dockerignore').split('\n').filter(isRule);

    const copied = new Set([...readImage().copied, ...copiedForBuild()]);
    expect(kept.toSorted()).toEqual(
      [...Array.from(copied, (path) => `!${path}`), '**/*.test.ts'].toSorted(),
    );
  });
});

function isRule(line: string): boolean {
  return line !== '' && !line.startsWith('#');
}

/** Runs the image's command with the image's settings, as in a container with this root folder. */
async function startImage(
  root: string,
): Promise<{ readonly running: RunningVatfx; readonly opsUrl: string }> {
  const { sandbox } = await startUpstreams();
  const { command, settings, instructions } = readImage();
  const [, ...args] = command.map((part) => part.replace(/^\//, `${root}/`));
  const temporary = join(root, 'tmp');
  mkdirSync(temporary);
  const child = spawn(process.execPath, args, {
    cwd: join(root, instructions.get('WORKDIR') ?? ''),
    env: {
      ...settings,
      TMPDIR: temporary,
      PORT: '0',
      OPS_PORT: '0',
      ...sandbox.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const running = new RunningVatfx(child, root);
  const [, opsUrl = ''] = await running.waitForOutput(/"opsUrl":"(http:[^"]+)","msg":"listening"/);
  return { running, opsUrl };
}
