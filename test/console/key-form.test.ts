import { describe, expect } from 'vitest';
import { type KeyChange, revokeKey } from '../../src/access/authentication/key-changes.ts';
import { formatInstant } from '../../src/platform/time/time.ts';
import { addCaller } from '../api/support/caller.ts';
import { isWithoutBrowser, it, open, service } from './support/browser.ts';

const makeKey = async (wanted: KeyChange = {}) => addCaller(service(), wanted);
const now = () => formatInstant(service().sandbox.clock.now());

describe.skipIf(isWithoutBrowser)('the form for the API key', () => {
  it('is shown first, and then opens the view that the address names', async () => {
    const page = await open({ isKeyless: true, at: '#/changes' });

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
    const page = await open({ isKeyless: true });
    const requested: string[] = [];
    page.on('request', (request) => {
      if (!request.url().includes('/console/')) requested.push(request.url());
    });

    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');

    await expect.poll(async () => page.getByRole('alert').textContent()).toContain(text);
    expect(requested).toEqual([]);
  });

  it.each([
    ['that was revoked', {}, 'has expired, or was revoked'],
    ['without the scope `read`', { scopes: ['webhooks'] }, 'lacks the scope “read”'],
  ] as const)('explains a key %s, and does not keep it', async (_, wanted, text) => {
    const page = await open({ isKeyless: true });
    const { id, key } = await makeKey(wanted);
    if (!('scopes' in wanted)) await revokeKey(service().core.db, id, { at: now() });

    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');

    await page.getByRole('alert').getByText(text).waitFor();
    expect(await page.evaluate('sessionStorage.getItem("vatfx-key")')).toBeNull();
  });

  it('is not shown again after a reload, but in another tab', async () => {
    const page = await open({ isKeyless: true });
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
    const page = await open({ isKeyless: true, at: '#/changes?country=HU' });
    const { id, key } = await makeKey();
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('1 change of national rates.').waitFor();

    await revokeKey(service().core.db, id, { at: now() });
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
    await page.getByRole('link', { name: 'All countries' }).click();

    await page.getByText('Your key no longer works').waitFor();
    await page.getByLabel('API key').fill(service().key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'VAT rates' }).waitFor();
  });
});

describe.skipIf(isWithoutBrowser)('a link with a key, as the demo prints it', () => {
  const openLink = async (demo: boolean) => {
    const page = await open({ isKeyless: true });
    await page.route('**/status', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), demo } as object });
    });
    // The tab is open already, so that the address alone changes.
    await page.evaluate(`location.hash = 'key=${service().key}'`);
    await expect.poll(() => page.url()).toBe(`${service().apiUrl}/`);
    return page;
  };

  it('opens the console of a demo, once, and is not in the address any more', async () => {
    const page = await openLink(true);

    await page.getByRole('table').waitFor();
    await page.goBack().catch(() => null);

    expect(page.url()).not.toContain('key=');
  });

  it('opens nothing on any other service, because the key may be that of another person', async () => {
    const page = await openLink(false);

    await page.getByLabel('API key').waitFor();

    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});
