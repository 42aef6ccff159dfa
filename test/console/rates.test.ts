import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open, service } from './support/browser.ts';

/** The country codes in the first column, from top to bottom. */
async function countriesOf(page: Page): Promise<readonly string[]> {
  const heads = await page.locator('tbody th').allTextContents();
  return heads.map((text) => text.slice(0, 2));
}

describe.skipIf(isWithoutBrowser)('VAT rates in the console', () => {
  it('shows the newest snapshot as a table of all Member States and as a map', async () => {
    const page = await open();

    await page.getByText('Friday, 20 November 2026').waitFor();
    await expect.poll(async () => page.locator('tbody tr').count()).toBe(27);
    const austria = page.getByRole('row', { name: 'Austria' });
    await expect
      .poll(async () => austria.locator('td').allTextContents())
      .toEqual(['20', '10 · 13', '4.9', '–', 'EUR']);
    await expect.poll(async () => page.locator('svg .country').count()).toBe(27);
    await expect
      .poll(async () => page.getByRole('img', { name: 'Map of the standard rates' }).count())
      .toBe(1);
  });

  it('sorts by any column in both directions, and has the order in the address', async () => {
    const page = await open();
    const head = page.getByRole('button', { name: 'Standard' });
    await head.click();
    const ascending = await countriesOf(page);
    await head.click();
    const descending = await countriesOf(page);

    expect([ascending[0], ascending[1]]).toEqual(['LU', 'MT']);
    expect(descending[0]).toBe('FI');
    const sorted = page.locator('th[aria-sort="descending"]');
    await expect.poll(async () => sorted.textContent()).toContain('Standard');
    await page.reload();
    await page.getByRole('table').waitFor();
    expect(await countriesOf(page)).toEqual(descending);
  });

  it('puts countries without a parking rate last, in both directions', async () => {
    const page = await open({ at: '#/rates?sort=parking' });
    await page.getByRole('table').waitFor();
    const ascending = await countriesOf(page);
    await page.getByRole('button', { name: 'Parking' }).click();
    const descending = await countriesOf(page);

    expect(ascending.slice(0, 5).toSorted()).toEqual(descending.slice(0, 5).toSorted());
    expect(ascending[0]).toBe('BE');
    expect(descending[0]).toBe('LU');
  });

  it('shows the differences between two dates, in words and with marks', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Compare with another date' }).click();

    const differences = page.getByRole('status', { name: 'Differences' });
    await differences.waitFor();
    await expect
      .poll(async () => differences.locator('h2').textContent())
      .toBe('2 differences between 18 Nov 2026 and 20 Nov 2026');
    await expect
      .poll(async () => differences.locator('li').allTextContents())
      .toEqual([
        'Hungary: standard lowered from 27 % to 25 %',
        'Ireland: reduced changed from 9 % and 13.5 % to 9 % and 12.5 %',
      ]);
    const hungary = page.getByRole('row', { name: 'Hungary' });
    await expect.poll(async () => hungary.locator('mark').textContent()).toBe('25');
    await expect.poll(async () => hungary.textContent()).toContain('lowered from 27 %');
    await expect.poll(async () => page.locator('svg .moved').count()).toBe(2);
  });

  it('offers its request as a curl command without the key, folded under “As API call”', async () => {
    const page = await open({ at: '#/rates?date=2026-11-19' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

    const copy = page.getByRole('button', { name: 'Copy the curl command' });
    await page.getByText('As API call').waitFor();
    expect(await copy.isVisible()).toBe(false);
    await page.getByText('As API call').click();
    await copy.click();

    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl -H "Authorization: Bearer $KEY" '${service().apiUrl}/rates/2026-11-19'`,
    );
  });

  it('keeps an address with a date that is not stored, and goes to the next stored date', async () => {
    const page = await open({ at: '#/rates?date=2026-01-01' });

    await page.getByText('Nothing is stored for Thursday, 1 January 2026').waitFor();
    const notice = await page.locator('.notice').textContent();
    expect(notice).toContain('The first stored date is 18 November 2026.');
    await expect
      .poll(async () => page.getByLabel('Date', { exact: true }).inputValue())
      .toBe('2026-01-01');
    await page.getByRole('button', { name: 'Date: next stored date' }).click();
    await page.getByText('Wednesday, 18 November 2026').waitFor();
  });
});
