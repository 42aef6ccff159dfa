import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';
import { describe, expect, it } from 'vitest';
import { beforeRuns } from '../../prove/soak/breaks.ts';
import { builds } from '../defects/builds.ts';
import { defects } from '../defects/defects.ts';
import { breakSource, type Change } from './broken-build.ts';

const root = new URL('../../', import.meta.url);
const all: Readonly<Record<string, readonly Change[]>> = {
  ...builds,
  'the soak': [beforeRuns('')],
};

describe('broken builds (a fast check; their proofs take much longer)', () => {
  it.each(Object.entries(all))('replace existing declarations: %s', (_, changes) => {
    for (const [file, ofFile] of Map.groupBy(changes, (change) => change.file)) {
      const source = readFileSync(new URL(`src/${file}`, root), 'utf8');

      const broken = breakSource(ofFile, `/src/${file}`, source);

      const { errors } = parseSync(file, broken, { showSemanticErrors: true });
      expect(errors).toEqual([]);
      const members = ofFile.flatMap(({ by }) => by.match(/(?<=this\.)#\w+/g) ?? []);
      expect(members.filter((member) => !source.includes(member))).toEqual([]);
    }
  });

  it('have names of their own', () => {
    expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length);
  });

  it.each(defects)('are caught by a test that exists: $name', ({ caughtBy }) => {
    const source = readFileSync(new URL(caughtBy.file, root), 'utf8');

    expect(titlesIn(caughtBy.file, source).some((title) => title.test(caughtBy.test))).toBe(true);
  });
});

/** The texts of a test file as patterns of test names: `%s`, `$name` and `${…}` stand for any text. */
function titlesIn(file: string, source: string): RegExp[] {
  const titles: RegExp[] = [];
  JSON.stringify(parseSync(file, source).program, (_, node) => {
    if (node?.type === 'Literal' && typeof node.value === 'string')
      titles.push(toTitle(node.value));
    if (node?.type === 'TemplateLiteral') {
      const texts: string[] = node.quasis.map(({ value }: { value: { raw: string } }) => value.raw);
      titles.push(toTitle(texts.join('%s')));
    }
    return typeof node === 'bigint' ? String(node) : node;
  });
  return titles;
}

function toTitle(text: string): RegExp {
  const parts = text.split(/%[sdijf]|\$[\w.]+/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
