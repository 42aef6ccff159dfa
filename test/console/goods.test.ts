import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { CategoryRows } from '../../web/src/wire.ts';
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

    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Depends: 0 %, 6 % or exempt under a condition, otherwise 21 %');
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
    await expect
      .poll(async () => belgium.locator('h2').textContent())
      .toBe('BE Belgium standard rate 21 %');
    await expect
      .poll(async () => belgium.locator('.verdict-line').textContent())
      .toBe('Depends: 0 % or 6 % under a condition, otherwise 21 %');
    await expect
      .poll(async () => belgium.locator('mark').allTextContents())
      .toEqual(['4902', '4902']);
    await page.getByText('without such an entry').waitFor();
    await page.getByText('TEDB reports no lower rate for it there.').waitFor();
    await page.getByRole('link', { name: 'Bulgaria: 20 %' }).waitFor();
  });

  it('shows in all countries the beginning of each comment beside the rate, and the rest after a click', async () => {
    const page = await open({ at: '#/goods?q=4902' });
    const belgium = page.getByRole('region', { name: 'Belgium' });
    const comment = 'Newspapers, periodicals and books (digital and on paper)';
    const row = belgium.locator('.goods-row', { hasText: comment });
    await row.waitFor();
    const beginning = row.locator('.beginning');
    expect(((await beginning.textContent()) ?? '').length).toBeLessThan(145);
    expect(await row.getByText('CN 4902').isVisible()).toBe(false);

    await row.locator('summary').first().press('Enter');

    expect(await beginning.isVisible()).toBe(false);
    await expect
      .poll(async () => row.locator('.long-text').textContent())
      .toMatch(/^Newspapers.{200}/s);
    await row.getByText('CN 4902').waitFor();
  });

  it('shows the days that a comment names beside the rate', async () => {
    const page = await open({ at: '#/goods?q=CN+9999' });
    await page.route('**/rates/categories?**', async (route) => {
      const response = await route.fetch();
      const { rows, ...answer } = (await response.json()) as CategoryRows;
      const dated = rows.map((row) => ({ ...row, inForce: { from: null, to: '2025-08-01' } }));
      await route.fulfill({ response, json: { ...answer, rows: dated } });
    });
    await search(page, 'CN 4902');

    const france = page.getByRole('region', { name: 'France' }).locator('.goods-row summary');

    await expect
      .poll(async () => france.first().textContent())
      .toMatch(/^2\.1 % until 1 August 2025/);
  });

  it.each([
    ['9999', 'TEDB reports no lower rate for it. ', 'No entry of Belgium is found for CN 9999.'],
    ['unicorns', 'TEDB reports no lower rate for it. ', 'another word or a CN code may find more'],
    ['bycicle', 'TEDB reports no lower rate for it. ', 'is found for “bycicle”. The categories'],
    ['hotel unicorns', 'Not found: “unicorns”', 'Did you mean one of these categories?'],
  ])('names no rate for “%s”, which has no entry', async (text, title, advice) => {
    const page = await open({ at: `#/goods?country=BE&q=${text}` });

    await expect.poll(async () => titleOf(page).textContent()).toMatch(new RegExp(`^${title}`));
    await page.getByText(advice).waitFor();
  });

  it('says for a code without an entry what may say otherwise, and leads to those entries', async () => {
    const page = await open({ at: '#/goods?country=ES&q=1509' });

    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe(
        'TEDB reports no lower rate for it. The standard rate is 21 %; the law, or one of 3 entries without codes, may say otherwise',
      );
    await page.getByRole('link', { name: 'Show the 3 entries without codes' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toBe(
      'Spain reports 4 %, 10 % or an exemption for goods that it names without codes',
    );
    await expect.poll(async () => page.locator('#without-codes ~ .category').count()).toBe(3);
    expect(page.url()).toContain('#/goods?country=ES&q=1509');
  });

  it('has rows without codes below those that words find: 4 % in Spain', async () => {
    const page = await open({ at: '#/goods?country=ES&q=foodstuffs' });

    await page
      .getByText(
        'Spain also reports 4 %, 10 % or an exemption for goods that it names without codes',
      )
      .waitFor();
    const rates = await page.locator('.goods-rate').allTextContents();
    expect(rates).toEqual(['10 %', '4 %', 'exempt from VAT', '10 %']);
  });

  it('has no answer of the entries that have only one of two words', async () => {
    const page = await open({ at: '#/goods?country=BE&q=hotel+unicorns' });

    await page.getByText(/entr.* with one of these words\.$/).waitFor();
    expect(await page.getByText('Depends: ').count()).toBe(0);
    await expect.poll(async () => page.locator('.goods-row.brief').count()).toBeGreaterThan(0);
  });

  it('has only country and search above the answer on a phone, and scrolls to the answer', async () => {
    const page = await open({ at: '#/goods?country=BE', viewport: { width: 390, height: 844 } });
    const regions = page.getByLabel('Include regions');
    const more = page.getByRole('button', { name: 'More' });
    await more.waitFor();
    expect(await regions.isVisible()).toBe(false);

    await more.click();
    await expect.poll(async () => regions.isVisible()).toBe(true);
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
    expect(sentences).toContainEqual(
      expect.stringMatching(/: now 12\.5 %, was 13\.5 %12\.5 %: \w/),
    );
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
    await page.getByText('No entry of Austria is found for this category.').waitFor();

    await page.getByLabel('Include regions').check();

    await page.getByText('only in: Jungholz, Mittelberg').waitFor();
    await page.getByText('These entries are for regions or imports only.').waitFor();
    await expect
      .poll(async () => titleOf(page).textContent())
      .toMatch(/^TEDB reports no lower rate for it\. /);
  });
});

