import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { docker } from './docker.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The image of this checkout, as the Dockerfile builds it, with a tag that no other installation has. */
    readonly image: string;
  }
}

/** Builds the image once for all suites of the project `containers`, and removes it at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await requireEngine();
  const image = `vatfx:test-${randomBytes(4).toString('hex')}`;
  await docker(['build', '--tag', image, '.']);
  project.provide('image', image);
  return async () => {
    await docker(['image', 'rm', '--force', image]);
  };
}

/** Throws a sentence for the person who runs the tests if there is no engine, or no Compose. */
async function requireEngine(): Promise<void> {
  for (const [command, missing] of [
    [['version'], 'no container engine can be reached: start one, or set DOCKER_HOST'],
    [
      ['compose', 'version'],
      'the command `docker compose` is missing: install Compose 2.24 or later',
    ],
  ] as const) {
    try {
      await docker(command);
    } catch (cause) {
      throw new Error(`the tests of containers cannot run: ${missing}`, { cause });
    }
  }
}
