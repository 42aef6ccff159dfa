import { describe, expect } from 'vitest';
import type { ServiceStatus } from '../../web/src/wire.ts';
import { findFaults, findViolations, overflowOf } from './support/accessibility.ts';
import { someOf } from '../support/proof.ts';
import { isWithoutBrowser, it, open, service } from './support/browser.ts';

/** Each view, with an element that is visible when the view is complete. */
const views = [
  ['#/rates', 'table'],
  ['#/rates?with=2026-11-18', '.differences'],
  ['#/changes', '.timeline'],
  ['#/country', '.country-list'],
  ['#/country?country=ES&postcode=35001', '.timeline'],
  ['#/goods', '.choices'],
  ['#/goods?country=BE&q=books&with=2026-11-18&territories=include', '.goods-row'],
  ['#/goods?q=4902', '.verdict-line'],
  ['#/goods?country=ES&q=5805', '.goods-errata'],
  ['#/goods?country=ES&postcode=35001', '.territory'],
  ['#/fx?currencies=USD,GBP', '.chart canvas'],
  ['#/law?for=oss', '.law-rates'],
  ['#/check', '#check-numbers'],
  ['#/checks', '.controls'],
  ['#/watches', '.controls, form'],
  ['#/status', '.registries'],
] as const;

const phone = { width: 320, height: 740 };

describe.skipIf(isWithoutBrowser)('the console for all visitors', () => {
  // A commit looks at half of them.
  it.each(someOf(views, 8))(
    'fits each width in %s and has no accessibility violation that axe finds',
    async (at, shown) => {
      const page = await open({ at });
      await page.locator(shown).first().waitFor();

      expect(await findFaults(page)).toEqual([]);
    },
  );

  it('has no accessibility violation in its notes and its open popover on a phone', async () => {
    const page = await open({ at: '#/changes', viewport: phone, colorScheme: 'dark' });
    await page.locator('.timeline').waitFor();
    await page.route('**/status', async (route) => {
      const response = await route.fetch();
      const { dataSets, ...status } = (await response.json()) as ServiceStatus;
      const rates = { ...dataSets.rates, publicationsMissed: 1, heldCount: 1 };
      const json = { ...status, demo: true, dataSets: { ...dataSets, rates } };
      await route.fulfill({ response, json });
    });
    await page.getByRole('link', { name: 'Rates', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByText('Demo: do not use this data.').waitFor();
    await page.locator('summary', { hasText: 'test' }).click();
    await page.locator('.popover').waitFor();

    expect([await findViolations(page), await overflowOf(page)]).toEqual([[], 0]);
  });

  it('has no accessibility violation in the form for the key, while it shows a problem', async () => {
    const page = await open({ isKeyless: true });
    await page.getByRole('button', { name: 'Open the console' }).click();
    await page.getByRole('alert').waitFor();

    expect(await findViolations(page)).toEqual([]);
  });

  it('has the theme of the system, or another one that the visitor chose, also after a reload', async () => {
    const page = await open({ colorScheme: 'dark' });
    await page.getByRole('table').waitFor();
    const ground = 'getComputedStyle(document.body).backgroundColor';
    const dark = await page.evaluate<string>(ground);

    await page.getByRole('button', { name: 'Switch to the light theme' }).click();
    const light = await page.evaluate<string>(ground);
    await page.reload();
    await page.getByRole('table').waitFor();

    expect(light).not.toBe(dark);
    expect(await page.evaluate(ground)).toBe(light);
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    expect(await page.evaluate(ground)).toBe(dark);
  });
});

describe.skipIf(isWithoutBrowser)('the console with the keyboard only', () => {
  it('can be used from the form for the key to a sorted table and a VAT check', async () => {
    const page = await open({ isKeyless: true });
    const { keyboard } = page;
    /** Presses Tab until the element with this name has the focus. */
    const tabTo = async (name: string): Promise<void> => {
      for (let steps = 0; steps < 40; steps += 1) {
        await keyboard.press('Tab');
        const focused = await page.evaluate<string>(
          '(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()',
        );
        if (focused.startsWith(name)) return;
      }
      throw new Error(`the keyboard does not reach ${name}`);
    };

    // The field has the focus from the start, which is after the page has loaded: Preact shows the form later.
    await page.waitForFunction('document.activeElement.labels?.length > 0');
    await keyboard.insertText(service().key);
    await keyboard.press('Enter');
    await page.getByRole('table').waitFor();
    await tabTo('Standard');
    await keyboard.press('Enter');
    await expect
      .poll(async () => page.locator('th[aria-sort="ascending"]').textContent())
      .toContain('Standard');

    await page.reload();
    await page.getByRole('table').waitFor();
    await keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('VAT rates');
    // The part of the address after # is the route, so the link must not change it.
    expect(page.url()).toContain('#/rates?sort=standard');

    await page.getByRole('link', { name: 'VAT numbers' }).focus();
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check VAT numbers' }).waitFor();
    await tabTo('VAT numbers');
    await keyboard.insertText('DE100');
    await keyboard.press('Control+Enter');
    await page.getByText('Valid', { exact: true }).waitFor();
  });
});
