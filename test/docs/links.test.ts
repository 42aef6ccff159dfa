import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
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
