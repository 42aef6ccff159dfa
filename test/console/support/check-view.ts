import type { Locator, Page } from 'playwright-core';

/** The field for VAT numbers. */
export function fieldOf(page: Page): Locator {
  return page.getByLabel('VAT numbers', { exact: true });
}

/** Writes numbers into the form, and sends it. */
export async function submit(page: Page, text: string): Promise<void> {
  await fieldOf(page).fill(text);
  await page.getByRole('button', { name: /^Check( \d+ numbers)?$/ }).click();
}

/** The text of the check that is shown. */
export async function verdictOf(page: Page): Promise<string | null> {
  return page.locator('.verdict').textContent();
}

/** Waits until a check with this verdict is shown. */
export async function waitForVerdict(page: Page, title: string): Promise<void> {
  await page.locator('.verdict').getByText(title, { exact: true }).waitFor();
}
