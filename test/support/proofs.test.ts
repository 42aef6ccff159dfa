import { existsSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pureFiles } from '../../prove/mutation/pure-files.ts';
import { promises } from '../../prove/promises.ts';
import config, { turnHalves } from '../../vitest.config.ts';
import { longest } from './longest-first.ts';
import { findPostgresql } from './programs.ts';

const engines = ['sqlite', 'postgresql', 'console', 'containers'] as const;
const suites = Object.values(promises).flatMap((promised) =>
  engines.flatMap((engine) => (promised[engine] ?? []).map((file) => ({ engine, file }))),
);

describe('the promises', () => {
  it('are R1 to R40, some later ones, and those about the tests themselves', () => {
    const ofReliability = Array.from({ length: 40 }, (_, at) => `R${at + 1}`);

    expect(Object.keys(promises)).toEqual([
      ...ofReliability,
      'R42',
      'R43',
      'R44',
      'R45',
      'R46',
      'R47',
      'samples',
      'defects',
      'mutants',
    ]);
  });

  it('name files that exist', () => {
    const programs = Object.values(promises).flatMap(({ program = [] }) => program);
    const files = [
      ...suites.map(({ file }) => file),
      ...programs.filter((argument) => argument.endsWith('.ts')),
      ...pureFiles,
      ...turnHalves.flat(),
      ...longest,
    ];

    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('are run by a tier of the tests', () => {
    const missing = suites
      .filter(({ engine }) => engine !== 'postgresql' || findPostgresql() !== undefined)
      // A folder stands for all of its files.
      .filter(({ file }) => file.endsWith('.test.ts'))
      .filter(({ engine, file }) => !isRun(engine, file));
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
