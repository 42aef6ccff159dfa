import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { shareService, startService } from '../support/start-service.ts';
import { findFaults } from './support/accessibility.ts';
import { isWithoutBrowser, it, open, openOn } from './support/browser.ts';

const march = {
  at: '2026-03-02T15:00:00Z',
  fxFrom: '2025-12-01',
  config: { fxBanks: ['nbp', 'cnb'] },
  lived: ['2026-03-02T15:00:00Z', '2026-03-03T15:00:00Z', '2026-03-04T00:10:00Z'],
} as const;
const service = shareService(march);

const waitForDay = async (page: Page, day: string): Promise<void> =>
  page.getByRole('heading', { name: `Rates of ${day}` }).waitFor();

describe.skipIf(isWithoutBrowser)('rates of national banks by law (national-fx N14)', () => {
  it('gives a Polish invoice its rate, its amount and its sentence, which one click copies', async () => {
    const page = await openOn(service(), { at: '#/law?for=vat&period=2026-03-03' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await waitForDay(page, 'Tuesday, 3 March 2026');

    await page.getByRole('button', { name: 'Poland' }).click();

    await waitForDay(page, 'Monday, 2 March 2026');
    await page.getByText('In Poland the newest table before that day counts.').waitFor();
    await page.getByText('Polish VAT act, art. 31a(1). Since when it holds is not known').waitFor();
    await page.getByText('1 EUR = 4.2304 PLN', { exact: true }).first().waitFor();
    await page.getByLabel('Amount').fill('230.00');
    await page.getByText('230.00 EUR = 972.99 PLN', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Copy the sentence for the invoice' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      'Table 041/A/NBP/2026 of 2026-03-02',
    );

    await page.getByText('Issued earlier?').click();
    await page.getByLabel('Day of issue, if earlier').fill('2026-02-27');
    await page.getByText('Table 039/A/NBP/2026 of 2026-02-26').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'ECB', exact: true }).click();
    await page.getByText('ECB rate of 2026-02-26').waitFor();
  });

  it('gives a Saturday in Czechia the rates that are valid on it, with their units', async () => {
    const at = '#/law?for=vat&period=2026-01-03&country=CZ&bank=cnb&amount=25000&currency=HUF';
    const page = await openOn(service(), { at });

    await waitForDay(page, 'Friday, 2 January 2026');
    await page.getByText('25,000 HUF = 1,576.00 CZK', { exact: true }).waitFor();
    await page.getByText('has no rates of its own').waitFor();
    await page.getByText('Act No 563/1991 Coll., § 24').waitFor();
    const rates = page.locator('tbody td');
    await expect
      .poll(async () => rates.filter({ hasText: /HUF|EUR|USD/ }).allTextContents())
      .toEqual(['1 EUR = 24.17 CZK', '100 HUF = 6.304 CZK', '1 USD = 20.611 CZK']);
  });

  it.each([
    [
      'country=PL&bank=nbp&currency=AED',
      'National Bank of Poland publishes one, it is in its table B, once a week.',
    ],
    [
      'country=CZ&bank=cnb&currency=VND',
      'Czech National Bank publishes one, it is in its rates of other currencies, once a month.',
    ],
  ])('says where a rate may be that the list of the bank lacks: %s', async (query, words) => {
    const page = await openOn(service(), { at: `#/law?for=vat&period=2026-03-03&${query}` });

    await page.getByText(`on this day. If the ${words}`).waitFor();
  });

  it.each([
    ['a day to come', 'period=2026-03-05&country=CZ&bank=cnb', 'This rate is not certain yet'],
    ['its time', 'period=2026-03-05&country=CZ&bank=cnb', 'The earliest time for that is '],
    [
      'a day before the stored ones',
      'period=2025-11-30&country=PL&bank=nbp',
      'The stored rates of the National Bank of Poland begin later.',
    ],
  ])('explains why there is no rate: %s', async (_, query, words) => {
    const page = await openOn(service(), { at: `#/law?for=vat&${query}` });

    await page.getByText(words).waitFor();
    expect(await page.locator('.law-result').count()).toBe(0);
  });

  it('chooses no rate if a table is of a day that was declared a holiday, and links to both days', async () => {
    const lived = ['2018-11-13T16:00:00Z', '2018-11-14T16:00:00Z'];
    const november = await startService({
      ...march,
      at: '2018-11-13T16:00:00Z',
      fxFrom: '2018-10-15',
      lived,
    });
    const page = await openOn(november, {
      at: '#/law?for=vat&period=2018-11-13&country=PL&bank=nbp',
    });

    await page.getByText('It cannot be decided which of two days counts').waitFor();
    await page.getByText('published on Monday, 12 November 2018, although').waitFor();
    await page.getByRole('link', { name: 'Rates of Friday, 9 November 2018' }).click();
    await page.getByText('Friday, 9 November 2018').waitFor();
  });

  it('is not mentioned by a service without banks, and a link to a bank says so', async () => {
    const page = await open({ at: '#/law?for=vat&period=2026-11-19&country=PL' });
    await waitForDay(page, 'Wednesday, 18 November 2026');
    expect(await page.locator('body').textContent()).not.toMatch(/NBP|CNB|national bank/i);
    expect(await page.getByRole('link', { name: 'Banks' }).count()).toBe(0);

    await page.evaluate("location.hash = '#/law?for=vat&period=2026-11-19&country=PL&bank=nbp'");
    await page.getByText('This service has no rates of the National Bank of Poland').waitFor();
    await page.getByRole('button', { name: 'Show the rates of the European' }).click();
    await waitForDay(page, 'Wednesday, 18 November 2026');

    await page.evaluate("location.hash = '#/banks?bank=nbp'");
    await page.getByText('This service has no rates of national banks').waitFor();
    // Without the status that is not known.
    const json = { error: 'temporarily unavailable' };
    await page.route('**/status', async (route) => route.fulfill({ status: 503, json }));
    await page.reload();
    await page.getByText('The database does not answer').waitFor();
    expect(await page.getByText('has no rates of national banks').count()).toBe(0);
  });
});

describe.skipIf(isWithoutBrowser)('the rates of a national bank in the console', () => {
  it('are shown for a day with their table, and for the days before and after it', async () => {
    const page = await openOn(service(), { at: '#/fx' });
    await page.getByRole('link', { name: 'Banks' }).click();
    await page.getByText('Table 042/A/NBP/2026').waitFor();

    await page.getByRole('button', { name: 'Date: previous stored date' }).click();

    await page.getByText('National Bank of Poland, Monday, 2 March 2026').waitFor();
    await page.getByText('Table 041/A/NBP/2026').waitFor();
    await expect.poll(async () => page.getByText('1 HUF = 0.011155 PLN').count()).toBe(1);
    await page
      .getByText('the European Central Bank, the National Bank of Poland and the Czech')
      .waitFor();
    expect(await findFaults(page)).toEqual([]);
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const { text } = await service().get('/fx/nbp/2026-03-02.csv');
    expect(readFileSync(await (await downloads).path(), 'utf8')).toBe(`\ufeff${text}`);

    await page.getByLabel('Date', { exact: true }).fill('2026-03-01');
    await page
      .getByText('The National Bank of Poland published no rates on Sunday, 1 March 2026')
      .waitFor();
    await page.getByRole('button', { name: 'CNB' }).click();
    await page.getByRole('button', { name: 'Show 27 February 2026' }).click();
    await page.getByText('Czech National Bank, Friday, 27 February 2026').waitFor();
  });
});
