import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';

/** Holds the requests of some paths until the result is called. */
async function hold(page: Page, paths: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(paths, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

const textOf = async (page: Page) => page.locator('main').textContent();

describe.skipIf(isWithoutBrowser)('the answer to an earlier question in the console', () => {
  it('is not shown as the place of another postcode', async () => {
    const page = await open({ at: '#/goods?country=ES' });
    await page.getByText('Ceuta ES-CE').waitFor();
    const release = await hold(page, '**/territories?**postcode=28001');

    await page.getByLabel('Postcode of the customer').fill('28001');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toContain('postcode=28001');
    await page.getByText('Loading').waitFor();

    expect(await textOf(page)).not.toContain('28001 is in');
    release();
    await page.getByText('is known for 28001, so it counts as the rest of Spain').waitFor();
  });

  it('is not shown as the rates of another country, nor as the fact that it has none', async () => {
    const page = await open({ at: '#/goods?country=BE&q=books' });
    await page.getByText('Depends: ').waitFor();
    const release = await hold(page, '**/rates/categories?**country=FR**');

    await page.getByLabel('Country').selectOption('France');
    await page.getByRole('heading', { name: 'France: goods and services' }).waitFor();
    await page.getByText('Loading').first().waitFor();

    expect(await page.locator('.country-goods').count()).toBe(0);
    release();
    await page.locator('.country-goods').waitFor();
  });
});
