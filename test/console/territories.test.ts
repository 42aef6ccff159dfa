import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';

const writePostcode = async (page: Page, postcode: string): Promise<void> => {
  await page.getByLabel('Postcode of the customer').fill(postcode);
  await page.keyboard.press('Enter');
};

describe.skipIf(isWithoutBrowser)('territories in the console (rule G8)', () => {
  it('lists the territories of a country, with the rates of TEDB beside those of law', async () => {
    const page = await open({ at: '#/goods?country=AT' });
    const cards = page.locator('.territory');
    await cards.first().waitFor();

    await expect
      .poll(async () => cards.locator('summary').allTextContents())
      .toEqual(['Jungholz AT-JUN', 'Mittelberg (Kleinwalsertal) AT-MIT']);
    const text = await cards.first().textContent();
    expect(text).toContain('Rates by lawVAT: standard 19 %');
    expect(text).toContain('Only to sellers that are established there');
    expect(text).toContain('TEDB reports19 %');
  });

  it('finds a postcode, and keeps it in the address until another country is chosen', async () => {
    const page = await open({ at: '#/goods?country=ES' });
    await writePostcode(page, '35001');

    await page.getByText('35001 is in: Canary Islands').waitFor();
    await page.getByText('Outside the VAT area of the EU').waitFor();
    const card = await page.locator('.territory').textContent();
    expect(card).toContain('The standard rate holds since 2020-01-01');
    expect(card).toContain('IGIC: standard 7 %, reduced 0 %, 1 %, 3 % and 5 %TEDB reports7 %');
    expect(page.url()).toContain('#/goods?country=ES&postcode=35001');

    await writePostcode(page, '28001');
    await page.getByText('is known for 28001, so it counts as the rest of Spain').waitFor();
    await writePostcode(page, '801');
    await page.getByText('801 is not a postcode of Spain').waitFor();
    await page.getByLabel('Country').selectOption('Sweden');
    await page.getByText('No place of Sweden with VAT of its own').waitFor();
    expect(page.url()).toMatch(/#\/goods\?country=SE$/);
  });

  it('says that a postcode which other places share does not decide', async () => {
    const page = await open({ at: '#/goods?country=IT&postcode=23030' });

    await page.getByText('23030 can be in: Livigno').waitFor();
    await expect
      .poll(async () => page.locator('.notice').textContent())
      .toContain('Ask for the whole address');
  });
});
