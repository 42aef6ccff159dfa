import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  'client/README.md',
  ...readdirSync('docs', { recursive: true })
    .map((name) => join('docs', String(name)))
    .filter((name) => name.endsWith('.md')),
];

describe('the documents', () => {
  it.each(documents)('%s links to files that exist', (document) => {
    const links = [...readFileSync(document, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target));

    const missing = links.filter((target) => !existsSync(join(dirname(document), target)));

    expect(missing).toEqual([]);
  });

  it('list every decision', () => {
    const index = readFileSync('docs/decisions/README.md', 'utf8');

    const unlisted = readdirSync('docs/decisions').filter(
      (name) => name !== 'README.md' && !index.includes(`(${name})`),
    );

    expect(unlisted).toEqual([]);
  });
});

describe('the documents for callers and for whoever looks for weaknesses', () => {
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

  it('name tests that exist', () => {
    const security = readFileSync('SECURITY.md', 'utf8');

    const named = [...security.matchAll(/`((?:src|test)\/[^`]+\.ts)`/g)].map(
      ([, file = '']) => file,
    );

    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });
});

/** The anchors that headings get where Markdown is shown. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
