import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';

const rowsOf = (page: Page) => page.locator('.check');

async function watch(page: Page, number: string): Promise<void> {
  await page.getByLabel('VAT number', { exact: true }).fill(number);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
}

describe.skipIf(isWithoutBrowser)('the watches in the console (rules K13 and K19)', () => {
  it('adds a watch, shows its latest answer and its check and the next one, and removes it', async () => {
    const service = await startService();
    service.startJobs();
    const page = await openOn(service, { at: '#/check' });
    await page.getByRole('link', { name: 'Watches' }).click();
    await page.getByText('No number is watched').waitFor();
    await page.getByLabel('Check it').selectOption('every 30 days');
    await page.getByText('Consultation number and customer data').click();
    await page.getByLabel('Your reference').fill('supplier 7');
    await watch(page, 'AT U99999901');

    const row = rowsOf(page);
    await row.getByText('Valid', { exact: true }).waitFor({ timeout: 30_000 });
    const text = await row.textContent();
    expect(text).toContain('AT U99999901');
    expect(text).toContain('Erfundene Backwaren GmbH, checked 20 Nov 2026, 16:00 UTC');
    expect(text).toMatch(/supplier 7 · every 30 days, next check \d+ \w+ 202[67]/);
    expect(page.url()).toMatch(/#\/watches$/);

    await page.getByRole('link', { name: 'Latest check' }).click();
    await page.locator('.verdict').getByText('AT U99999901 (Austria)').waitFor();
    expect(page.url()).toMatch(/#\/check\?id=vc_[0-9a-f]{32}$/);
    await page.goBack();
    await page.reload();
    await row.waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No number is watched').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Watches');
    expect(JSON.parse((await service.get('/vatwatches')).text)).toMatchObject({ watches: [] });
  });

  it('says that a check waits if the quota is used up', async () => {
    // A run of a job confirms the clock; until then no watch is due (contract C17a).
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    service.startJobs();
    const { key } = await addCaller(service, { quota: 1 });
    const page = await openOn(service, { at: '#/watches', isKeyless: true });
    await page.getByLabel('API key').fill(key);
    // The console requests the status, which is charged.
    await page.keyboard.press('Enter');
    await page.getByText('No number is watched').waitFor();

    await watch(page, 'AT U99999901');

    await rowsOf(page).getByText('the next check waits until there is some').waitFor();
    await rowsOf(page).getByText('Not checked yet').waitFor();
    expect(await page.getByRole('link', { name: 'Latest check' }).count()).toBe(0);
  });
});
