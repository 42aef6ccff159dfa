import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open, service } from './support/browser.ts';

describe.skipIf(isWithoutBrowser)('CSV files from the console (contract C36)', () => {
  it.each([
    ['the newest VAT rates', '#/rates', 0, '/rates/2026-11-20.csv'],
    ['the VAT rates of a date', '#/rates?date=2026-11-19', 0, '/rates/2026-11-19.csv'],
    ['the filtered changes', '#/changes?country=HU', 0, '/changes.csv?country=HU&limit=200'],
    [
      'the range of the chart',
      '#/fx?currencies=USD,GBP&from=2026-11-02&to=2026-11-06',
      0,
      '/fx/range.csv?from=2026-11-02&to=2026-11-06&currencies=USD,GBP',
    ],
    ['all exchange rates of a date', '#/fx?date=2026-11-19', 1, '/fx/2026-11-19.csv'],
  ])(
    'saves %s under the name that the service gives, with a mark for spreadsheets',
    async (_, at, nth, path) => {
      const page = await open({ at });
      const downloads = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download CSV' }).nth(nth).click();
      const download = await downloads;
      const { headers, text } = await service().get(path);

      expect(headers['content-disposition']).toBe(
        `attachment; filename="${download.suggestedFilename()}"`,
      );
      expect(readFileSync(await download.path(), 'utf8')).toBe(`\uFEFF${text}`);
    },
  );

  it('saves the rates of a law with their date and the law in each line, for spreadsheets', async () => {
    const page = await open({ at: '#/law?for=vat&period=2026-11-15&country=PL' });
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const download = await downloads;
    const { rates } = JSON.parse((await service().get('/fx/2026-11-13')).text) as {
      rates: Record<string, number>;
    };

    expect(download.suggestedFilename()).toBe('fx-vat-2026-11-15-PL.csv');
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines[0]).toBe('\uFEFFcurrency,rate,date,legalBasis,note');
    expect(lines).toContain(
      `USD,${rates['USD']},2026-11-13,"Polish VAT act, art. 31a(1), second sentence",`,
    );
  });

  it('explains a file that the service refuses, and can try again', async () => {
    const page = await open();
    await page.getByRole('table').waitFor();
    const refusal = { status: 503, json: { error: 'temporarily unavailable' } };
    await page.route('**/*.csv', async (route) => route.fulfill(refusal));
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByText('The database does not answer').waitFor();

    await page.unrouteAll();
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Try again' }).click();

    expect((await downloads).suggestedFilename()).toBe('rates-2026-11-20.csv');
    await expect.poll(async () => page.locator('.notice').count()).toBe(0);
  });
});
