import type { Page } from 'playwright-core';

/** The number of A4 pages that Chromium makes of a page. */
export async function countPages(page: Page): Promise<number> {
  const pdf = await page.pdf({ format: 'A4' });
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}
