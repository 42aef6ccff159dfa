import type { TestProject } from 'vitest/node';
import { bundleForTests } from '../../scripts/service-bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of `main.js` of the bundle of these sources; undefined in projects that start no process of it. */
    readonly bundle?: string;
  }
}

/** Bundles the service once for all suites of a run, unless there is a bundle of these sources. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('bundle', await bundleForTests());
}
