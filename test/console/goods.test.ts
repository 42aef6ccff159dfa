import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { parseCsv } from '../support/parse-csv.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, open, openOn } from './support/browser.ts';

const search = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Goods or service').fill(text);
  await page.getByRole('button', { name: 'Search' }).click();
};

const titleOf = (page: Page) => page.locator('.country-goods .notice-title');

describe.skipIf(isWithoutBrowser)('rates of goods and services in the console (rule G11)', () => {
  it('finds a word, and says plainly that the answer depends', async () => {
    const page = await open({ at: '#/goods?country=BE' });
    await search(page, 'books');

    await expect.poll(async () => titleOf(page).textContent()).toMatch(/^Depends: 6 %, 0 %/);
    await page.getByText('Read the conditions; vatfx does not decide.').waitFor();
    expect(page.url()).toContain('#/goods?country=BE&q=books');
    const rows = await page.locator('.goods-row').allTextContents();
    expect(rows.some((text) => text.startsWith('0 % (zero rate) No VAT is charged'))).toBe(true);
    expect(rows.some((text) => text.includes('Newspapers, periodicals and books'))).toBe(true);
  });

  it('finds a CN code in all countries, marks the code, and names the countries without an entry', async () => {
    const page = await open({ at: '#/goods' });
    await search(page, 'CN 4902');

    await page.getByText('vatfx does not decide').waitFor();
    const belgium = page.getByRole('region', { name: 'Belgium' });
    expect(await belgium.locator('h2').textContent()).toBe('BE Belgium standard rate 21 %');
    expect(await belgium.locator('.verdict-line').textContent()).toBe(
      'Depends: 6 % or 0 % (zero rate)',
    );
    expect(await belgium.locator('mark').allTextContents()).toEqual(['4902', '4902']);
    await page.getByText('without such an entry').waitFor();
    await page.getByText('A missing entry is not a rate').waitFor();
  });

  it.each([
    ['9999', 'No match for CN 9999 in Belgium', 'a missing entry does not decide'],
    ['unicorns', 'No match for “unicorns” in Belgium', 'Try another word or a CN code'],
    ['bycicle', 'No match for “bycicle” in Belgium', 'Try another word or a CN code'],
    ['hotel unicorns', 'Not found: “unicorns”', 'Did you mean one of these categories?'],
  ])('names no rate for “%s”, which has no entry', async (text, title, advice) => {
    const page = await open({ at: `#/goods?country=BE&q=${text}` });

    await expect.poll(async () => titleOf(page).textContent()).toBe(title);
    await page.getByText(advice).waitFor();
  });

  it('shows for a code without an entry the rates of entries without codes, and lists them', async () => {
    const page = await open({ at: '#/goods?country=ES&q=4901' });

    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('No match for CN 4901 in Spain');
    await page.getByText('Rates of Spain: 21 %').waitFor();
    const uncoded = page.locator('.uncoded > summary');
    expect(await uncoded.textContent()).toMatch(
      /^\d+ entr(?:y|ies) of Spain names? no CN codes: .*10 %/,
    );
    await uncoded.press('Enter');
    expect(await page.locator('.uncoded .category').first().isVisible()).toBe(true);
  });

  it('shows for words without an entry those that name no codes: 4 % in Spain', async () => {
    const page = await open({ at: '#/goods?country=ES&q=books' });

    const uncoded = page.locator('.uncoded');
    await expect.poll(async () => uncoded.textContent()).toMatch(/name no codes: 4 %.* or 10 %/);
    expect(await uncoded.getByText('super-reduced rates').isVisible()).toBe(true);
  });

  it('folds the entries that have only one of two words, because none of them is the answer', async () => {
    const page = await open({ at: '#/goods?country=BE&q=hotel+unicorns' });

    await page.getByText(/entr.* with one of these words\.$/).waitFor();
    expect(await page.locator('.category[open]').count()).toBe(0);
  });

  it('has only country and search above the answer on a phone, and scrolls to the answer', async () => {
    const page = await open({ at: '#/goods?country=BE', viewport: { width: 390, height: 844 } });
    const regions = page.getByLabel('Include regions');
    const more = page.getByRole('button', { name: 'More' });
    await more.waitFor();
    expect(await regions.isVisible()).toBe(false);

    await more.click();
    expect(await regions.isVisible()).toBe(true);
    await search(page, 'books');
    await titleOf(page).waitFor();

    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Answer');
    const { y = -1 } = (await titleOf(page).boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(300);
  });

  it('compares with another date, whose rows differ in a rate', async () => {
    const page = await open({ at: '#/goods?country=IE&with=2026-11-18' });
    const differences = page.locator('.differences');
    await differences.getByText('between 18 Nov 2026 and 20 Nov 2026').waitFor();

    const sentences = await differences.locator('li').allTextContents();
    expect(sentences.length).toBeGreaterThan(0);
    expect(sentences.filter((text) => !text.startsWith('Ireland: '))).toEqual([]);
    expect(sentences).toContainEqual(expect.stringMatching(/: now 12\.5 %, was 13\.5 %$/));
    await page.getByRole('button', { name: 'End comparison' }).click();
    await expect.poll(async () => differences.count()).toBe(0);
  });

  it('saves the rows as CSV, and says if the file has more than the search', async () => {
    const page = await open({ at: '#/goods?country=BE&q=4902' });
    await titleOf(page).waitFor();
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await downloads;

    expect(download.suggestedFilename()).toBe('categories-2026-11-20.csv');
    const [, ...lines] = parseCsv(readFileSync(await download.path(), 'utf8'));
    // The two entries with the code, then those without codes.
    expect(lines.map((cells) => cells[8])).toEqual([
      '4902',
      '4902',
      ...Array.from({ length: lines.length - 2 }, () => ''),
    ]);
    await search(page, 'books');
    await page.getByText('The CSV file has all entries of the country').waitFor();
  });

  it('shows rows of regions only if the visitor wants them', async () => {
    const page = await open({ at: '#/goods?country=AT&q=REGION' });
    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('No match for this category in Austria');

    await page.getByLabel('Include regions').check();

    await page.getByText('Only in: Jungholz, Mittelberg').waitFor();
    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Entries for regions or imports only');
  });
});

describe.skipIf(isWithoutBrowser)('the console without rates of goods', () => {
  it('offers the oldest date with rows for a date without them', async () => {
    const own = await startService({ lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });
    await own.core.db.deleteFrom('rate_categories').where('version', '=', '2026-11-19').execute();
    const page = await openOn(own, { at: '#/goods?country=BE&date=2026-11-19' });
    await page.getByText('No rates of goods and services are stored for Thursday').waitFor();

    await page.getByRole('button', { name: 'Show 20 November 2026' }).click();
    await page.getByText('entries in all categories').waitFor();
    expect(page.url()).toMatch(/#\/goods\?country=BE&date=2026-11-20$/);
  });

  it('says what an operator can do if snapshots of an earlier version have none', async () => {
    const own = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    await own.core.db.deleteFrom('rate_categories').execute();
    const page = await openOn(own, { at: '#/goods?country=BE' });

    await page.getByText('No rates of goods and services yet').waitFor();
    expect(await page.locator('.notice').textContent()).toContain('backfill rates --categories');
  });
});
