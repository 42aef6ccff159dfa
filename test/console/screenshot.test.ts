import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { shareService } from '../support/start-service.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';
import { submit } from './support/check-view.ts';

/** A picture in the README is small: every visitor of the repository loads it. */
const bytesMax = 150 * 1024;

const service = shareService({ lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });

/** The name of each picture, its address, and what the visitor does there. */
const pictures: readonly [string, string, (page: Page) => Promise<void>][] = [
  ['console', '#/rates', async (page) => page.getByText('Friday, 20 November 2026').waitFor()],
  [
    'goods',
    '#/goods?country=DE&q=hotel',
    async (page) => page.locator('.goods-row').first().waitFor(),
  ],
  [
    'proof',
    '#/check',
    async (page) => {
      await page.getByText('Consultation number and customer data').click();
      await page.getByLabel('Your VAT number').fill('NL854265259B01');
      await submit(page, 'ATU99999901');
      await page.getByText('Fingerprint of the key').waitFor();
      await page.locator('.verdict').evaluate((verdict) => verdict.scrollIntoView());
    },
  ],
  [
    'law',
    '#/law?for=oss&period=2026-Q3',
    async (page) => {
      await page.getByLabel('Amount').fill('1000');
      await page.keyboard.press('Enter');
      await page.locator('.law-result').waitFor();
    },
  ],
];

describe.skipIf(isWithoutBrowser)(
  'the pictures of the README, which `npm run screenshot` writes',
  () => {
    it.each(pictures)('%s.png is small', async (name, at, prepare) => {
      const page = await openOn(service(), { at, viewport: { width: 1_200, height: 785 } });
      await page.locator('.key-usage summary', { hasText: 'test' }).waitFor();
      await prepare(page);

      const picture = await page.screenshot({ animations: 'disabled' });

      expect(picture.length).toBeLessThan(bytesMax);
      const folder = process.env['SCREENSHOTS'];
      if (folder !== undefined) writeFileSync(join(folder, `${name}.png`), picture);
    });
  },
);
