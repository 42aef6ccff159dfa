import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { environment, runNpm } from './packed.ts';

/**
 * An environment whose `node` has a major version: that of the machine, else a package from the registry. Undefined if
 * the registry does not answer.
 */
export async function environmentOf(
  major: number,
  folder: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const folders = (environment['PATH'] ?? '').split(delimiter);
  const machine = {
    ...environment,
    PATH: folders.filter((one) => !one.endsWith('node_modules/.bin')).join(delimiter),
  };
  for (const candidate of [machine, environment]) {
    const { stdout } = spawnSync('node', ['--version'], { env: candidate, encoding: 'utf8' });
    if (stdout.startsWith(`v${major}.`)) return candidate;
  }

  const prefix = join(folder, `node-${major}`);
  mkdirSync(prefix);
  const args = ['install', '--prefix', prefix, '--foreground-scripts', `node@${major}`];
  if ((await runNpm(prefix, args)) === undefined) return undefined;
  return { ...machine, PATH: `${join(prefix, 'node_modules/.bin')}${delimiter}${machine.PATH}` };
}