describe.skipIf(isWithoutBrowser)('known errors of TEDB in goods (rule X7)', () => {
  it('are the headline of a code, with the law, its condition and its citation', async () => {
    const page = await open({ at: '#/goods?country=ES&q=5805' });

    await expect.poll(async () => titleOf(page).textContent()).toBe('TEDB: 10 %. Law: 21 %');
    const erratum = page.locator('.notice .goods-errata li');
    await expect
      .poll(async () => erratum.textContent())
      .toMatch(/^CN 5805, 6304 91, 6304 92, 6304 99: 10 only if sold by the author .*Ley 37\/1992/);
    await expect
      .poll(async () => erratum.getByRole('link').getAttribute('href'))
      .toBe('https://www.boe.es/eli/es/l/1992/12/28/37');
    await page.getByText('Depends: 10 % under a condition, otherwise 21 %.').waitFor();
    await page.getByText('a known error of TEDB concerns it').waitFor();
  });

  it('are the headline if TEDB has no row, also of words, and say if they were read in a secondary source', async () => {
    const page = await open({ at: '#/goods?country=IE&q=children%27s+clothes' });

    await expect.poll(async () => titleOf(page).textContent()).toBe('TEDB: no row. Law: 0 %');
    await expect
      .poll(async () => page.locator('.notice .goods-errata li').textContent())
      .toMatch(/^CN 6111, 6209: clothing .*; read in a secondary source\.$/);
  });

  it('stand in all countries in place of a missing entry', async () => {
    const page = await open({ at: '#/goods?q=4902' });
    const denmark = page.getByRole('region', { name: 'Denmark' });

    await denmark.getByText('TEDB: no row. Law: 0 %').waitFor();

    await expect
      .poll(async () => denmark.locator('.goods-errata li').textContent())
      .toMatch(/^CN 4902: newspapers that appear at least monthly\. Momsloven/);
    expect(await page.locator('.choices a', { hasText: 'Denmark' }).count()).toBe(0);
  });

  it('stand below all goods of a country', async () => {
    const page = await open({ at: '#/goods?country=ES' });

    await page.getByRole('heading', { name: 'Known errors of TEDB in these entries' }).waitFor();

    const errata = await page.locator('.errata .goods-errata li').allTextContents();
    expect(errata).toContainEqual(expect.stringMatching(/^TEDB: no row\. Law: 4 % CN 0401: milk/));
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
    await expect
      .poll(async () => page.locator('.notice').textContent())
      .toContain('backfill rates --categories');
  });
});
