import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** An empty folder in which a process of the project makes a release; removed at the end of the run. */
    readonly releaseFolder: string;
  }
}

/** Makes the folder. The processes of a run are killed at its end, so none of them could remove it. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'vatfx-release-'));
  project.provide('releaseFolder', folder);
  return () => rmSync(folder, { recursive: true });
}
