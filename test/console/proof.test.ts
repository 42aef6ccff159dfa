import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { runCommand } from '../support/run-cli.ts';
import { setMemberState } from '../support/sandbox/scripts.ts';
import { startService } from '../support/start-service.ts';
import { temporaryFolder } from '../support/temporary-database.ts';
import { isWithoutBrowser, it, open, openOn, service } from './support/browser.ts';
import { storeBatch, submit } from './support/check-view.ts';
import { countPages } from './support/paper.ts';

/** Opens a check with everything that a check can have. */
async function openFullCheck(): Promise<Page> {
  const page = await open({ at: '#/check' });
  await page.getByText('Consultation number and customer data').click();
  const long = (text: string) => text.padEnd(200, ` ${text}`);
  await page.getByLabel('Your VAT number').fill('NL854265259B01');
  await page.getByLabel('Name of the customer').fill(long('Erfundene Backwaren GmbH'));
  await page.getByLabel('Street').fill(long('Erfindergasse 1'));
  await page.getByLabel('Postcode').fill('1010');
  await page.getByLabel('City').fill(long('Wien'));
  await page.getByLabel('Your reference').fill('r'.repeat(100));
  await submit(page, 'ATU99999901');
  await page.getByText('Fingerprint of the key').waitFor();
  return page;
}

describe.skipIf(isWithoutBrowser)('the proof of a check in the console (rule K17)', () => {
  it('saves evidence that “vatfx evidence verify” accepts', async () => {
    const page = await openFullCheck();
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the evidence' }).click();
    const download = await downloads;
    const file = join(temporaryFolder(), download.suggestedFilename());
    copyFileSync(await download.path(), file);

    const keys = join(temporaryFolder(), 'keys.json');
    const shownKeys = await page
      .locator('.evidence code')
      .filter({ hasText: '/evidence/keys' })
      .textContent();
    writeFileSync(keys, await (await fetch(String(shownKeys))).text());

    const { code, stdout } = await runCommand(['evidence', 'verify', file, '--keys', keys]);

    expect(code).toBe(0);
    const evidence = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    const shown = await page.locator('.evidence').textContent();
    for (const name of ['id', 'requestSha256', 'responseSha256', 'keyId', 'endpoint']) {
      expect(shown).toContain(evidence[name]);
    }
    expect(stdout).toContain(evidence['keyId']);
    const command = `vatfx evidence verify ${download.suggestedFilename()} --keys keys.json`;
    await page.getByText(command).waitFor();
  });

  it('prints everything on one page, without controls', async () => {
    const page = await openFullCheck();

    await page.evaluate('window.print = () => { window.isPrinted = true; }');
    await page.getByRole('button', { name: 'Print the proof' }).click();
    expect(await page.evaluate('window.isPrinted')).toBe(true);
    expect(await countPages(page)).toBe(1);
    await page.emulateMedia({ media: 'print' });
    const shown = page.locator('.proof');
    for (const text of [
      'Proof of the check of AT U99999901',
      'On 20 November 2026, 17:00:00 (Brussels), NL 854265259B01 asked VIES about AT U99999901: ',
      'AT U99999901 (Austria)',
      'NL 854265259B01',
      'Customer: city',
      'Consultation number',
      '20 November 2026 (time zone UTC+1)',
      '20 November 2026, 17:00:00 (Brussels); in the file 2026-11-20T16:00:00.000Z',
      /^Printed on \d+ \w+ 20\d\d, .* \(Brussels\)\.$/,
      'does not in itself give a right to exempt intra-Community supplies from Value Added Tax',
      'SHA-256 of the query',
      'SHA-256 of the answer',
      'Fingerprint of the key',
      'vatfx evidence verify',
    ]) {
      await expect.poll(async () => shown.getByText(text).first().isVisible()).toBe(true);
    }
    expect(await page.locator('button, textarea, .back').filter({ visible: true }).count()).toBe(0);
  });

  it('has no evidence of a check that is pending, and of a number that was never queried', async () => {
    const own = await startService();
    setMemberState(own.scenario, 'DE', 'down');
    const page = await openOn(own, { at: '#/check' });
    await submit(page, 'DE999999901');
    await page.getByText('Germany’s registry is unavailable').waitFor();
    expect(await page.locator('.evidence').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Print the proof' }).count()).toBe(0);

    await storeBatch(own, [{ countryCode: 'GB', vatNumber: '123456' }]);
    await page.goto(`${own.apiUrl}/#/checks`);
    await page.getByRole('link', { name: 'GB 123456' }).click();
    await page.getByText('There is no evidence, because the registry was not queried.').waitFor();
    await expect.poll(async () => page.locator('.verdict').textContent()).toContain('Not in VIES');
  });

  it('deletes a check with its evidence after a confirmation', async () => {
    const page = await open({ at: '#/check' });
    await submit(page, 'ATU99999901');
    await page.getByText('Fingerprint of the key').waitFor();
    const id = /id=(vc_\w+)/.exec(page.url())?.[1] ?? '';

    await page.getByRole('button', { name: 'Delete the check' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Delete the check' }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect((await service().get(`/vatchecks/${id}`)).status).toBe(200);

    await page.getByRole('button', { name: 'Delete the check' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();

    await page.getByLabel('VAT numbers', { exact: true }).waitFor();
    const paths = [`/vatchecks/${id}`, `/vatchecks/${id}/evidence`];
    const statuses = await Promise.all(
      paths.map(async (path) => (await service().get(path)).status),
    );
    expect(statuses).toEqual([404, 404]);
    expect(page.url()).toMatch(/#\/check$/);
  });
});
