import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';

describe.skipIf(isWithoutBrowser)('the console on narrow screens', () => {
  it.each([
    [320, '#/rates'],
    [320, '#/rates?with=2026-11-18'],
    [390, '#/rates'],
    [768, '#/rates?with=2026-11-18'],
    [1_200, '#/rates'],
  ])('shows all rates of a country inside its frame at %i pixels in %s', async (width, at) => {
    const page = await open({ at, viewport: { width, height: 700 } });
    await page.getByRole('table').waitFor();
    if (at.includes('with')) await page.locator('.differences').waitFor();

    const [table, frame] = await page.evaluate<readonly [number, number]>(
      `['.rates', '.rates-frame'].map((name) => document.querySelector(name).getBoundingClientRect().width)`,
    );
    expect(table).toBeLessThanOrEqual(frame);
    const austria = page.getByRole('row', { name: 'Austria' });
    for (const text of ['20', '10 · 13', '4.9', '–']) {
      await expect
        .poll(async () => austria.getByText(text, { exact: true }).first().isVisible())
        .toBe(true);
    }
  });
});
