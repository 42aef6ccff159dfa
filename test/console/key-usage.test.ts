import type { Locator, Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';

/** Opens the console, and in it the popover of the key. */
async function openPopover(): Promise<{ readonly page: Page; readonly popover: Locator }> {
  const page = await open();
  await page.getByRole('table').waitFor();
  const popover = page.locator('.popover');
  await page.locator('summary', { hasText: 'test' }).click();
  await popover.waitFor();
  return { page, popover };
}

describe.skipIf(isWithoutBrowser)('the popover of the key', () => {
  it('shows limits and use of the key', async () => {
    const { popover } = await openPopover();

    await expect.poll(async () => popover.textContent()).toContain('used, no limit');
    await expect.poll(async () => popover.textContent()).toContain('Expiresnever');
  });

  it('is closed by Escape, by a press outside, by the keyboard that leaves it, and by navigation', async () => {
    const { page, popover } = await openPopover();
    const isClosed = async (): Promise<void> => popover.waitFor({ state: 'hidden' });
    const openAgain = async (): Promise<void> =>
      page.locator('summary', { hasText: 'test' }).click();
    await page.keyboard.press('Tab');
    await expect.poll(async () => popover.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await isClosed();
    expect(await page.evaluate('document.activeElement.localName')).toBe('summary');

    await openAgain();
    await popover.click({ position: { x: 5, y: 5 } });
    await expect.poll(async () => popover.isVisible()).toBe(true);
    await page.getByRole('heading', { name: 'VAT rates' }).click();
    await isClosed();

    await openAgain();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await isClosed();

    await openAgain();
    await page.evaluate('location.hash = "#/changes"');
    await page.getByRole('heading', { name: 'Changes' }).waitFor();
    expect(await popover.isVisible()).toBe(false);
  });
});
