import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';

describe.skipIf(isWithoutBrowser)('the change log in the console', () => {
  it('shows a timeline, newest first, with each change in words', async () => {
    const page = await open({ at: '#/changes' });

    await page.getByText('2 changes on 2 days.').waitFor();
    expect(await page.locator('.timeline h2 time').allTextContents()).toEqual([
      '20 November 2026',
      '19 November 2026',
    ]);
    const [ireland, hungary] = await page.locator('.change').allTextContents();
    expect(ireland).toBe('IE IrelandSecond reduced ratelowered13.5 % →  to 12.5 %');
    expect(hungary).toBe('HU HungaryStandard ratelowered27 % →  to 25 %');
  });

  it('filters by country and date, and has the filter in the address', async () => {
    const page = await open({ at: '#/changes' });
    await page.getByLabel('Country').selectOption('Hungary');

    await page.getByText('1 change on 1 day.').waitFor();
    expect(page.url()).toContain('#/changes?country=HU');
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('2 changes on 2 days.').waitFor();
    await page.getByLabel('Since').fill('2026-11-20');
    await page.getByText('1 change on 1 day.').waitFor();
    expect(await page.locator('.change-country').textContent()).toBe('IE Ireland');
  });
});
