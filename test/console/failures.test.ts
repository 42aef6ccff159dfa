import { describe, expect } from 'vitest';
import { addCaller } from '../api/support/caller.ts';
import { shareService, startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, open, openOn, service } from './support/browser.ts';

const empty = shareService();

describe.skipIf(isWithoutBrowser)('the console without data', () => {
  it.each([
    ['#/rates', 'No VAT rates yet'],
    ['#/changes', 'No changes yet'],
    ['#/fx', 'No exchange rates yet'],
    ['#/goods?country=BE', 'No VAT rates yet'],
    ['#/status', 'No ECB rates yet'],
  ])('shows in %s before the first run: %s', async (at, text) => {
    const page = await openOn(empty(), { at });

    await expect.poll(async () => page.getByText(text).first().count()).toBe(1);
  });

  it('says that the service does not answer, and can try again', async () => {
    const service = await startService({ lived: ['2026-11-20T16:00:00Z'] });
    const page = await openOn(service);
    await page.getByRole('table').waitFor();
    const { port } = new URL(service.apiUrl);

    await service.stop();
    await page.getByRole('link', { name: 'Changes' }).click();
    // The code of this view comes from the service as well.
    await page.getByText('This part of the page could not be loaded').waitFor();
    await page.getByRole('link', { name: 'All countries' }).click();
    await page.getByText('The service does not answer').waitFor();

    const again = { ...service.config, port: Number(port) };
    Object.assign(service, { config: again });
    await service.start();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(async () => page.getByRole('table').count()).toBe(1);
  });

  it.each([
    [{ rateLimit: 1, quota: 'none' }, 'Too many requests', true],
    [{ rateLimit: 'none', quota: 1 }, 'The quota of this key is used up', false],
  ] as const)('says which limit of a key is reached: %j', async (limits, text, canWait) => {
    const { key } = await addCaller(service(), limits);
    const page = await open({ isKeyless: true });
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');

    await page.getByText(text).first().waitFor();
    const retry = page.getByRole('button', { name: /Try again in \d+ s/ }).first();
    expect((await retry.count()) === 1 && (await retry.isDisabled())).toBe(canWait);
  });

  it('shows a message instead of an empty page for an answer of an unknown shape', async () => {
    const page = await open();
    await page.getByRole('table').waitFor();

    await page.route('**/changes?*', async (route) => route.fulfill({ json: { other: 'shape' } }));
    await page.getByRole('link', { name: 'Changes' }).click();

    await page.getByText('This view could not be shown').waitFor();
    await page.getByRole('link', { name: 'All countries' }).click();
    await expect.poll(async () => page.getByRole('table').count()).toBe(1);
  });

  it('says that the answer is not from the service', async () => {
    const page = await open();
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
