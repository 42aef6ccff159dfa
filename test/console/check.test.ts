import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, useBrowser } from './support/browser.ts';
import { shareLivedService } from './support/lived-service.ts';
import { registerTraders, setViesFault } from '../support/sandbox/scripts.ts';

const service = shareLivedService();
const open = useBrowser();

/** The sentence in the text of each outcome without an answer of the registry. */
const noAnswer = 'This says nothing about the number';

describe.skipIf(isWithoutBrowser)('a VAT check in the console', () => {
  it('shows a registered trader', async () => {
    const page = await open(service(), { at: '#/check?country=GR' });
    await page.getByLabel('VAT number').fill('EL 999 999 901');
    await page.keyboard.press('Enter');

    await page.getByText('Valid', { exact: true }).waitFor();
    const verdict = await page.locator('.verdict').textContent();
    expect(verdict).toContain('GR 999999901');
    expect(verdict).toContain('ΦΑΝΤΑΣΤΙΚΗ ΕΜΠΟΡΙΚΗ ΑΕ');
    expect(verdict).toContain('20 November 2026 (time zone UTC+1)');
  });

  it.each([
    ['ATU99999901', 'DE', 'AT U99999901', 'Country changed to Austria: the number begins with AT.'],
    [
      'EL 999 999 901',
      'IT',
      'GR 999999901',
      'Country changed to Greece: the number begins with EL.',
    ],
  ])(
    'changes the country for the number %s if %s is selected, and says why (rule K2)',
    async (text, country, number, hint) => {
      const page = await open(service(), { at: `#/check?country=${country}` });
      await page.getByLabel('VAT number').fill(text);
      await page.keyboard.press('Enter');

      await page.getByText('Valid', { exact: true }).waitFor();
      expect(await page.locator('.verdict').textContent()).toContain(number);
      expect(await page.locator('#check-hint').textContent()).toContain(hint);
      expect(await page.getByLabel('Country').inputValue()).toBe(number.slice(0, 2));
    },
  );

  it('changes the country as soon as a number is pasted', async () => {
    const page = await open(service(), { at: '#/check?country=DE' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.evaluate("navigator.clipboard.writeText('ATU99999901')");
    await page.getByLabel('VAT number').focus();
    await page.keyboard.press('Control+V');

    await page.getByText('Country changed to Austria').waitFor();
    expect(page.url()).toContain('#/check?country=AT');
  });

  it('keeps France for a French number that begins with DE', async () => {
    registerTraders(service().scenario, {
      country: 'FR',
      number: 'DE999999901',
      name: 'SARL DE',
      address: '---',
    });
    const page = await open(service(), { at: '#/check?country=FR' });
    await page.getByLabel('VAT number').fill('DE999999901');
    await page.keyboard.press('Enter');

    await page.getByText('SARL DE').waitFor();
    expect(await page.getByLabel('Country').inputValue()).toBe('FR');
  });

  it.each([
    ['200', 'Not registered'],
    ['201', 'Not a possible VAT number'],
    ['300', 'VIES does not answer'],
    ['301', 'The registry of Germany does not answer'],
    ['302', 'The registry took too long'],
    ['401', 'The registry could not be queried'],
  ])('explains the test number %s: %s', async (number, title) => {
    const page = await open(service(), { at: '#/check?country=DE' });
    await page.getByLabel('VAT number').fill(number);
    await page.getByRole('button', { name: 'Check', exact: true }).click();

    await page.getByText(title, { exact: true }).waitFor();
    const verdict = await page.locator('.verdict').textContent();
    expect(verdict?.includes(noAnswer)).toBe(!['200', '201'].includes(number));
    expect(verdict).not.toContain('Valid');
    expect(verdict?.includes('Not registered')).toBe(number === '200');
  });

  it('says that name and address are withheld, if the Member State does not disclose them', async () => {
    registerTraders(service().scenario, {
      country: 'DE',
      number: '123456789',
      name: '---',
      address: '---',
    });
    const page = await open(service(), { at: '#/check?country=DE' });
    await page.getByLabel('VAT number').fill('DE123456789');
    await page.keyboard.press('Enter');

    await page.getByText('Valid', { exact: true }).waitFor();
    expect(await page.getByText('withheld: this Member State').count()).toBe(2);
  });

  it('does not show an unusable answer of the registry as an answer about the number', async () => {
    const broken = await startService({ script: (scenario) => setViesFault(scenario, 'html') });
    const page = await open(broken, { at: '#/check' });
    await page.getByLabel('VAT number').fill('100');
    await page.keyboard.press('Enter');

    await page.getByText(noAnswer).waitFor();
    expect(await page.locator('.notice-bad, .notice-good').count()).toBe(0);
  });

  it('does not show an offline browser as an answer about the number, and can check again', async () => {
    const page = await open(service(), { at: '#/check' });
    await page.getByLabel('VAT number').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('VAT number').fill('100');
    await page.keyboard.press('Enter');
    await page.getByText('You are offline').waitFor();
    expect(await page.locator('.verdict').textContent()).toContain(noAnswer);

    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
  });

  it('removes the verdict when the visitor types another number or selects another country', async () => {
    const page = await open(service(), { at: '#/check?country=DE' });
    const verdict = page.locator('.verdict');
    await page.getByLabel('VAT number').fill('100');
    await page.keyboard.press('Enter');
    await page.getByText('Valid', { exact: true }).waitFor();

    await page.getByLabel('VAT number').press('1');
    await expect.poll(async () => verdict.count()).toBe(0);

    await page.getByLabel('VAT number').fill('200');
    await page.keyboard.press('Enter');
    await page.getByText('Not registered', { exact: true }).waitFor();
    await page.getByLabel('Country').selectOption('FR');
    await expect.poll(async () => verdict.count()).toBe(0);
  });

  it('does not show the answer of a check whose number was edited meanwhile', async () => {
    const page = await open(service(), { at: '#/check?country=DE' });
    const held: (() => void)[] = [];
    await page.route('**/vatcheck/DE/100', async (route) => {
      await new Promise<void>((resolve) => void held.push(resolve));
      await route.continue().catch(() => {});
    });
    await page.getByLabel('VAT number').fill('100');
    await page.keyboard.press('Enter');
    await page.getByText('Waiting for the registry of Germany').waitFor();

    await page.getByLabel('VAT number').fill('200');
    for (const release of held) release();
    await page.keyboard.press('Enter');

    await page.getByText('Not registered', { exact: true }).waitFor();
    expect(await page.locator('.verdict').textContent()).toContain('DE 200');
  });

  it('does not put the number into the address of the page', async () => {
    const page = await open(service(), { at: '#/check?country=FR' });
    await page.getByLabel('VAT number').fill('100');
    await page.keyboard.press('Enter');
    await page.getByText('Valid', { exact: true }).waitFor();

    expect(page.url()).toBe(`${service().apiUrl}/#/check?country=FR`);
  });

  it('requires a number', async () => {
    const page = await open(service(), { at: '#/check' });
    await page.getByRole('button', { name: 'Check', exact: true }).click();

    await expect.poll(async () => page.getByText('Enter a VAT number.').count()).toBe(1);
  });
});
