import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { eventually } from '../support/eventually.ts';
import { isWithoutBrowser, it, open, service } from './support/browser.ts';
import { fieldOf, submit } from './support/check-view.ts';

/** Holds requests of a method until they are released; by default the service then answers them. */
async function hold(
  page: Page,
  path: string,
  method: string,
  answer = async (route: Route): Promise<void> => route.fallback(),
) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const held: Route[] = [];
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    held.push(route);
    await released;
    return answer(route);
  });
  return {
    count: () => held.length,
    arrived: async () => eventually(() => held.length > 0),
    /** Lets the service answer, and waits until the page has the answers. */
    release: async () => {
      release();
      for (const route of held) await route.request().response();
      // The page handles an answer in its next tasks.
      await page.evaluate('new Promise((done) => setTimeout(done, 50))');
    },
  };
}

describe.skipIf(isWithoutBrowser)('an answer that arrives late in the console', () => {
  it('about a check does not change the address of the view that the visitor opened meanwhile', async () => {
    const page = await open({ at: '#/check' });
    const creation = await hold(page, '**/vatchecks', 'POST');
    await submit(page, 'ATU99999901');
    await creation.arrived();

    await page.evaluate("location.hash = '#/country?country=DE'");
    await page.getByRole('heading', { name: 'Germany' }).waitFor();
    await creation.release();

    expect(page.url()).toMatch(/#\/country\?country=DE$/);
  });

  it('about a watch keeps the number that the visitor wrote meanwhile, and a second press sends nothing', async () => {
    const page = await open({ at: '#/watches' });
    const field = fieldOf(page);
    const extras = page.getByText('Consultation number and customer data');
    const change = await hold(page, '**/vatwatches/**', 'PUT');
    await field.fill('ATU99999901');
    await field.press('Control+Enter');
    await change.arrived();

    await field.press('Control+Enter');
    await field.fill('DE999999901');
    await extras.click();
    await page.getByLabel('Your reference').fill('supplier 8');
    await change.release();

    await page.locator('.check').getByText('AT U99999901').first().waitFor();
    expect(change.count()).toBe(1);
    await expect.poll(async () => field.inputValue()).toBe('DE999999901');
    await expect
      .poll(async () => page.getByLabel('Your reference').inputValue())
      .toBe('supplier 8');
  });

  it('about an earlier key does not forget the key that the visitor entered meanwhile', async () => {
    const { key } = await addCaller(service());
    const page = await open({ at: '#/rates' });
    const download = await hold(page, '**/rates/*.csv', 'GET', async (route) =>
      route.fulfill({ status: 401, json: { error: 'INVALID_KEY' } }),
    );
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await download.arrived();

    await page.locator('.key-usage summary').click();
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('table').waitFor();
    await download.release();

    expect(await page.getByLabel('API key').count()).toBe(0);
    await expect.poll(async () => page.getByRole('table').count()).toBe(1);
  });
});
