import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';

/** The picture in the README is small: every visitor of the repository loads it. */
const bytesMax = 150 * 1024;

it.skipIf(isWithoutBrowser)(
  'a picture of the console for the README is small; `npm run screenshot` writes it',
  async () => {
    const service = await startService({ lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });
    const page = await openOn(service, { viewport: { width: 1_200, height: 785 } });
    await page.getByText('Friday, 20 November 2026').waitFor();
    await page.locator('.key-usage summary', { hasText: 'test' }).waitFor();

    const picture = await page.screenshot({ animations: 'disabled' });

    expect(picture.length).toBeLessThan(bytesMax);
    const file = process.env['SCREENSHOT'];
    if (file !== undefined) writeFileSync(file, picture);
  },
);
