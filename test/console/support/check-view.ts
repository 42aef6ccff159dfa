import type { Locator, Page } from 'playwright-core';

/** The field for VAT numbers. */
export function fieldOf(page: Page): Locator {
  return page.getByLabel('VAT numbers', { exact: true });
}

/** Writes numbers into the form, and sends it. The form is unfolded first if it is one line. */
export async function submit(page: Page, text: string): Promise<void> {
  const unfold = page.getByRole('button', { name: 'Check another number' });
  await fieldOf(page).or(unfold).waitFor();
  if (await unfold.isVisible()) await unfold.click();
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
