import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { readCsv } from '../../src/vat-check/reading/read-csv.ts';
import { setMemberState, setNow } from '../support/sandbox/scripts.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { findFaults } from './support/accessibility.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';
import { fieldOf, storeBatch, submit } from './support/check-view.ts';

const rowsOf = (page: Page) => page.locator('.check');

/** The steps in which time passes. Attempts are paced, so in standing time only the first one would be due. */
const stepMs = 100;

/**
 * A service that makes background attempts, in time that passes as that of the machine. A Member State that is down is
 * queried again after a minute, which no test takes.
 */
async function startChecking(): Promise<TestService> {
  const service = await startService();
  const { clock, scenario } = service.sandbox;
  const timer = setInterval(() => scenario.apply({ now: clock.now() + stepMs }), stepMs);
  onTestFinished(() => clearInterval(timer));
  service.startJobs();
  return service;
}

describe.skipIf(isWithoutBrowser)('a list of VAT numbers in the console (rule K19)', () => {
  it('shows results as they arrive, while a Member State is down and when it answers again', async () => {
    const service = await startChecking();
    setMemberState(service.scenario, 'DE', 'down');
    const page = await openOn(service, { at: '#/check' });
    setMemberState(service.scenario, 'NL', 'down');
    const numbers =
      'DE999999901\nATU99999901\n\nBE0999999901\nFR00999999901\nNL999999901B01\n9 x 9';
    await submit(page, numbers);

    await page.getByText('3 of 5 done: 3 valid, 2 pending.').waitFor();
    const rows = rowsOf(page);
    await expect.poll(async () => rows.count()).toBe(5);
    const german = rows.filter({ hasText: 'DE 999999901' });
    await german
      .getByText('Germany’s registry is unavailable; retrying until Monday, 16:00 UTC')
      .waitFor();
    await expect
      .poll(async () => rows.filter({ hasText: 'AT U99999901' }).textContent())
      .toContain('Valid');
    // In the order of the list.
    await expect
      .poll(async () => page.locator('.check-number').first().textContent())
      .toBe('DE 999999901');
    // The line that was not read is named, and still there.
    await page.getByText('Which, and why').click();
    await page.getByText('Line 7, “9 x 9”: the letters of its country are missing').waitFor();
    await page.evaluate(observeShifts);

    setMemberState(service.scenario, 'DE', 'up');
    setMemberState(service.scenario, 'NL', 'up');
    setNow(service.scenario, '2026-11-20T16:02:00Z');

    await page.getByText('5 of 5 done: 5 valid.').waitFor();
    await expect.poll(async () => rows.filter({ hasText: 'Valid' }).count()).toBe(5);
    // Rows keep their places while results arrive.
    expect(await page.evaluate<number>('window.shifts')).toBeLessThan(0.01);
    await page.getByRole('button', { name: 'Correct it' }).click();
    await expect.poll(async () => fieldOf(page).inputValue()).toBe('9 x 9');
  });

  it('sends no requests while the tab is hidden, and none when nothing is pending', async () => {
    const service = await startChecking();
    setMemberState(service.scenario, 'DE', 'down');
    const page = await openOn(service, { at: '#/check' });
    await page.clock.install();
    let requests = 0;
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().includes('/vatchecks')) requests += 1;
    });
    const during = async (seconds: number): Promise<number> => {
      const before = requests;
      await page.clock.runFor(seconds * 1_000);
      return requests - before;
    };
    await submit(page, 'DE999999901\nATU99999901');
    await page.getByText('1 of 2 done').waitFor();
    await page.getByText('Germany’s registry is unavailable').waitFor();
    expect(await during(5)).toBeGreaterThan(0);

    await setHidden(page, true);
    expect(await during(5)).toBe(0);

    setMemberState(service.scenario, 'DE', 'up');
    setNow(service.scenario, '2026-11-20T16:02:00Z');
    await setHidden(page, false);
    await page.getByText('2 of 2 done: 2 valid.').waitFor();
    expect(await during(5)).toBe(0);
  });

  it('reads a table with headings of its own by the columns that the visitor chooses', async () => {
    const service = await startChecking();
    const page = await openOn(service, { at: '#/check' });
    await fieldOf(page).fill(
      'Kundennr;Firma;Steuernummer;USt-ID;Umsatz\n1;Muster GmbH;999999902;DE999999901;1234\n2;Sample;999999901;;12\n',
    );
    const column = page.getByLabel('VAT number', { exact: true });
    await expect.poll(async () => column.locator('option:checked').textContent()).toBe('USt-ID');
    await page.getByText('1 line is left out').waitFor();

    await page.getByLabel('If a number has no country').selectOption('DE');
    await column.selectOption('Steuernummer');
    await page.getByText('Understood: DE 999999902, DE 999999901.').waitFor();
    await page.getByRole('button', { name: 'Check 2 numbers' }).click();

    await page.getByText('2 numbers of 20 Nov').waitFor();
    await expect
      .poll(() => service.sandbox.requests.of('vies').map(({ vatNumber }) => vatNumber))
      .toEqual(expect.arrayContaining(['999999901', '999999902']));
    await expect.poll(async () => rowsOf(page).count()).toBe(2);
    // All lines come back, with the columns of the table in front.
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = readFileSync(await (await downloads).path(), 'utf8');
    expect(file.split('\r\n')).toEqual([
      expect.stringMatching(
        /^\uFEFFKundennr;Firma;Steuernummer;USt-ID;Umsatz;valid;checked on;name;problem;/,
      ),
      expect.stringMatching(/^1;Muster GmbH;999999902;DE999999901;1234;/),
      expect.stringMatching(/^2;Sample;999999901;;12;/),
      '',
    ]);
  });

  it('reads a CSV file with customers, and says which line the service refuses or skips', async () => {
    const service = await startChecking();
    const page = await openOn(service, { at: '#/check' });
    const choose = async (content: string): Promise<void> => {
      await page
        .getByLabel('Open a CSV file')
        .setInputFiles({ name: 'in.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
      await page.getByText('A file with headings that the service reads').waitFor();
      await page.getByRole('button', { name: /^Check/ }).click();
    };
    const heading = 'countryCode;vatNumber;reference;expiresInHours';
    await choose(`${heading}\nAT;U99999901;Müller;\nBE;"0999999901;c2;\n`);
    await page.getByText('line 3').waitFor();
    await expect.poll(async () => fieldOf(page).inputValue()).toContain('Müller');

    const tooLong = `AT;${'9'.repeat(65)};c3;`;
    await choose(`${heading}\nAT;U99999901;Müller;\n${tooLong}\nBE;0999999901;c2;\n`);

    await page.getByText('2 of 2 done').waitFor();
    await expect
      .poll(async () => rowsOf(page).filter({ hasText: 'Müller' }).textContent())
      .toContain('U99999901');
    await page.getByText('1 line could not be checked').waitFor();
    await page.getByText('Which, and why').click();
    await page.getByText('vatNumber has more than 64 characters').waitFor();
    await page.getByRole('button', { name: 'Correct it' }).click();
    await expect.poll(async () => fieldOf(page).inputValue()).toBe(`${heading}\n${tooLong}`);
  });

  it('finds checks by result, number, reference and day, and keeps the filters in the address', async () => {
    const service = await startChecking();
    await storeBatch(service, [
      { countryCode: 'AT', vatNumber: 'U99999901', reference: 'c1' },
      { countryCode: 'LU', vatNumber: '11111111' },
      { countryCode: 'FR', vatNumber: '00999999901', reference: 'c2' },
      { countryCode: 'GB', vatNumber: '1' },
    ]);
    const page = await openOn(service, { at: '#/checks' });
    const numbers = async (): Promise<readonly string[]> =>
      page.locator('.check-number').allTextContents();
    await expect.poll(numbers).toHaveLength(4);

    await page.getByLabel('Result').selectOption('Not registered');
    await expect.poll(numbers).toEqual(['LU 11111111']);
    await page.getByLabel('Result').selectOption('Refused');
    await expect.poll(numbers).toEqual(['GB 1']);
    await page.getByLabel('Result').selectOption('All');
    await page.getByLabel('Member State').selectOption('France');
    await expect.poll(numbers).toEqual(['FR 00999999901']);
    await page.getByRole('button', { name: 'Show all checks' }).click();
    // A number without its country, and the beginning of a reference.
    await page.getByLabel('Number', { exact: true }).fill('00999 999 901');
    await page.keyboard.press('Enter');
    await expect.poll(numbers).toEqual(['FR 00999999901']);
    await page.getByLabel('Reference begins with').fill('c');
    await page.getByLabel('Number', { exact: true }).fill('');
    await page.keyboard.press('Enter');
    await expect.poll(numbers).toEqual(['FR 00999999901', 'AT U99999901']);
    await page.getByLabel('From', { exact: true }).fill('2026-11-20');
    await page.getByLabel('To', { exact: true }).fill('2026-11-20');
    await expect.poll(() => page.url()).toMatch(/from=2026-11-20&to=2026-11-20$/);
    await expect.poll(numbers).toHaveLength(2);
    await page.getByLabel('From', { exact: true }).fill('2026-11-10');
    await page.getByLabel('To', { exact: true }).fill('2026-11-19');
    await page.getByText('No check matches').waitFor();

    await page.reload();
    await page.getByText('No check matches').waitFor();
    await expect.poll(async () => page.getByLabel('Reference begins with').inputValue()).toBe('c');
  });

  it('has pages, and saves all checks of the filters as one CSV file', async () => {
    const service = await startChecking();
    // No registry is queried for them. One answer of the service has at most 500.
    const refused = Array.from({ length: 520 }, (_, at) => ({
      countryCode: 'GB',
      vatNumber: String(at),
    }));
    await storeBatch(service, [...refused, { countryCode: 'AT', vatNumber: 'U99999901' }]);
    const page = await openOn(service, { at: '#/checks?status=rejected' });
    const numbers = async (): Promise<readonly string[]> =>
      page.locator('.check-number').allTextContents();
    await expect.poll(numbers).toHaveLength(50);
    const newest = await numbers();
    await page.getByRole('link', { name: 'Older checks' }).click();
    await expect
      .poll(async () => (await numbers()).some((one) => newest.includes(one)))
      .toBe(false);
    const older = await numbers();
    expect(older).toHaveLength(50);
    await page.reload();
    await expect.poll(numbers).toEqual(older);

    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const table = readCsv(readFileSync(await (await downloads).path(), 'utf8'));

    const rows = table.kind === 'table' ? table.rows : [];
    const sorted = rows.map(({ cells }) => Number(cells[3])).toSorted((a, b) => a - b);
    expect(sorted).toEqual(refused.map(({ vatNumber }) => Number(vatNumber)));
    await page.goBack();
    await expect.poll(numbers).toEqual(newest);
  });

  it('fits each width, and has no accessibility violation', async () => {
    const service = await startChecking();
    setMemberState(service.scenario, 'DE', 'down');
    const page = await openOn(service, { at: '#/check' });
    await page.getByText('Consultation number and customer data').click();
    await submit(page, 'DE999999901\nATU99999901\nLU11111111\nhello 1');
    await page.getByText('2 of 3 done').waitFor();

    expect(await findFaults(page)).toEqual([]);
  });
});

/** Adds up the layout shifts from now on that no input of the visitor has caused. */
const observeShifts = `
  window.shifts = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
  }).observe({ type: 'layout-shift' });`;

/** Makes the tab believe that it is hidden: a page of this browser always is visible. */
async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));`);
}
