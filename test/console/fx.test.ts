import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open, service } from './support/browser.ts';

describe.skipIf(isWithoutBrowser)('exchange rates in the console', () => {
  it('shows a currency as a chart and in figures', async () => {
    const page = await open({ at: '#/fx' });

    await page.getByRole('img', { name: 'USD: units per 1 EUR' }).waitFor();
    await expect.poll(async () => page.locator('.chart canvas').count()).toBe(1);
    const row = page.getByRole('row', { name: 'US Dollar' });
    const snapshot = JSON.parse((await service().get('/fx')).text) as { rates: { USD: number } };
    await expect
      .poll(async () => row.locator('td').nth(1).textContent())
      .toBe(String(snapshot.rates.USD));
  });

  it('shows several currencies as change in percent, and has them in the address', async () => {
    const page = await open({ at: '#/fx' });
    await page.getByRole('button', { name: 'GBP British Pound' }).click();

    await page.getByRole('img', { name: 'USD, GBP: change in percent' }).waitFor();
    expect(page.url()).toContain('currencies=USD,GBP');
    await page.getByRole('button', { name: 'Units' }).click();
    await page.getByRole('img', { name: 'USD, GBP: units per 1 EUR' }).waitFor();
    await page.getByRole('button', { name: 'Remove US Dollar from the chart' }).click();
    await page.getByRole('img', { name: 'GBP: units' }).waitFor();
  });

  it('shows any range of dates', async () => {
    const page = await open({ at: '#/fx?from=2026-11-02&to=2026-11-06' });
    await page.getByRole('img', { name: '2 Nov 2026 to 6 Nov 2026, 5 days' }).waitFor();

    await page.getByRole('button', { name: '1 month' }).click();

    await expect
      .poll(async () => page.getByRole('img', { name: '20 Oct 2026 to 20 Nov 2026' }).count())
      .toBe(1);
  });

  it('keeps a typed Sunday, says that nothing was published, and offers the Friday', async () => {
    const page = await open({ at: '#/fx' });
    const field = page.getByLabel('Date', { exact: true });
    await field.fill('2026-11-15');

    await page.getByText('No exchange rates were published on Sunday, 15 November 2026').waitFor();
    await expect.poll(async () => field.inputValue()).toBe('2026-11-15');
    await page.getByRole('button', { name: 'Show 13 November 2026' }).click();
    await page.getByText('All currencies on Friday, 13 November 2026').waitFor();
  });
});
