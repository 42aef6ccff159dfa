import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const pages = globSync('docs/*.md');
/** The code blocks of all pages that are in a language of docs/samples. */
const quotes = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/```(python|php|java|go|csharp)\n([^]*?)\n```/g)].map(
    ([, language = '', code = '']) => ({ page, language, code }),
  ),
);

describe('pages that quote docs/samples', () => {
  it('quote the call and the verification in Python', () => {
    expect(quotes.map(({ page }) => page)).toEqual(
      expect.arrayContaining(['docs/calling.md', 'docs/webhooks.md']),
    );
  });

  it.each(quotes)('$page quotes $language as it is in the file', ({ language, code }) => {
    const files = globSync(`docs/samples/${language}/**/*`, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'));

    expect(files.filter((text) => text.includes(code))).toHaveLength(1);
  });

  it('name every sample', () => {
    const text = pages.map((page) => readFileSync(page, 'utf8')).join('');
    const samples = globSync('docs/samples/**/*.{py,php,java,go,cs}');

    expect(samples.length).toBeGreaterThan(10);
    expect(samples.filter((file) => !text.includes(`(${file.replace('docs/', '')})`))).toEqual([]);
  });
});
