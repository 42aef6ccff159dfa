import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, relativeLinksIn } from './support/markdown-links.ts';

const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  'client/README.md',
  'bench/NOTES.md',
  ...readdirSync('docs', { recursive: true })
    .map((name) => join('docs', String(name)))
    .filter((name) => name.endsWith('.md')),
];

describe('documents', () => {
  it.each(documents)('%s links to files that exist', (document) => {
    const links = relativeLinksIn(readFileSync(document, 'utf8'));

    const missing = links.filter((target) => !existsSync(join(dirname(document), target)));

    expect(missing).toEqual([]);
  });

  it.each(['docs', 'docs/decisions'])('%s/README.md lists every page of its folder', (folder) => {
    const index = readFileSync(join(folder, 'README.md'), 'utf8');
    const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));

    const unlisted = pages.filter(
      (name) => name !== 'README.md' && !/[#)]/.test(index.split(`(${name}`)[1]?.[0] ?? ''),
    );

    expect(unlisted).toEqual([]);
  });
});

describe('lines of documents', () => {
  // Longer lines are cut off or wrapped where the raw text is read: in an editor, and in a diff.
  it.each(documents.filter((document) => document !== 'docs/proof.md'))(
    '%s has at most 145 characters in a line outside of tables and code',
    (document) => {
      const prose = readFileSync(document, 'utf8').replaceAll(/^ *```[^]*?^ *```$/gm, '');

      expect(
        prose.split('\n').filter((line) => line.length > 145 && !line.startsWith('|')),
      ).toEqual([]);
    },
  );
});

describe('README.md', () => {
  it('has at most 150 lines', () => {
    expect(readFileSync('README.md', 'utf8').trimEnd().split('\n').length).toBeLessThan(151);
  });
});

describe('docs/glossary.md', () => {
  it('has at most 85 words, each once', () => {
    const words = [
      ...readFileSync('docs/glossary.md', 'utf8').matchAll(/^\| (?!word )([^|]+) \|/gm),
    ];
    const different = new Set(words.map(([, word]) => word));

    expect(different.size).toBe(words.length);
    expect(words.length).toBeLessThan(86);
  });
});

describe('documents, their headings and paths', () => {
  it.each(['SECURITY.md', 'client/README.md', 'docs/calling.md'])('%s is checked', (document) => {
    expect(documents).toContain(document);
  });

  it.each(documents)('%s links to headings that exist', (document) => {
    const links = [...readFileSync(document, 'utf8').matchAll(/\]\(([^)#:\s]*)#([^)]+)\)/g)];

    const missing = links.filter(([, target = '', anchor = '']) => {
      const file = target === '' ? document : join(dirname(document), target);
      return !anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
    });

    expect(missing.map(([link]) => link)).toEqual([]);
  });

  it('SECURITY.md names the tests of its defences', () => {
    expect(pathsIn('SECURITY.md').length).toBeGreaterThan(10);
  });

  // docs/proof.md has the paths of the revision that the last full run tested.
  it.each(documents.filter((document) => document !== 'docs/proof.md'))(
    '%s names files and folders that exist',
    (document) => {
      expect(pathsIn(document).filter((path) => !existsSync(path))).toEqual([]);
    },
  );
});

/** The paths in backticks that begin with a folder of code. */
function pathsIn(document: string): readonly string[] {
  const text = readFileSync(document, 'utf8');
  const pattern = /`((?:src|test|prove|bench|reference|scripts|web|\.ci)\/[^`\s*]*)`/g;
  return [...text.matchAll(pattern)].map(([, path = '']) => path);
}
