import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { someOf } from '../../support/proof.ts';

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

/**
 * The widths of a phone and of a desktop, each with one colour scheme. Axe takes most of the time, so that a commit looks
 * at one of them.
 */
const appearances = someOf(
  [
    { width: 1_440, colorScheme: 'light' },
    { width: 320, colorScheme: 'dark' },
  ] as const,
  1,
);

/** One width for each layout of the style sheets. */
const widths = [1_440, 768, 390, 320];

/** Lists what axe finds on a page in each appearance, and the widths that it does not fit. */
export async function findFaults(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await overflowOf(page);
    if (overflow > 0) found.push(`${width}: the page is ${overflow} pixels wider`);
  }
  for (const { width, colorScheme } of appearances) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const violations = await findViolations(page);
    found.push(...violations.map((text) => `${width} ${colorScheme}: ${text}`));
  }
  return found;
}

/** The number of pixels by which the page is wider than the window. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
}
