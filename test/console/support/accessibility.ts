import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

type Finding = {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
};

/** Lists the accessibility violations that axe finds on a page, except those of an ignored impact. */
export async function findViolations(
  page: Page,
  ignored: readonly string[] = ['minor'],
): Promise<readonly string[]> {
  const file = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'));
  await page.evaluate(readFileSync(file, 'utf8'));
  const { violations } = await page.evaluate<{ violations: readonly Finding[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  );
  return violations
    .filter(({ impact }) => impact === null || !ignored.includes(impact))
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html} ${failureSummary}`),
    );
}

/** The number of pixels by which the page is wider than the window. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
