import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';

describe.skipIf(isWithoutBrowser)('the change log in the console', () => {
  it('shows a timeline, newest first, with each change in words', async () => {
    const page = await open({ at: '#/changes' });

    await page.getByText(/^2 changes of national rates\. \d+ changes? of goods/).waitFor();
    await expect
      .poll(async () => page.locator('.timeline h2 time').allTextContents())
      .toEqual(['20 November 2026', '19 November 2026']);
    const [ireland, hungary] = await page.locator('.change:not(.goods-change)').allTextContents();
    expect(ireland).toBe('IE IrelandSecond reduced ratelowered13.5 % →  to 12.5 %');
    expect(hungary).toBe('HU HungaryStandard ratelowered27 % →  to 25 %');
  });

  it('filters by country and date, and has the filter in the address', async () => {
    const page = await open({ at: '#/changes' });
    await page.getByLabel('Country').selectOption('Hungary');

    await page.getByText('1 change of national rates.').waitFor();
    expect(page.url()).toContain('#/changes?country=HU');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('2 changes of national rates.').waitFor();
    await page.getByLabel('Since').fill('2026-11-20');
    await page.getByText('1 change of national rates.').waitFor();
    await expect
      .poll(async () => page.locator('.change-country').first().textContent())
      .toBe('IE Ireland');
  });

  it('shows what changed for goods and services, and leads to the category', async () => {
    const page = await open({ at: '#/changes?of=goods&country=IE' });

    await page
      .getByText(/^\d+ changes? of goods and services since 18 November 2026 \(3/)
      .waitFor();
    await expect
      .poll(async () => page.locator('.timeline time').allTextContents())
      .toEqual(['20 November 2026']);
    const lines = page.locator('.goods-change li');
    await expect
      .poll(async () => lines.allTextContents())
      .toContainEqual(expect.stringMatching(/: now 12\.5 %, was 13\.5 %$/));
    const category = lines.first().getByRole('link');
    const name = await category.textContent();
    await category.click();
    await page
      .getByText(name ?? '')
      .first()
      .waitFor();
    expect(page.url()).toMatch(/#\/goods\?country=IE&q=[A-Z_]+&date=2026-11-20$/);
  });

  it('compares the goods of the newest 31 days, and of earlier ones on request', async () => {
    const page = await open({ at: '#/changes?of=goods' });
    const days = Array.from({ length: 40 }, (_, at) =>
      new Date(Date.UTC(2026, 9, 1 + at)).toISOString().slice(0, 10),
    );
    await page.route('**/rates/dates', async (route) =>
      route.fulfill({ json: { dates: days, count: 40, categoriesFrom: days[1] } }),
    );
    // The service has none of these days: a day without goods is passed over.
    await page.reload();

    await page.getByText('0 changes of goods and services since 10 October 2026 (31').waitFor();
    await page.getByRole('button', { name: 'Compare goods of earlier days' }).click();
    await page.getByText('0 changes of goods and services since 2 October 2026 (39').waitFor();
    expect(await page.getByRole('button', { name: 'Compare goods' }).count()).toBe(0);
  });
});
