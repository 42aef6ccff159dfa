import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { startService } from '../support/start-service.ts';
import { registerTraders, setNow } from '../support/sandbox/scripts.ts';
import type { WatchPage } from '../../web/src/wire.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';
import { fieldOf, submit } from './support/check-view.ts';

const rowsOf = (page: Page) => page.locator('.check');

async function watch(page: Page, numbers: string): Promise<void> {
  await fieldOf(page).fill(numbers);
  await page.getByRole('button', { name: /^Watch( \d+ numbers)?$/ }).click();
}

describe.skipIf(isWithoutBrowser)('the watches in the console (rules K13 and K19)', () => {
  it('adds a watch, shows its latest answer and its check and the next one, and removes it', async () => {
    const service = await startService();
    service.startJobs();
    const page = await openOn(service, { at: '#/check' });
    await page.getByRole('link', { name: 'Watches' }).click();
    await page.getByText('No number is watched').waitFor();
    await page.getByLabel('Check at least').selectOption('every 30 days');
    await page.getByText('Consultation number and customer data').click();
    await page.getByLabel('Your reference').fill('supplier 7');
    await watch(page, 'AT U99999901');

    const row = rowsOf(page);
    await row.getByText('Valid', { exact: true }).waitFor({ timeout: 30_000 });
    const text = await row.textContent();
    expect(text).toContain('AT U99999901');
    expect(text).toContain('Erfundene Backwaren GmbH, checked 20 Nov 2026, 16:00 UTC');
    expect(text).toMatch(/supplier 7 · checked at least every 30 days, next on \d+ \w+ 202[67]/);
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

  it('watches the numbers of a table with their names and references, and names the other lines', async () => {
    const service = await startService();
    const page = await openOn(service, { at: '#/watches' });
    const headings = 'reference;traderName;vatNumber;traderCity';
    await fieldOf(page).fill(`${headings}\n7;A;ATU99999901;Wien\n8;B;DE999999901;Bonn\n9;C;x1;Ulm`);
    // A file for the service is a table like others: its other columns are not watched.
    await page.getByLabel('VAT number', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Watch 2 numbers' }).click();

    await page.getByText('2 watched numbers').waitFor();
    await page.getByText('1 line could not be read').waitFor();
    await expect.poll(async () => fieldOf(page).inputValue()).toBe(`${headings}\n9;C;x1;Ulm`);
    const { watches } = JSON.parse((await service.get('/vatwatches')).text) as WatchPage;
    const found = watches.map((one) => [
      one.countryCode,
      one.everyDays,
      one.trader?.name,
      one.reference,
    ]);
    // Both may be made in the same millisecond.
    expect(new Set(found)).toEqual(
      new Set([
        ['DE', 90, 'B', '8'],
        ['AT', 90, 'A', '7'],
      ]),
    );
  });

  it('are added at a check, and a watch that is there stays as it is', async () => {
    const service = await startService();
    const page = await openOn(service, { at: '#/check' });
    await submit(page, 'ATU99999901');
    await page.getByRole('button', { name: 'Watch this number' }).click();
    await page.getByText('checked at least every 90 days, the first check is due now').waitFor();

    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const path = '/vatwatches/AT/U99999901';
    await service.sendRequest({ method: 'PUT', path, headers, body: '{"everyDays":1}' });
    await page.reload();
    await page.getByRole('button', { name: 'Watch this number' }).click();
    await page.getByText('checked every day, the first check is due now').waitFor();
  });

  it('say what changed since the last visit, and the navigation has the count', async () => {
    const service = await startService();
    service.startJobs();
    const page = await openOn(service, { at: '#/watches' });
    const read: string[] = [];
    page.on('request', (request) => read.push(...(/\/events\?.*$/.exec(request.url()) ?? [])));
    await page.getByLabel('Check at least').selectOption('every day');
    await watch(page, 'ATU99999901');
    await rowsOf(page).getByText('Valid', { exact: true }).waitFor({ timeout: 30_000 });
    const visit = 'JSON.stringify(Object.entries(localStorage))';
    await expect
      .poll(async () => page.evaluate(visit))
      .toMatch(/^\[\["vatfx-watches-seen-\w{6}","2026-11-20T16:00:\S+Z \S+ "\]\]$/);
    expect(await page.getByText('since your last visit').count()).toBe(0);

    await page.goto(`${service.apiUrl}/#/rates`);
    const changed = { country: 'AT', number: 'U99999901', name: 'Neu GmbH', address: 'Wien' };
    registerTraders(service.scenario, changed);
    setNow(service.scenario, '2026-11-21T17:00:00Z');
    const events = async () => (await service.get('/events?type=vat.changed')).text;
    await expect.poll(events).toContain('Neu GmbH');
    await page.reload();
    await page.getByRole('link', { name: 'VAT numbers 1 changed since your last visit' }).click();
    await page.getByRole('link', { name: 'Watches 1 changed since your last visit' }).click();

    await page.getByRole('heading', { name: '1 changed since your last visit' }).waitFor();
    await page.getByText('You opened this page in this browser on 20 Nov 2026').waitFor();
    const news = page.locator('section', { hasText: 'since your last visit' }).locator('.check');
    await expect
      .poll(async () => news.textContent())
      .toContain('Name: Erfundene Backwaren GmbH → Neu GmbH');
    expect(await page.getByRole('link', { name: 'changed since' }).count()).toBe(0);
    await page.reload();
    await news.waitFor();
    await page.goto(`${service.apiUrl}/#/rates`);
    await page.getByRole('table').waitFor();
    expect(await page.locator('.news-count').count()).toBe(0);
    // Only changes that this browser has not shown were read.
    expect(read.filter((path) => !/&after=[\w-]+$/.test(path))).toEqual([]);

    // A place that the event log does not have (any more): the day of the visit decides.
    for (const [day, count] of [
      ['22', 0],
      ['20', 1],
    ] as const) {
      const kept = `2026-11-${day}T16:30:00.000Z gone `;
      await page.evaluate(`localStorage.setItem(Object.keys(localStorage)[0], '${kept}')`);
      const all = page.waitForResponse((one) => one.url().endsWith('&limit=500') && one.ok());
      await page.reload();
      await all;
      await expect.poll(async () => page.locator('.news-count').count()).toBe(count);
    }
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
    await rowsOf(page).getByText('No check is stored').waitFor();
    expect(await page.getByRole('link', { name: 'Latest check' }).count()).toBe(0);
  });
});
