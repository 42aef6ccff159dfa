import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { backfillRates } from '../../src/rates/backfill.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, open, openOn } from './support/browser.ts';

const ratesOf = async (page: Page) => page.locator('.country-rate').allTextContents();

describe.skipIf(isWithoutBrowser)('a country in the console', () => {
  it('is asked for if the address names none', async () => {
    const page = await open({ at: '#/country' });
    await page.getByRole('heading', { name: 'Choose a country' }).waitFor();
    expect(await page.locator('.country-rate').count()).toBe(0);

    await page.getByRole('link', { name: 'Spain' }).click();

    await page.getByRole('heading', { name: 'Spain' }).waitFor();
    expect(page.url()).toMatch(/#\/country\?country=ES$/);
  });

  it('opens from the table of all countries, with each rate and since when it holds', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Ireland' }).click();

    await expect
      .poll(async () => ratesOf(page))
      .toEqual([
        'Standard rate23 %at least since 18 November 2026',
        'Reduced rate9 %at least since 18 November 2026',
        'Second reduced rate12.5 %since 20 November 2026',
      ]);
    await page
      .getByText(
        'TEDB reports no super-reduced rate and no parking rate. Zero rates are never among the reduced rates',
      )
      .waitFor();
    await page.getByLabel('Country').selectOption('Hungary');
    await expect
      .poll(async () => (await ratesOf(page))[0])
      .toBe('Standard rate25 %since 19 November 2026');
  });

  it('has the rates of the date of which the table was, and leads to the newest ones', async () => {
    const page = await open({ at: '#/rates?date=2026-11-18' });
    await page.getByRole('link', { name: 'Ireland' }).click();

    await expect
      .poll(async () => (await ratesOf(page))[2])
      .toBe('Second reduced rate13.5 %at least since 18 November 2026');
    await page.getByRole('button', { name: 'Show the newest rates' }).click();
    await page.getByText('VAT rates on Friday, 20 November 2026').waitFor();
  });

  it('leads to its goods by a word, and to its places by a postcode', async () => {
    const page = await open({ at: '#/country?country=ES' });
    await page.getByText('3 places of Spain differ: Canary Islands, Ceuta and Melilla.').waitFor();
    await page.getByLabel('Postcode of the customer').fill('35001');
    await page.keyboard.press('Enter');
    await page.getByText('35001 is in: Canary Islands').waitFor();

    await page.getByLabel('Goods or service').fill('books');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Spain: goods and services' }).waitFor();
    expect(page.url()).toMatch(/#\/goods\?country=ES&q=books$/);
  });
});

describe.skipIf(isWithoutBrowser)('the history of a country in the console', () => {
  it('shows changes of dates that an operator has fetched, which are not in the change log', async () => {
    const own = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    const { db, tedb, clock, config } = own.core;
    await backfillRates(
      { from: isoDate('2023-12-20'), to: isoDate('2024-01-10') },
      {
        db,
        tedb,
        clock,
        flagCdnUrl: config.flagCdnUrl,
        signal: new AbortController().signal,
        onProgress: () => {},
      },
    );
    const page = await openOn(own, { at: '#/changes?country=EE' });
    await page.getByText('No change found').waitFor();

    await page.getByRole('link', { name: 'all VAT rates of Estonia' }).click();

    await page.getByText('2 changes between 20 December 2023 and 20 November 2026.').waitFor();
    await expect
      .poll(async () => page.locator('.timeline time').allTextContents())
      .toEqual(['20 November 2026', '1 January 2024', '20 December 2023']);
    expect((await ratesOf(page))[0]).toMatch(/began between 11 January 2024 and 20 November 2026$/);
    await expect
      .poll(async () => page.locator('.step-line').allTextContents())
      .toEqual([
        'Standard raised from 22 % to 24 %',
        'Reduced changed from 5 % and 9 % to 9 % and 13 %',
        'Standard raised from 20 % to 22 %',
        'Standard 20 %',
        'Reduced 5 % and 9 %',
        'Super-reduced none',
        'Parking none',
      ]);
  });

  it('opens from its goods', async () => {
    const page = await open({ at: '#/goods?country=HU' });
    await page.getByRole('link', { name: 'All VAT rates of Hungary, and their history' }).click();

    await page.getByText('1 change between 18 November 2026 and 20 November 2026.').waitFor();
    const hungary = await page.locator('.step-line').first().textContent();
    expect(hungary).toBe('Standard lowered from 27 % to 25 %');
  });
});
