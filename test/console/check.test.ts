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
    await page.getByLabel('VAT number').fill('EL 100');
    await page.keyboard.press('Enter');

    await page.getByText('Valid', { exact: true }).waitFor();
    const said = await page.locator('.verdict').textContent();
    expect(said).toContain('GR 100');
    expect(said).toContain('John Doe');
    expect(said).toContain('2026-11-20+01:00');
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
