import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDeployment } from './deployment-files.ts';

/** Makes the secrets with the commands at the head of compose.yaml, below a folder; returns their own folder. */
export function makeSecretsIn(folder: string): string {
  mkdirSync(join(folder, 'deploy'));
  const head = readDeployment('compose.yaml').split('\n# 2.')[0] ?? '';
  const commands = [...head.matchAll(/^# {6}(.*)$/gm)].map(([, command]) => command);
  execFileSync('sh', ['-euc', commands.join('\n')], { cwd: folder });
  return join(folder, 'deploy/secrets');
}
