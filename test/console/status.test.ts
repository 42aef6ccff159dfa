import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import type { ServiceStatus } from '../../web/src/wire.ts';
import { startService, type TestService } from '../support/start-service.ts';
import { isWithoutBrowser, it, open, openOn, service } from './support/browser.ts';
import { changeRate, setMemberState, setTedbFault } from '../support/sandbox/scripts.ts';

/** A service whose newest VAT rates are held, because Hungary's standard rate is implausible. */
async function startLate(): Promise<TestService> {
  const late = await startService({
    lived: ['2026-11-19T16:00:00Z'],
    script: (scenario) => changeRate(scenario, 'HU', 'standard', ['14'], '2026-11-20'),
  });
  await late.liveAt('2026-11-20T12:00:00Z');
  return late;
}

/** Waits until the page has loaded the VAT rates and the status. */
async function waitForStatus(page: Page): Promise<void> {
  await page.getByRole('table').waitFor();
  await page.waitForFunction(
    "performance.getEntriesByName(location.origin + '/status').length > 0",
  );
}

describe.skipIf(isWithoutBrowser)('the freshness of the data in the console', () => {
  it('is shown above the newest VAT rates if later rates are held', async () => {
    const page = await openOn(await startLate());

    const notice = page.getByRole('alert');
    await notice.waitFor();
    await expect
      .poll(async () => notice.textContent())
      .toContain('Held for a decision: the newest data is of 19 November 2026');
    await expect
      .poll(async () => notice.textContent())
      .toContain('The source is asked again at 13:00 UTC');
    await notice.getByRole('link', { name: 'Show the status' }).click();
    await page.getByRole('heading', { name: 'Status' }).waitFor();
  });

  it('is not mentioned if the data is fresh, or if an earlier date is shown', async () => {
    const fresh = await open();
    await waitForStatus(fresh);
    expect(await fresh.locator('.notice').count()).toBe(0);

    await fresh.route('**/status', async (route) => {
      const response = await route.fetch();
      const { dataSets, ...status } = (await response.json()) as ServiceStatus;
      const rates = { ...dataSets.rates, publicationsMissed: 2 };
      await route.fulfill({ response, json: { ...status, dataSets: { ...dataSets, rates } } });
    });
    await fresh.goto(`${service().apiUrl}/#/rates?date=2026-11-19`);
    await fresh.reload();
    await fresh.getByRole('table').waitFor();
    expect(await fresh.locator('.notice').count()).toBe(0);
    await fresh.getByRole('button', { name: 'Date: next stored date' }).click();
    await fresh.getByText('2 days missing').waitFor();
  });
});

describe.skipIf(isWithoutBrowser)('the note of the demo', () => {
  it('is shown in each view of a demo, and not otherwise', async () => {
    const page = await open();
    await waitForStatus(page);
    expect(await page.getByText('Demo: do not use this data.').count()).toBe(0);

    await page.route('**/status', async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as ServiceStatus;
      await route.fulfill({ response, json: { ...status, demo: true } });
    });
    for (const [link, title] of [
      ['Changes', 'Changes'],
      ['Exchange rates', 'Euro reference rates'],
      ['VAT numbers', 'Check VAT numbers'],
      ['Status', 'Status'],
      ['Rates', 'VAT rates'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await expect
        .poll(async () => page.getByText('Demo: do not use this data.').isVisible())
        .toBe(true);
    }
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe.skipIf(isWithoutBrowser)('the status in the console', () => {
  it('says that the rates are complete, and when their source is queried', async () => {
    const page = await open({ at: '#/status' });

    const rates = page.getByRole('region', { name: 'VAT rates' });
    await rates.waitFor();
    const text = (await rates.textContent()) ?? '';
    expect(text).toContain('VAT rates of 20 November 2026, complete');
    expect(text).toContain('Next query on 21 Nov, 07:00 UTC.');
    expect(text).toMatch(/Last query .*: new rates\./);
    expect(await page.getByText(/database|NBP/i).count()).toBe(0);
    await expect.poll(async () => page.locator('.registries li').count()).toBe(28);
  });

  it('shows that data is held, and when its source is asked again', async () => {
    const page = await openOn(await startLate(), { at: '#/status' });

    const rates = page.getByRole('region', { name: 'VAT rates' });
    await rates.waitFor();
    await expect.poll(async () => rates.textContent()).toContain('Held for a decision');
    await expect
      .poll(async () => rates.textContent())
      .toContain('The source is asked again at 13:00 UTC');
  });

  it('shows why a run failed, and when the next one is', async () => {
    const failing = await startService({
      lived: ['2026-11-19T16:00:00Z'],
      script: (scenario) => setTedbFault(scenario, 'redirect'),
    });
    await failing.liveAt('2026-11-20T12:00:00Z');
    const page = await openOn(failing, { at: '#/status' });

    const rates = page.getByRole('region', { name: 'VAT rates' });
    await rates.waitFor();
    await expect
      .poll(async () => rates.textContent())
      .toContain('just now: failed, because the source refused the request');
    await expect.poll(async () => rates.textContent()).toContain('Next query at 12:05 UTC.');
  });

  it('has the banks that are enabled, and the database only if it does not answer', async () => {
    const page = await open({ at: '#/rates' });
    await page.route('**/status', async (route) => {
      const response = await route.fetch();
      const { dataSets, ...status } = (await response.json()) as ServiceStatus;
      const nbp = { ...dataSets.fx, publicationsMissed: 1 };
      const json = { ...status, database: { answering: false }, dataSets: { ...dataSets, nbp } };
      await route.fulfill({ response, json });
    });
    await page.getByRole('link', { name: 'Status' }).click();

    await page.getByRole('alert').getByText('The database does not answer').waitFor();
    await page
      .getByRole('heading', { name: '1 day missing: the newest NBP rates are of 20 November 2026' })
      .waitFor();
    expect(await page.getByText('CNB rates').count()).toBe(0);
  });

  it('shows which registries answered and which failed', async () => {
    const own = await startService();
    setMemberState(own.scenario, 'FR', 'down');
    await own.get('/vatcheck/DE/100');
    await own.get('/vatcheck/FR/12345678901');
    const page = await openOn(own, { at: '#/status' });

    await page.locator('.registries').waitFor();
    const registry = (name: string) => page.locator('.registries li', { hasText: name });
    await expect.poll(async () => registry('Germany').textContent()).toContain('answered');
    await expect.poll(async () => registry('France').textContent()).toContain('down or busy');
    await expect.poll(async () => registry('Spain').textContent()).toContain('not queried yet');
  });
});
