import { existsSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pureFiles } from '../../prove/mutation/pure-files.ts';
import { proofs } from '../../prove/proofs.ts';
import config from '../../vitest.config.ts';
import { findPostgresql } from './programs.ts';

describe('the proofs of the promises', () => {
  it('are one for each promise, R1 to R34 and R39, and those about the tests themselves', () => {
    const promises = [...Array.from({ length: 34 }, (_, at) => `R${at + 1}`), 'R39'];

    expect(Object.keys(proofs)).toEqual([...promises, 'samples', 'parity', 'defects', 'mutants']);
  });

  it('name files that exist', () => {
    const files = Object.values(proofs).flatMap(({ suites, program: run = [] }) => [
      ...suites.flatMap(({ files: named }) => named),
      ...run.filter((argument) => argument.endsWith('.ts')),
      ...pureFiles,
    ]);

    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('are run by a tier of the tests', () => {
    const files = Object.values(proofs).flatMap(({ suites }) =>
      suites.flatMap(({ project, files: named }) => named.map((file) => ({ project, file }))),
    );

    const missing = files
      .filter(({ project }) => project !== 'postgresql' || findPostgresql() !== undefined)
      // A folder stands for all of its files.
      .filter(({ file }) => file.endsWith('.test.ts'))
      .filter(({ project, file }) => !isRun(project, file));
    expect(missing).toEqual([]);
  });
});

function isRun(engine: string, file: string): boolean {
  const matches = (patterns: readonly string[] | undefined): boolean =>
    patterns?.some((pattern) => matchesGlob(file, pattern)) === true;
  return (config.test?.projects ?? []).some((project) => {
    if (typeof project !== 'object' || !('test' in project)) return false;
    const { name, include, exclude } = project.test ?? {};
    return (
      typeof name === 'string' && name.startsWith(engine) && matches(include) && !matches(exclude)
    );
  });
}
