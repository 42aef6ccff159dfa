import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, useBrowser } from './support/browser.ts';
import { shareLivedService } from './support/lived-service.ts';

const service = shareLivedService();
const open = useBrowser();

/** What is said about every end that is no answer of the registry. */
const noAnswer = 'This says nothing about the number';

describe.skipIf(isWithoutBrowser)('a VAT check in the console', () => {
  it('shows a trader that is on file', async () => {
    const page = await open(service(), { at: '#/check?country=GR' });
    await page.getByLabel('VAT number').fill('EL 999 999 901');
    await page.keyboard.press('Enter');

    await page.getByText('Valid', { exact: true }).waitFor();
    const said = await page.locator('.verdict').textContent();
    expect(said).toContain('GR 999999901');
    expect(said).toContain('ΦΑΝΤΑΣΤΙΚΗ ΕΜΠΟΡΙΚΗ ΑΕ');
    expect(said).toContain('2026-11-20+01:00');
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
    'changes the country for %s with %s selected, and says so (rule K2)',
    async (text, country, number, told) => {
      const page = await open(service(), { at: `#/check?country=${country}` });
      await page.getByLabel('VAT number').fill(text);
      await page.keyboard.press('Enter');

      await page.getByText('Valid', { exact: true }).waitFor();
      expect(await page.locator('.verdict').textContent()).toContain(number);
      expect(await page.locator('#check-hint').textContent()).toContain(told);
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

  it('stays with France for a number that is a French one as it is written', async () => {
    service().scenario.registerTraders({
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
    ['200', 'Not on file'],
    ['201', 'That cannot be a VAT number'],
    ['300', 'The European registry service does not answer'],
    ['301', 'The registry of Germany does not answer'],
    ['302', 'The registry took too long'],
    ['401', 'The registry could not be asked'],
  ])('explains the test number %s: %s', async (number, title) => {
    const page = await open(service(), { at: '#/check?country=DE' });
    await page.getByLabel('VAT number').fill(number);
    await page.getByRole('button', { name: 'Check', exact: true }).click();

    await page.getByText(title).waitFor();
    const said = await page.locator('.verdict').textContent();
    expect(said?.includes(noAnswer)).toBe(!['200', '201'].includes(number));
    expect(said).not.toContain('Valid');
    expect(said?.includes('Not on file')).toBe(number === '200');
  });

  it('says that name and address are withheld, and not that there are none', async () => {
    service().scenario.registerTraders({
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

  it('never tells an outage of the registry as not on file', async () => {
    const broken = await startService({ script: (scenario) => scenario.setViesFault('html') });
    const page = await open(broken, { at: '#/check' });
    await page.getByLabel('VAT number').fill('100');
    await page.keyboard.press('Enter');

    await page.getByText(noAnswer).waitFor();
    expect(await page.locator('.notice-bad, .notice-good').count()).toBe(0);
  });

  it('never tells a service that is away as not on file, and asks again on request', async () => {
    const own = await startService();
    const page = await open(own, { at: '#/check' });
    await page.getByLabel('VAT number').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('VAT number').fill('100');
    await page.keyboard.press('Enter');
    await page.getByText('You are offline').waitFor();
    expect(await page.locator('.verdict').textContent()).toContain(noAnswer);

    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByText('Valid', { exact: true }).waitFor();
  });

  it('never puts the number into the address of the page', async () => {
    const page = await open(service(), { at: '#/check?country=FR' });
    await page.getByLabel('VAT number').fill('100');
    await page.keyboard.press('Enter');
    await page.getByText('Valid', { exact: true }).waitFor();

    expect(page.url()).toBe(`${service().apiUrl}/#/check?country=FR`);
  });

  it('asks for a number where none was written', async () => {
    const page = await open(service(), { at: '#/check' });
    await page.getByRole('button', { name: 'Check', exact: true }).click();

    await expect
      .poll(async () => page.getByText('Write the number that is to be checked.').count())
      .toBe(1);
  });
});
