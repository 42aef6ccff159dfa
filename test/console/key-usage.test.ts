import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isWithoutBrowser, useBrowser } from './support/browser.ts';
import { shareLivedService } from './support/lived-service.ts';

const service = shareLivedService();
const open = useBrowser();

/** Opens the console, and in it the popover of the key. */
async function openPopover(): Promise<{ readonly page: Page; readonly popover: Locator }> {
  const page = await open(service());
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
    expect(await popover.textContent()).toContain('Expiresnever');
  });

  it('is closed by Escape, which returns the focus to its button', async () => {
    const { page, popover } = await openPopover();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');

    await popover.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.localName')).toBe('summary');
  });

  it('is closed by a press outside, and not by one inside', async () => {
    const { page, popover } = await openPopover();
    await popover.click({ position: { x: 5, y: 5 } });
    expect(await popover.isVisible()).toBe(true);

    await page.getByRole('heading', { name: 'VAT rates' }).click();

    await popover.waitFor({ state: 'hidden' });
  });

  it('is closed if the keyboard leaves it', async () => {
    const { page, popover } = await openPopover();
    await page.keyboard.press('Tab');
    expect(await popover.isVisible()).toBe(true);

    await page.keyboard.press('Tab');

    await popover.waitFor({ state: 'hidden' });
  });

  it('is closed by navigation', async () => {
    const { page, popover } = await openPopover();

    await page.evaluate('location.hash = "#/changes"');

    await page.getByRole('heading', { name: 'Changes' }).waitFor();
    expect(await popover.isVisible()).toBe(false);
  });

  it('is not printed', async () => {
    const { page, popover } = await openPopover();

    await page.emulateMedia({ media: 'print' });

    expect(await popover.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
  });
});
