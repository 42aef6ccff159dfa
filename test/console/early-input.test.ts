import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { isWithoutBrowser, it, open } from './support/browser.ts';

/** A script that runs another one when an element appears, before the browser paints it. */
const runWith = (selector: string, script: string): string => `
  new MutationObserver((_, observer) => {
    if (document.querySelector('${selector}') === null) return;
    observer.disconnect();
    ${script};
  }).observe(document, { childList: true, subtree: true });`;

/** Waits until the page has been painted, and its effects have run. */
const painted = async (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))');

describe.skipIf(isWithoutBrowser)('the console, before it is painted for the first time', () => {
  it('follows a change of the address', async () => {
    const page = await open({ at: '#/rates' });
    await page.addInitScript(runWith('h1', 'location.hash = "#/changes"'));

    await page.reload();

    await expect.poll(() => page.locator('h1').textContent()).toBe('Changes');
  });

  it('leaves the focus in a field that the visitor has entered', async () => {
    const page = await open({ at: '#/rates' });
    await page.getByRole('table').waitFor();
    await page.evaluate(runWith('input', 'document.querySelector("input").focus()'));

    await page.getByRole('link', { name: 'VAT numbers' }).click();
    await page.getByRole('heading', { name: 'Check VAT numbers' }).waitFor();
    await painted(page);

    expect(await page.evaluate('document.activeElement.localName')).toBe('input');
  });
});
