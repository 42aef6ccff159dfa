import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../src/platform/time.ts';
import { shareService, startService } from '../support/start-service.ts';
import { isWithoutBrowser, useBrowser } from './support/browser.ts';

const lived = ['2026-11-20T16:00:00Z'];
const service = shareService({ lived });
const empty = shareService();
const open = useBrowser();

describe.skipIf(isWithoutBrowser)('the console without data', () => {
  it.each([
    ['#/rates', 'No VAT rates yet'],
    ['#/changes', 'No changes yet'],
    ['#/fx', 'No exchange rates yet'],
    ['#/status', 'Nothing published yet'],
  ])('shows in %s before the first run: %s', async (at, text) => {
    const page = await open(empty(), { at });

    await expect.poll(async () => page.getByText(text).first().count()).toBe(1);
  });

  it('says that the service does not answer, and can try again', async () => {
    const service = await startService({ lived });
    const page = await open(service);
    await page.getByRole('table').waitFor();
    const { port } = new URL(service.apiUrl);

    await service.stop();
    await page.getByRole('link', { name: 'Changes' }).click();
    // The code of this view comes from the service as well.
    await page.getByText('This part of the page could not be loaded').waitFor();
    await page.getByRole('link', { name: 'VAT rates' }).click();
    await page.getByText('The service does not answer').waitFor();

    const again = { ...service.config, port: Number(port) };
    Object.assign(service, { config: again });
    await service.start();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => page.getByRole('table').count()).toBe(1);
  });

  it('says that the browser is offline, and tries again when it is online', async () => {
    const page = await open(service());
    await page.getByRole('table').waitFor();

    await page.context().setOffline(true);
    await page.evaluate('location.hash = "#/rates?date=2026-11-01"');
    await page.getByText('You are offline').waitFor();

    await page.context().setOffline(false);
    await expect.poll(async () => page.getByText('Nothing is stored for').count()).toBe(1);
  });

  it('says that a rate limit is reached, and when to try again', async () => {
    const at = formatInstant(service().sandbox.clock.now());
    const { db } = service().core;
    const limited = await createKey(db, { name: 'limited', rateLimit: 1, quota: 'none', at });
    const page = await open(service(), { isKeyless: true });
    await page.getByLabel('API key').fill(limited.key);
    await page.keyboard.press('Enter');

    await page.getByText('Too many requests').first().waitFor();
    const retry = page.getByRole('button', { name: /Try again in \d+ s/ }).first();
    expect(await retry.isDisabled()).toBe(true);
  });

  it('says that a quota is used up', async () => {
    const at = formatInstant(service().sandbox.clock.now());
    const { db } = service().core;
    const { key } = await createKey(db, { name: 'limited', rateLimit: 'none', quota: 1, at });
    const page = await open(service(), { isKeyless: true });
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');

    await expect
      .poll(async () => page.getByText('The quota of this key is used up').first().count())
      .toBe(1);
  });

  it('shows a message instead of an empty page for an answer of an unknown shape', async () => {
    const page = await open(service());
    await page.getByRole('table').waitFor();

    await page.route('**/changes?*', async (route) => route.fulfill({ json: { other: 'shape' } }));
    await page.getByRole('link', { name: 'Changes' }).click();

    await page.getByText('This view could not be shown').waitFor();
    await page.getByRole('link', { name: 'VAT rates' }).click();
    await expect.poll(async () => page.getByRole('table').count()).toBe(1);
  });

  it('says that the answer is not from the service', async () => {
    const page = await open(service());
    await page.getByRole('table').waitFor();

    await page.route('**/changes?*', async (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }),
    );
    await page.getByRole('link', { name: 'Changes' }).click();

    await expect
      .poll(async () => page.getByText('The answer is not from the service (status 200)').count())
      .toBe(1);
  });
});
