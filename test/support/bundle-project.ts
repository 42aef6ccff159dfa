import type { TestProject } from 'vitest/node';
import { bundleForTests } from '../../scripts/service-bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The path of `main.js` of the bundle of these sources; undefined in a run whose suites start no process of it. */
    readonly bundle?: string;
  }
}

/** The folders with suites that start the program. */
const folders = /\/test\/(?:cli|console|deploy|faults|journeys|prove|walkthrough)\//;

/** Bundles the service once for all suites of a run, unless none needs it, or there is a bundle of these sources. */
export async function setup(project: TestProject): Promise<void> {
  if (!project.vitest.state.getPaths().some((file) => folders.test(file))) return;
  project.provide('bundle', await bundleForTests());
}
