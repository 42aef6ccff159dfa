import { describe, expect } from 'vitest';
import { backfillRates } from '../../src/rates/backfill.ts';
import { isoDate } from '../../src/platform/time/time.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, open, openOn } from './support/browser.ts';

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
    await page.getByText('No rate changed').waitFor();

    await page.getByRole('link', { name: 'the history of Estonia' }).click();

    await page.getByText('2 changes between 20 December 2023 and 20 November 2026.').waitFor();
    expect(await page.locator('.timeline h2 time').allTextContents()).toEqual([
      '20 November 2026',
      '1 January 2024',
      '20 December 2023',
    ]);
    expect(await page.locator('.step-line').allTextContents()).toEqual([
      'Standard raised from 22 % to 24 %',
      'Reduced changed from 5 % and 9 % to 9 % and 13 %',
      'Standard raised from 20 % to 22 %',
      'Standard 20 %',
      'Reduced 5 % and 9 %',
      'Super-reduced none',
      'Parking none',
    ]);
  });

  it('opens from the rates of its goods, and says that it is read from the stored snapshots', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Hungary' }).click();
    await page.getByRole('link', { name: 'History of the national rates' }).click();

    await page.getByText('1 change between 18 November 2026 and 20 November 2026.').waitFor();
    expect(await page.locator('.lead').textContent()).toContain('read from the stored snapshots');
    const hungary = await page.locator('.step-line').first().textContent();
    expect(hungary).toBe('Standard lowered from 27 % to 25 %');
    await page.getByLabel('Country').selectOption('Ireland');
    await page.getByText('changed from 9 % and 13.5 % to 9 % and 12.5 %').waitFor();
    expect(page.url()).toContain('#/country?country=IE');
  });
});
