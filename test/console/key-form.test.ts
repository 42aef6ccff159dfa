import { describe, expect, it } from 'vitest';
import {
  createKey,
  type KeyChange,
  revokeKey,
} from '../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../src/platform/time.ts';
import type { TestService } from '../support/start-service.ts';
import { isWithoutBrowser, useBrowser } from './support/browser.ts';
import { shareLivedService } from './support/lived-service.ts';

const service = shareLivedService();
const open = useBrowser();

/** Makes another key of the service. */
async function makeKey(
  service: TestService,
  wanted: KeyChange = {},
): Promise<{ readonly id: string; readonly key: string }> {
  const at = formatInstant(service.sandbox.clock.now());
  return createKey(service.core.db, {
    name: 'other',
    rateLimit: 'none',
    quota: 'none',
    ...wanted,
    at,
  });
}

describe.skipIf(isWithoutBrowser)('the form for the API key', () => {
  it('is shown first, and then opens the view that the address names', async () => {
    const page = await open(service(), { isKeyless: true, at: '#/changes' });

    await page.getByLabel('API key').fill(service().key);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Changes' }).waitFor();
    expect(page.url()).toBe(`${service().apiUrl}/#/changes`);
  });

  it.each([
    ['', 'Paste your API key here.'],
    ['sk_live_1234', 'A key begins with “vfx_”, but this text does not.'],
    ['vfx_1234', 'A key has 53 characters, this one has 8'],
    [`vfx_${'0'.repeat(49)}`, 'its checksum does not match'],
  ])('explains without a request why %j is not a key', async (key, text) => {
    const page = await open(service(), { isKeyless: true });
    const requested: string[] = [];
    page.on('request', (request) => {
      if (!request.url().includes('/console/')) requested.push(request.url());
    });

    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');

    expect(await page.getByRole('alert').textContent()).toContain(text);
    expect(requested).toEqual([]);
  });

  it('refuses a revoked key with an explanation', async () => {
    const page = await open(service(), { isKeyless: true });
    const { id, key } = await makeKey(service());
    await revokeKey(service().core.db, id, { at: formatInstant(service().sandbox.clock.now()) });

    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');

    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('This key does not work');
    expect(await alert.textContent()).toContain('has expired, or was revoked');
    expect(await page.evaluate('sessionStorage.getItem("vatfx-key")')).toBeNull();
  });

  it('is not shown again after a reload, but in another tab', async () => {
    const page = await open(service(), { isKeyless: true });
    await page.getByLabel('API key').fill(service().key);
    await page.keyboard.press('Enter');
    await page.getByRole('table').waitFor();

    await page.reload();
    await page.getByRole('table').waitFor();
    const other = await page.context().newPage();
    await other.goto(service().apiUrl);

    await other.getByLabel('API key').waitFor();
    expect(await other.getByRole('table').count()).toBe(0);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).toBe('{}');
  });

  it('is shown again, in the same view, if the key no longer works', async () => {
    const page = await open(service(), { isKeyless: true, at: '#/changes?country=HU' });
    const { id, key } = await makeKey(service());
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('1 change on 1 day').waitFor();

    await revokeKey(service().core.db, id, { at: formatInstant(service().sandbox.clock.now()) });
    await expect
      .poll(
        async () =>
          (
            await service().sendRequest({
              path: '/usage',
              headers: { authorization: `Bearer ${key}` },
            })
          ).status,
      )
      .toBe(401);
    await page.getByRole('link', { name: 'VAT rates' }).click();

    await page.getByText('Your key no longer works').waitFor();
    await page.getByLabel('API key').fill(service().key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'VAT rates' }).waitFor();
  });

  it('refuses a key without the scope `read` with an explanation', async () => {
    const page = await open(service(), { isKeyless: true });
    const { key } = await makeKey(service(), { scopes: ['webhooks'] });

    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');

    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('lacks the scope “read”');
  });

  it('is shown again after “Forget the key”', async () => {
    const page = await open(service());
    await page.locator('summary', { hasText: 'test' }).click();

    await page.getByRole('button', { name: 'Forget the key' }).click();

    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('sessionStorage.getItem("vatfx-key")')).toBeNull();
  });
});
