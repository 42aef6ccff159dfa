import { describe, expect } from 'vitest';
import { parts } from '../../web/src/route.ts';
import { createKey, get, startServe } from '../journeys/support/serve-process.ts';
import { startUpstreams } from '../journeys/support/start-upstreams.ts';
import { eventually } from '../support/eventually.ts';
import { reportFigure } from '../support/proof.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';

const views = Object.values(parts).flat();

// Other suites of the console have a service in their process, whose time they set.
describe.skipIf(isWithoutBrowser)('the console of the bundle (reliability R47)', () => {
  it('shows each of its views, and the reference', async () => {
    const { env } = await startUpstreams();
    const key = await createKey(env);
    const { apiUrl } = await startServe(env);
    await eventually(async () => (await get(`${apiUrl}/fx`, key)).status === 200);
    await eventually(async () => (await get(`${apiUrl}/rates`, key)).status === 200);
    const page = await openOn({ apiUrl, key }, { at: '#/status' });

    const titles: string[] = [];
    for (const view of views) {
      await page.goto(`${apiUrl}/#/${view}`);
      await expect.poll(async () => page.title()).not.toBe(titles.at(-1) ?? 'Status · vatfx');
      await page.locator('main.view #view-title').waitFor();
      await expect.poll(async () => page.locator('main.view [aria-busy=true]').count()).toBe(0);
      expect(await page.getByRole('alert').allTextContents()).toEqual([]);
      titles.push(await page.title());
    }
    await page.goto(`${apiUrl}/docs`);
    await page.getByRole('heading', { name: 'First call' }).waitFor();

    expect(new Set(titles).size).toBe(views.length);
    reportFigure('R47', `the console of the bundle shows its ${views.length} views, and /docs`);
  });
});
