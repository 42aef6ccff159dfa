import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';
import { countPages } from './support/paper.ts';

/** Each view, an element that is visible when it is complete, and one that is on paper as well. */
const views = [
  ['#/rates', 'table', '.rates'],
  ['#/changes', '.timeline', '.change-values'],
  ['#/country?country=HU', '.timeline', '.step-line'],
  ['#/fx?currencies=USD,GBP', '.chart canvas', '.quote'],
  ['#/law?for=oss', '.law-rates', 'tbody td'],
  ['#/status', '.registries', '.card'],
] as const;

const textColour = 'getComputedStyle(document.body).color';
const darkText = 'rgb(23, 32, 43)';

/** The texts of the links and buttons of the page's frame, and of buttons in the view, that are on paper. */
async function findControls(page: Page): Promise<readonly string[]> {
  const controls = page.locator(
    '.top nav a, .top-tools, .skip, .api-call, button:not(.sort, .quote)',
  );
  const visible = await controls.filter({ visible: true }).allTextContents();
  return visible.map((text) => text.trim());
}

describe.skipIf(isWithoutBrowser)('the console on paper', () => {
  it.each(views)('prints %s on one page, without controls', async (at, shown, content) => {
    const page = await open({ at });
    await page.locator(shown).first().waitFor();

    expect(await countPages(page)).toBe(1);
    await page.emulateMedia({ media: 'print' });
    expect(await findControls(page)).toEqual([]);
    await expect.poll(async () => page.locator(content).first().isVisible()).toBe(true);
  });

  it('is light if the visitor chose the dark theme', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    await page.getByRole('table').waitFor();

    await page.emulateMedia({ media: 'print' });

    expect(await page.evaluate(textColour)).toBe(darkText);
  });
});
