import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { dateInWords } from '../../web/src/words.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, open, openOn, service } from './support/browser.ts';

const grouped = (amount: string) =>
  Number(amount).toLocaleString('en', { minimumFractionDigits: 2 });
const titleOf = (page: Page) => page.getByRole('heading', { name: 'Rates of' });

describe.skipIf(isWithoutBrowser)('“Which rate for my return?” (legal-fx L8)', () => {
  it('shows the rates for the last quarter that has ended, the date, why, and the citation', async () => {
    const page = await open({ at: '#/fx' });
    await page.getByRole('link', { name: 'Which rate for my return?' }).click();

    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Wednesday, 30 September 2026');
    await page
      .getByText('Q3 2026 ended on Wednesday, 30 September 2026, and that day has rates.')
      .waitFor();
    await page.getByText('art. 369h(2) (Union scheme), art. 366(2) (non-Union scheme).').waitFor();
    await page.getByText('In force since 1 January 2015.').waitFor();
    const { rates } = JSON.parse((await service().get('/fx/2026-09-30')).text) as {
      rates: Record<string, number>;
    };
    await page.getByText(`1 EUR = ${rates['USD']} USD`, { exact: true }).waitFor();
    const rows = page.locator('tbody tr');
    await expect
      .poll(async () => rows.locator('.code').allTextContents())
      .toEqual(Object.keys(rates));
    await expect
      .poll(async () => rows.locator('td').allTextContents())
      .toEqual(Object.values(rates).map(String));
    expect(page.url()).toMatch(/#\/law$/);
  });

  it.each([
    ['IOSS return', 'October 2026', 'Monday, 2 November 2026', 'a day without rates'],
    ['Customs value', 'December 2026', 'Wednesday, 18 November 2026', 'penultimate Wednesday'],
  ])('shows the rates for a month: %s', async (law, month, day, why) => {
    const page = await open({ at: '#/law?for=oss' });
    await page.getByLabel('For', { exact: true }).selectOption(law);

    await page.getByLabel('Month').selectOption(month);

    await expect.poll(async () => titleOf(page).textContent()).toBe(`Rates of ${day}`);
    await expect.poll(async () => page.getByText(why).count()).toBe(1);
  });

  it('converts an amount with the lawful rate, and keeps it for the next question', async () => {
    const page = await open({ at: '#/law?for=oss' });
    const { rates } = JSON.parse((await service().get('/fx/2026-09-30')).text) as {
      rates: Record<string, number>;
    };
    const expected = (1_000 / (rates['GBP'] ?? 0)).toFixed(2);
    const result = page.locator('.law-result');

    await page.getByLabel('Amount').fill('1,000.00');
    await page.getByLabel('Currency').selectOption('GBP British Pound');

    await page.getByText(`1,000.00 GBP = ${grouped(expected)} EUR`).waitFor();
    expect(page.url()).toContain('amount=1,000.00&currency=GBP');
    await page.getByLabel('Amount').fill('1.000');
    await page.getByText('This amount cannot be read, or has two meanings.').waitFor();
    await expect.poll(async () => result.textContent()).toBe(`1 EUR = ${rates['GBP']} GBP`);
    await page.getByLabel('Amount').fill('1000');
    await page.getByLabel('For', { exact: true }).selectOption('IOSS return');
    await expect.poll(async () => result.textContent()).toMatch(/^1,000 GBP = /);
  });

  it('offers no period before the rates that are stored, and none in the future', async () => {
    const page = await open({ at: '#/law?for=oss' });
    const options = page.getByLabel('Quarter').locator('option');

    await expect.poll(async () => options.allTextContents()).toEqual(['Q3 2026']);
    await page.getByLabel('For', { exact: true }).selectOption('Customs value');
    await page.getByLabel('Month').waitFor();
    await expect
      .poll(async () => page.getByLabel('Month').locator('option').allTextContents())
      .toEqual(['December 2026', 'November 2026', 'October 2026']);
  });

  it('shows the rates for a tax point, and those of the Polish rule', async () => {
    const page = await open({ at: '#/law?for=vat&period=2026-11-19' });
    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Thursday, 19 November 2026');

    await page.getByRole('button', { name: 'Poland' }).click();

    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Wednesday, 18 November 2026');
    await expect
      .poll(async () => page.getByText('In Poland the newest rates before that day count.').count())
      .toBe(1);
    expect(page.url()).toContain('country=PL');
    await page.getByText('Issued earlier?').click();
    await page.getByLabel('Day of issue, if earlier').fill('2026-11-13');
    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Thursday, 12 November 2026');
    await page.getByText('before the day of issue count').waitFor();
    await page.getByLabel('Day of issue, if earlier').fill('');
    await page.getByLabel('Day of the tax point').fill('2026-11-15');
    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Friday, 13 November 2026');
  });

  it('sends no request for the years 2, 20 and 202 while 2026 is typed', async () => {
    const page = await open({ at: '#/law?for=vat&period=2026-11-19' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByLabel('Day of the tax point').focus();

    // Answers arrive while the year is typed.
    await page.route('**/fx/vat/**', (route) => void setTimeout(() => void route.continue(), 400));
    // The day before the month, or after it: both are 11.
    for (const digit of '11112026') {
      await page.keyboard.press(digit);
      await page.waitForTimeout(100);
    }

    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Wednesday, 11 November 2026');
    expect(await page.getByLabel('Day of the tax point').inputValue()).toBe('2026-11-11');
    expect(asked.filter((path) => path.startsWith('/fx/vat/0'))).toEqual([]);
  });

  it('shows the fixed rate of a former currency, and that the law is younger than the period', async () => {
    const long = await startService({ fxFrom: '2012-12-01', lived: ['2026-11-20T16:00:00Z'] });
    const page = await openOn(long, { at: '#/law?for=oss&period=2022-Q4' });
    const kuna = page.getByRole('row', { name: 'HRK' });
    await kuna.getByText('the euro since 1 January 2023').waitFor();
    await expect.poll(async () => kuna.locator('td').textContent()).toBe('7.5345');
    expect(await page.getByText('The law is younger').count()).toBe(0);

    await page.evaluate("location.hash = '#/law?for=vat&period=2012-12-31'");

    await page.getByText('The law is younger than this period').waitFor();
    await page.getByText('This law holds since 1 January 2013.').waitFor();
  });

  it('says that a rate is not certain yet, and when it can be', async () => {
    const page = await open({ at: '#/law?for=oss&period=2026-Q4' });

    await page.getByText('This rate is not certain yet').waitFor();
    await page.getByText('certain when the quarter has ended').waitFor();
    const { headers } = await service().get('/fx/oss/2026-Q4');
    // The service has its own clock; the browser has that of the machine.
    const earliest = Date.now() + Number(headers['retry-after']) * 1_000;
    const day = dateInWords(new Date(earliest).toISOString());
    await page.getByText(`The earliest time for that is ${day}, `).waitFor();
    expect(await page.getByRole('button', { name: 'Download CSV' }).count()).toBe(0);
  });
});
