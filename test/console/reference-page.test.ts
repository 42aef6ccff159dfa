import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { someOf } from '../support/proof.ts';
import { findViolations, overflowOf } from './support/accessibility.ts';
import { isWithoutBrowser, it, open, service, type Visit } from './support/browser.ts';

/** The browser's support fails a test whose page breaks its Content-Security-Policy, throws or loads another file. */
const openDocs = async (visit: Visit = {}): Promise<Page> =>
  open({ at: 'docs', isKeyless: true, ...visit });

const desktop = { width: 1_440, height: 900 };
const phone = { width: 390, height: 844 };
const appearances = [
  ['light', 'a desktop', desktop],
  ['dark', 'a phone', phone],
] as const;

describe.skipIf(isWithoutBrowser)('/docs for all visitors', () => {
  // Axe takes 10 s for this page.
  it.each(someOf(appearances, 1))(
    'has no finding of axe in the %s theme on %s',
    async (colorScheme, _what, viewport) => {
      const page = await openDocs({ colorScheme, viewport });

      expect(await findViolations(page, [])).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
    },
  );

  it('has no part on a phone that scrolls and cannot be reached with the keyboard', async () => {
    const page = await openDocs({ viewport: phone });

    const unreachable = await page.evaluate(`
      [...document.querySelectorAll('body *')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        .filter((one) => /auto|scroll/.test(getComputedStyle(one).overflow))
        .filter((one) => one.tabIndex < 0 && one.querySelector('a, button') === null)
        .map((one) => one.outerHTML.slice(0, 80))`);

    expect(unreachable).toEqual([]);
  });
});

describe.skipIf(isWithoutBrowser)('the contents of /docs', () => {
  it('fold by group with the keyboard, and open at the call of the address', async () => {
    const page = await openDocs({ at: 'docs#putWatch' });
    const links = page.locator('.group[open] a:visible');
    await expect
      .poll(async () => links.allTextContents())
      .toContain('PUT /vatwatches/{country}/{vat} Watch a number');

    await page.getByText('VAT checks', { exact: true }).first().press('Enter');
    await expect
      .poll(async () => links.allTextContents())
      .toContain('GET /vatcheck/{country}/{vat} Check a VAT number');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');

    await expect.poll(() => page.url()).toContain('#checkVatNumber');
  });

  it('stand beside the text, which has requests and answers beside it if there is room', async () => {
    const placesAt = async (width: number) => {
      const page = await openDocs({ viewport: { width, height: 900 } });
      const boxOf = async (selector: string) =>
        page.locator(`#getRates ${selector}`).first().boundingBox();
      const [sample, words] = [await boxOf('.beside'), await boxOf('> p')];
      return sample !== null && words !== null && sample.x > words.x + words.width;
    };

    expect([await placesAt(1_280), await placesAt(390)]).toEqual([true, false]);
  });
});

describe.skipIf(isWithoutBrowser)('the samples of /docs', () => {
  it('are in the chosen language, also after a reload and with the keyboard', async () => {
    const page = await openDocs();
    const shown = async (): Promise<readonly (string | null)[]> => [
      ...new Set(
        await page
          .locator('article .code[data-in]:visible')
          .evaluateAll((all) =>
            all.map((one: { getAttribute(name: string): string | null }) =>
              one.getAttribute('data-in'),
            ),
          ),
      ),
    ];
    expect(await shown()).toEqual(['curl']);

    await page.getByLabel('TypeScript').check();
    expect(await shown()).toEqual(['typescript']);
    await page.keyboard.press('ArrowRight');
    expect(await shown()).toEqual(['python']);
    await page.reload();

    expect(await shown()).toEqual(['python']);
  });

  it('are copied by their buttons, with the address of this service', async () => {
    const page = await openDocs();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (): Promise<string> =>
      page.evaluate<string>('navigator.clipboard.readText()');

    await page.getByRole('button', { name: 'Copy: First call' }).first().click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await copied()).toBe(`export URL=${service().apiUrl}\nexport KEY=vfx_…`);

    await page.getByLabel('PHP').check();
    await page
      .getByRole('button', { name: 'Copy: The euro reference rates of a date' })
      .first()
      .click();
    await expect.poll(copied).toContain("getenv('URL') . '/fx/2026-11-20'");
  });
});

describe.skipIf(isWithoutBrowser)('the search of /docs', () => {
  it('shows only parts with every word, and all parts again when it is empty', async () => {
    const page = await openDocs();
    const headings = async (): Promise<readonly string[]> =>
      page.locator('main h2:visible, main h3:visible').allTextContents();
    const all = await headings();
    const box = page.getByRole('searchbox');

    await box.fill('signing overlap');
    expect(await headings()).toEqual(['Webhooks', 'Rotate the signing secret']);
    await box.fill('xyzzy');
    expect(await headings()).toEqual([]);
    await page.getByText('Nothing contains all these words.').waitFor();
    await box.fill('');

    expect(await headings()).toEqual(all);
  });
});
