import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';

const narrow = { width: 320, height: 640 };

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
      expect(await austria.getByText(text, { exact: true }).first().isVisible()).toBe(true);
    }
  });

  it('shows on a phone below its name the currency of a country without the euro', async () => {
    const page = await open({ viewport: narrow });
    const sweden = page.getByRole('rowheader', { name: 'Sweden' });
    await sweden.waitFor();

    expect(await sweden.getByText('SEK').isVisible()).toBe(true);
  });

  it.each([320, 1_280])('keeps the head of the table in the window at %i pixels', async (width) => {
    const page = await open({ viewport: { width, height: 500 } });
    await page.getByRole('table').waitFor();

    await page.getByRole('link', { name: 'Slovakia' }).scrollIntoViewIfNeeded();

    const top = 'document.querySelector(".rates thead th").getBoundingClientRect().top';
    expect(await page.evaluate('scrollY')).toBeGreaterThan(200);
    expect(await page.evaluate(top)).toBe(0);
  });
});
