import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { VatfxClient } from '../../client/src/index.ts';
import { startNginx, startPlainNginx } from '../deploy/support/start-nginx.ts';
import { addCaller } from '../api/support/caller.ts';
import { findNginx } from '../support/programs.ts';
import { storeChecks } from '../support/stored-checks.ts';
import { shareService } from '../support/start-service.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';

const config = { publicUrl: 'https://tax.example.com/vatfx' };

/** The blocks of docs/tls.md for nginx with a path: the first cuts it off, the second does not. */
const blocks = [
  ...readFileSync('docs/tls.md', 'utf8').matchAll(/```nginx\n(location \/vatfx\/ [^]*?)```/g),
].map(([, block = '']) => block);
const startAsDocumented = (at: number) => async (apiUrl: string) =>
  startPlainNginx((blocks[at] ?? '').replace('http://127.0.0.1:8080', apiUrl));

/** Opens an address, and collects the answers with an error status. */
async function open(apiUrl: string, at: string): Promise<[Page, string[]]> {
  const page = await openOn({ apiUrl, key: '' }, { at: 'favicon.ico', isKeyless: true });
  const refused: string[] = [];
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(apiUrl + at);
  return [page, refused];
}

const service = shareService({ config, lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'] });

const isWithoutNginx = findNginx() === undefined;
const documented = [
  ['cuts the path off', startAsDocumented(0)],
  ['leaves the path', startAsDocumented(1)],
] as const;

describe.skipIf(isWithoutBrowser || isWithoutNginx).each(documented)(
  'under /vatfx, behind an nginx that %s (rule O7)',
  (_how, start) => {
    it('the console and the reference load everything below it', async () => {
      const url = `${(await start(service().apiUrl)).url}/vatfx`;
      const [page, refused] = await open(url, '/');
      await page.getByLabel('API key').fill(service().key);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Exchange rates' }).click();
      await page.goto(`${url}/#/rates?date=2026-11-19`);
      await page.reload();
      await page.getByRole('rowheader', { name: 'Austria' }).waitFor();
      await page.getByText('As API call').click();
      await expect
        .poll(async () => page.locator('.curl').first().textContent())
        .toContain(`'${url}/rates/2026-11-19'`);

      await page.getByRole('link', { name: 'API reference' }).click();
      await page.getByRole('heading', { name: 'First call' }).waitFor();
      await expect
        .poll(async () => page.locator('[data-in="setup"]').first().textContent())
        .toContain(`export URL=${url}\n`);
      await page.getByRole('link', { name: 'openapi.json' }).click();
      expect(page.url()).toBe(`${url}/openapi.json`);
      await expect
        .poll(async () => page.textContent('pre'))
        .toContain(`"servers":[{"url":"${config.publicUrl}"`);
      await page.goBack();
      await page.getByRole('link', { name: '← Console' }).click();
      await page.getByRole('rowheader', { name: 'Austria' }).waitFor();
      expect([page.url(), refused]).toEqual([`${url}/`, []]);
    });
  },
);

describe
  .skipIf(isWithoutNginx)
  .each([
    ...documented,
    [
      'has deploy/nginx.conf',
      async (apiUrl: string) => startNginx([apiUrl, apiUrl], { isUnderPath: true }),
    ] as const,
  ])('under /vatfx, behind an nginx that %s (rule O7)', (_how, start) => {
  it('the client and the links of answers stay below it', async () => {
    const url = `${(await start(service().apiUrl)).url}/vatfx`;
    const vatfx = new VatfxClient({ url: `${url}/`, key: service().key });
    expect((await vatfx.rates('2026-11-19')).version).toBe('2026-11-19');
    expect((await vatfx.fx('2026-11-21', { fallBack: 'previous' })).date).toBe('2026-11-20');

    const headers = { authorization: `Bearer ${service().key}` };
    const missing = await fetch(`${url}/rates/2026-11-18`, { headers });
    const next = /<([^>]+)>; rel="next"/.exec(missing.headers.get('link') ?? '')?.[1] ?? '';
    const answer = await fetch(new URL(next, url), { headers });

    expect([next, answer.status]).toEqual(['/vatfx/rates/2026-11-19', 200]);
  });
});

describe.skipIf(isWithoutBrowser)('the console at the path without a slash (rule O7)', () => {
  it('loads everything below the path, also the further pages of a CSV file', async () => {
    const { id, key } = await addCaller(service());
    // Two pages, because a page ends at 1 MB.
    const name = 'n'.repeat(300_000);
    const ids = ['1', '2', '3', '4', '5'].map((digit) => `vc_${digit.repeat(32)}`);
    const rows = ids.map((of) => ({ id: of, key_id: id, status: 'answered' as const, name }));
    await storeChecks(service().core.db, ...rows);
    const [page, refused] = await open(service().apiUrl, '/vatfx#/checks');
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = readFileSync(await (await downloads).path(), 'utf8');

    expect(ids.filter((of) => !file.includes(of))).toEqual([]);
    const all = 'performance.getEntriesByType("resource").map((one) => new URL(one.name).pathname)';
    const paths = await page.evaluate<readonly string[]>(all);
    expect([page.url(), refused]).toEqual([`${service().apiUrl}/vatfx#/checks`, []]);
    expect(paths.filter((path) => !path.startsWith('/vatfx/'))).toEqual([]);
    expect(paths.filter((path) => path === '/vatfx/vatchecks.csv')).toHaveLength(2);
  });
});
