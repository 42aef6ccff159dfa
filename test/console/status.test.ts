import { describe, expect, it } from 'vitest';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, useBrowser } from './support/browser.ts';
import { shareLivedService } from './support/lived-service.ts';
import { changeRate, setMemberState } from '../support/sandbox/scripts.ts';

const service = shareLivedService();
const open = useBrowser();

describe.skipIf(isWithoutBrowser)('the status in the console', () => {
  it('shows the age of each data set, and its last run', async () => {
    const page = await open(service(), { at: '#/status' });

    const rates = page.getByRole('region', { name: 'VAT rates' });
    await rates.waitFor();
    expect(await rates.textContent()).toContain('Up to date');
    expect(await rates.textContent()).toContain('20 November 2026');
    expect(await rates.textContent()).toContain('published a new version');
    expect(await page.locator('.registries li').count()).toBe(28);
  });

  it('shows missing publications and held snapshots', async () => {
    const late = await startService({
      lived: ['2026-11-19T16:00:00Z'],
      script: (scenario) => changeRate(scenario, 'HU', 'standard', ['14'], '2026-11-20'),
    });
    await late.liveAt('2026-11-20T12:00:00Z');
    const page = await open(late, { at: '#/status' });

    const rates = page.getByRole('region', { name: 'VAT rates' });
    await rates.waitFor();
    expect(await rates.textContent()).toContain('1 publication missing');
    expect(await rates.textContent()).toContain('1 snapshot held.');
  });

  it('shows which registries answered and which failed', async () => {
    const own = await startService();
    setMemberState(own.scenario, 'FR', 'down');
    await own.get('/vatcheck/DE/100');
    await own.get('/vatcheck/FR/12345678901');
    const page = await open(own, { at: '#/status' });

    await page.locator('.registries').waitFor();
    const registry = (name: string) => page.locator('.registries li', { hasText: name });
    expect(await registry('Germany').textContent()).toContain('answered');
    expect(await registry('France').textContent()).toContain('down or busy');
    expect(await registry('Spain').textContent()).toContain('not queried yet');
  });

  it('can be refreshed', async () => {
    const own = await startService({ at: '2026-11-20T06:00:00Z' });
    const page = await open(own, { at: '#/status' });
    const rates = page.getByRole('region', { name: 'VAT rates' });
    await rates.getByText('Nothing published yet').waitFor();

    await own.liveAt('2026-11-20T16:00:00Z');
    await page.getByRole('button', { name: 'Refresh' }).click();

    await expect.poll(async () => rates.getByText('Up to date').count()).toBe(1);
  });
});
