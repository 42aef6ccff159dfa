import { describe, expect } from 'vitest';
import { setMemberState, setViesFault } from '../support/sandbox/scripts.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, open, openOn } from './support/browser.ts';
import { fieldOf, submit, verdictOf, waitForVerdict } from './support/check-view.ts';

/** The sentence in the text of each check without an answer of the registry. */
const noAnswer = 'This says nothing about the number';

describe.skipIf(isWithoutBrowser)('a VAT check in the console (rule K19)', () => {
  it('shows a registered trader, and keeps the check in the address', async () => {
    const page = await open({ at: '#/check' });
    await submit(page, 'EL 999 999 901');
    await waitForVerdict(page, 'Valid');

    const shown = [
      'GR 999999901 (Greece)',
      'ΦΑΝΤΑΣΤΙΚΗ ΕΜΠΟΡΙΚΗ ΑΕ',
      '20 November 2026 (time zone',
    ];
    for (const text of shown) expect(await verdictOf(page)).toContain(text);
    expect(page.url()).toMatch(/#\/check\?id=vc_[0-9a-f]{32}$/);
    await page.getByRole('button', { name: 'Check another number' }).click();
    await expect.poll(async () => fieldOf(page).inputValue()).toBe('');

    await page.reload();
    await waitForVerdict(page, 'Valid');
    expect(await verdictOf(page)).toContain('GR 999999901 (Greece)');
  });

  // Each number has a Member State of its own: after a failure a false answer would have to be confirmed (rule K9).
  it.each([
    ['DE200', 'Not registered', 'not registered for trade between Member States', false],
    ['IT201', 'Not a possible VAT number', 'Italy’s registry could not be queried', false],
    ['PL300', 'Pending', 'VIES, through which all registries are queried, is unavailable', true],
    [
      'FR301',
      'Pending',
      'France’s registry is unavailable; retrying until Monday, 16:00 UTC',
      true,
    ],
  ])('explains the test number %s: %s, “%s”', async (number, title, text, isOpen) => {
    const own = await startService();
    const page = await openOn(own, { at: '#/check' });
    await submit(page, number);

    await waitForVerdict(page, title);
    const verdict = await verdictOf(page);
    expect(verdict).toContain(text);
    expect(verdict?.includes(noAnswer)).toBe(isOpen);
    expect(await page.locator('.notice-good').count()).toBe(0);
    await expect
      .poll(async () => page.locator('.notice-bad').count())
      .toBe(title === 'Not registered' ? 1 : 0);
  });

  it('shows requester, consultation number, and the matches of the customer’s data', async () => {
    const own = await startService();
    own.scenario.apply({ vies: { matching: { ES: 'register' } } });
    const page = await openOn(own, { at: '#/check' });
    await page.getByText('Consultation number and customer data').click();
    await page.getByLabel('Your VAT number').fill('NL854265259B01');
    await page.getByLabel('Name of the customer').fill('COMERCIO IMAGINARIO SL');
    await page.getByLabel('City').fill('SEVILLA');
    await fieldOf(page).fill('ESB99999902');
    await page.getByLabel('Your reference').fill('cust_1001');
    await page.keyboard.press('Enter');

    await waitForVerdict(page, 'Valid, but the city does not match');
    await expect.poll(async () => page.locator('.notice-problem').count()).toBe(1);
    const verdict = (await verdictOf(page)) ?? '';
    expect(verdict).toContain('RequesterNL 854265259B01');
    expect(verdict).toMatch(/Consultation numberWAPI\w+/);
    expect(verdict).toContain('Customer: nameCOMERCIO IMAGINARIO SL (matches)');
    expect(verdict).toContain('Customer: citySEVILLA (does not match)');
    expect(verdict).toContain('Referencecust_1001');
    // A check digit that seems wrong is no remark about a registered number.
    expect(verdict).not.toContain('check digit');
    // The next number has another customer, but the same requester.
    await page.getByRole('button', { name: 'Check another number' }).click();
    await expect.poll(async () => page.getByLabel('City').inputValue()).toBe('');
    await expect
      .poll(async () => page.getByLabel('Your VAT number').inputValue())
      .toBe('NL854265259B01');
    // Only the id is in the address.
    expect(page.url()).toMatch(/#\/check\?id=vc_[0-9a-f]{32}$/);
  });

  it('makes a new check of a number whose check is pending, at once', async () => {
    const own = await startService();
    setMemberState(own.scenario, 'FR', 'down');
    const page = await openOn(own, { at: '#/check' });
    await submit(page, 'FR00999999901');
    await waitForVerdict(page, 'Pending');
    const pending = page.url();
    setMemberState(own.scenario, 'FR', 'up');
    await page.getByRole('button', { name: 'Check again now' }).click();

    await waitForVerdict(page, 'Valid');
    expect(page.url()).not.toBe(pending);
    await page.goto(pending);
    await waitForVerdict(page, 'Pending');
  });

  it('begins another line with Enter, checks with Ctrl and Enter, and brings the result into the window of a phone', async () => {
    const page = await open({ at: '#/check', viewport: { width: 390, height: 664 } });
    await fieldOf(page).press('A');
    await fieldOf(page).press('Enter');
    await expect.poll(async () => fieldOf(page).inputValue()).toBe('A\n');
    await fieldOf(page).fill('ATU99999901');
    await fieldOf(page).press('Control+Enter');

    await waitForVerdict(page, 'Valid');
    expect(await page.evaluate('document.activeElement.className')).toBe('results');
    const box = await page.locator('.notice-title').boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(600);
    expect(await fieldOf(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Check another number' }).click();
    await expect.poll(async () => page.evaluate('document.activeElement.id')).toBe('check-numbers');
  });

  it('does not show an unusable answer of the registry as an answer about the number', async () => {
    const broken = await startService({ script: (scenario) => setViesFault(scenario, 'html') });
    const page = await openOn(broken, { at: '#/check' });
    await submit(page, 'DE100');

    await page.getByText(noAnswer).waitFor();
    expect(await page.locator('.notice-bad, .notice-good').count()).toBe(0);
  });

  it('keeps the number of an offline browser, and can send it again', async () => {
    const page = await open({ at: '#/check' });
    await fieldOf(page).waitFor();
    await page.context().setOffline(true);
    await submit(page, 'DE100');
    await page.locator('.check-form').getByText('You are offline').waitFor();
    await expect.poll(async () => fieldOf(page).inputValue()).toBe('DE100');

    await page.context().setOffline(false);
    await page.locator('.check-form').getByRole('button', { name: 'Try again' }).click();
    await waitForVerdict(page, 'Valid');
  });

  it('creates one check if the answer is lost and the request is repeated', async () => {
    const page = await open({ at: '#/check' });
    await fieldOf(page).waitFor();
    await page.route('**/vatchecks', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await submit(page, 'ATU99999901');
    await page.locator('.check-form').getByRole('alert').waitFor();
    await page.unrouteAll();
    await page.locator('.check-form').getByRole('button', { name: 'Try again' }).click();
    await waitForVerdict(page, 'Valid');

    await page.getByRole('link', { name: 'All checks' }).click();
    await page.locator('.checks').waitFor();
    await expect.poll(async () => page.locator('.check').count()).toBe(1);
  });

  it('explains a key that may not check, and a check of another key', async () => {
    const page = await open({ at: `#/check?id=vc_${'0'.repeat(32)}` });
    await page.getByText('This does not exist, or no longer').waitFor();

    const json = { error: 'scope missing: checks' };
    await page.route('**/vatchecks', async (route) => route.fulfill({ status: 403, json }));
    await submit(page, 'DE100');

    await page.getByText('This key may not check VAT numbers').waitFor();
    await expect.poll(async () => fieldOf(page).inputValue()).toBe('DE100');
  });
});
