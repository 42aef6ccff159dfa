import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../src/platform/time.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, useBrowser } from './support/browser.ts';

const open = useBrowser();

describe.skipIf(isWithoutBrowser)('what the console says when there is nothing to show', () => {
  it.each([
    ['#/rates', 'No VAT rates yet'],
    ['#/changes', 'The log is empty'],
    ['#/fx', 'No exchange rates yet'],
    ['#/status', 'Nothing published yet'],
  ])('%s before the first run: %s', async (at, told) => {
    const service = await startService();
    const page = await open(service, { at });

    await expect.poll(async () => page.getByText(told).first().count()).toBe(1);
  });

  it('that the service does not answer, and goes on when it does again', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    const page = await open(service);
    await page.getByRole('table').waitFor();
    const { port } = new URL(service.apiUrl);

    await service.stop();
    await page.getByRole('link', { name: 'Changes' }).click();
    // Its code comes from the service as well.
    await page.getByText('This part of the page could not be loaded').waitFor();
    await page.getByRole('link', { name: 'VAT rates' }).click();
    await page.getByText('The service does not answer').waitFor();

    const again = { ...service.config, port: Number(port) };
    Object.assign(service, { config: again });
    await service.start();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => page.getByRole('table').count()).toBe(1);
  });

  it('that the browser is offline, and goes on by itself when it is back', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    const page = await open(service);
    await page.getByRole('table').waitFor();

    await page.context().setOffline(true);
    await page.evaluate('location.hash = "#/rates?date=2026-11-01"');
    await page.getByText('You are offline').waitFor();

    await page.context().setOffline(false);
    await expect.poll(async () => page.getByText('Nothing is stored for').count()).toBe(1);
  });

  it('that a limit is reached, and when to try again', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    const at = formatInstant(service.sandbox.clock.now());
    const { db } = service.core;
    const limited = await createKey(db, { name: 'limited', rateLimit: 1, quota: 'none', at });
    const page = await open(service, { isKeyless: true });
    await page.getByLabel('API key').fill(limited.key);
    await page.keyboard.press('Enter');

    await page.getByText('Too many requests').first().waitFor();
    const retry = page.getByRole('button', { name: /Try again in \d+ s/ }).first();
    expect(await retry.isDisabled()).toBe(true);
  });

  it('that a quota is used up', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    const at = formatInstant(service.sandbox.clock.now());
    const { db } = service.core;
    const { key } = await createKey(db, { name: 'limited', rateLimit: 'none', quota: 1, at });
    const page = await open(service, { isKeyless: true });
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');

    await expect
      .poll(async () => page.getByText('The quota of this key is used up').first().count())
      .toBe(1);
  });

  it('that it does not understand an answer, instead of an empty page', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    const page = await open(service);
    await page.getByRole('table').waitFor();

    await page.route('**/changes?*', async (route) => route.fulfill({ json: { other: 'shape' } }));
    await page.getByRole('link', { name: 'Changes' }).click();

    await page.getByText('This view could not be shown').waitFor();
    await page.getByRole('link', { name: 'VAT rates' }).click();
    await expect.poll(async () => page.getByRole('table').count()).toBe(1);
  });

  it('that something else answered in the service’s place', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    const page = await open(service);
    await page.getByRole('table').waitFor();

    await page.route('**/changes?*', async (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }),
    );
    await page.getByRole('link', { name: 'Changes' }).click();

    await expect
      .poll(async () => page.getByText('Something else answered (status 200)').count())
      .toBe(1);
  });
});
