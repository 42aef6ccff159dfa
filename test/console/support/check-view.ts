import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { TestService } from '../../support/start-service.ts';

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

/** Stores a batch through the API, and waits until its checks have ended. */
export async function storeBatch(service: TestService, checks: readonly object[]): Promise<void> {
  const { status, text } = await service.sendRequest({
    method: 'POST',
    path: '/vatchecks/batch',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ checks }),
  });
  expect([status, text]).toEqual([202, expect.any(String)]);
  const { batchId } = JSON.parse(text) as { batchId: string };
  const pendingOf = async () =>
    (JSON.parse((await service.get(`/vatchecks/batch/${batchId}`)).text) as { pending: number })
      .pending;
  await expect.poll(pendingOf).toBe(0);
}
