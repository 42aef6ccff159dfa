import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { callerWith, type Caller } from '../api/support/caller.ts';
import { findFreePort } from '../support/server-process.ts';
import { changeRate } from '../support/sandbox/scripts.ts';
import { type StartOptions, startService, type TestService } from '../support/start-service.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';

const hungary = {
  script: (scenario) => changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-20'),
  lived: ['2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
} satisfies StartOptions;

const rowsOf = (page: Page) => page.locator('.event');

async function check(service: TestService, number: string): Promise<string> {
  const caller: Caller = callerWith(service, { id: '', key: service.key });
  const { status, text } = await caller.sendRequest({
    method: 'POST',
    path: '/vatchecks',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      countryCode: number.slice(0, 2),
      vatNumber: number.slice(2),
      waitSeconds: 10,
    }),
  });
  expect(status).toBe(201);
  return (JSON.parse(text) as { readonly id: string }).id;
}

/** Answers requests for pages of the log with pages of invented events, 500 each. */
async function inventPages(page: Page, pages: number): Promise<string[]> {
  const requested: string[] = [];
  await page.route('**/events?*', async (route) => {
    const after = new URL(route.request().url()).searchParams.get('after') ?? '0';
    requested.push(after);
    if (after === 'now') return route.fulfill({ json: pageAfter(pages, pages) });
    if (Number(after) === pages) return undefined;
    return route.fulfill({ json: pageAfter(Number(after), pages) });
  });
  return requested;
}

function pageAfter(at: number, pages: number): unknown {
  const events = Array.from({ length: at === pages ? 0 : 500 }, (_, n) => ({
    id: `evt_${at}_${n}`,
    cursor: `c${at}_${n}`,
    type: 'categories.changed',
    timestamp: new Date(Date.UTC(2026, 0, 1, at, 0, n)).toISOString(),
    snapshotDate: '2026-01-01',
    changes: [{ country: 'DE' }],
    count: at * 500 + n,
  }));
  const next = Math.min(at + 1, pages);
  return { events, nextCursor: String(next), hasMore: next < pages };
}

describe.skipIf(isWithoutBrowser)('the events in the console (rule E7)', () => {
  it('are listed newest first, with links, and new ones appear as they happen', async () => {
    const service = await startService(hungary);
    await check(service, 'ATU99999901');
    const page = await openOn(service, { at: '#/events' });
    await page.getByText('2 events. New events appear here.').waitFor();

    const id = await check(service, 'DE200');

    await page.getByText('3 events. New events appear here.').waitFor();
    expect(await rowsOf(page).allTextContents()).toEqual([
      'VAT check ended20 Nov 2026, 16:00 UTCDE 200 · Not registeredvat.checked',
      'VAT check ended20 Nov 2026, 16:00 UTCAT U99999901 · Validvat.checked',
      'VAT rates changed20 Nov 2026, 16:00 UTC20 November 2026 · 1 change: Hungaryrates.changed',
    ]);
    await page.getByRole('link', { name: 'DE 200' }).click();
    await page.locator('.verdict').getByText('Not registered', { exact: true }).waitFor();
    expect(page.url()).toMatch(new RegExp(`#/check\\?id=${id}$`));
    await page.goBack();
    await page.getByRole('link', { name: '20 November 2026' }).click();
    await page.getByText('1 change on 1 day.').waitFor();
  });

  it('are filtered by type, which is in the address', async () => {
    const service = await startService(hungary);
    await check(service, 'ATU99999901');
    const page = await openOn(service, { at: '#/events' });
    await rowsOf(page).nth(1).waitFor();

    await page.getByLabel('Type').selectOption('VAT rates changed');

    await page.getByText('1 event. New events appear here.').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    expect(page.url()).toMatch(/#\/events\?type=rates.changed$/);
    await page.getByLabel('Type').selectOption('Watched number changed');
    await page.getByText('No such event yet').waitFor();
    await page.getByLabel('Type').selectOption('All types');
    await rowsOf(page).nth(1).waitFor();
  });

  it('stay while the service is restarted, and go on afterwards', async () => {
    const service = await startService({ ...hungary, config: { port: await findFreePort() } });
    const page = await openOn(service, { at: '#/events' });
    await rowsOf(page).waitFor();

    await service.stop();
    await page.getByText('The service does not answer').waitFor();
    expect(await rowsOf(page).count()).toBe(1);
    await service.start();
    await check(service, 'ATU99999901');

    await page.getByText('2 events. New events appear here.').waitFor({ timeout: 60_000 });
    expect(await page.getByText('The service does not answer').count()).toBe(0);
  });

  it('begin again at the oldest one if the cursor has expired', async () => {
    const service = await startService(hungary);
    const page = await openOn(service, { at: '#/events' });
    await page.route('**/events?*after=*', async (route) =>
      route.fulfill({ status: 410, json: { error: 'cursor expired' } }),
    );
    await page.getByText('The event log no longer has this place').waitFor();
    await page.unroute('**/events?*after=*');
    await page.getByRole('button', { name: 'Try again' }).click();

    await page.getByText('1 event. New events appear here.').waitFor();
    expect(await page.getByText('The event log no longer has this place').count()).toBe(0);
  });

  it('are read on request if the log is large, and the newest 200 are shown', async () => {
    const service = await startService();
    const page = await openOn(service, { at: '#/status' });
    await page.locator('.registries').waitFor();
    const requested = await inventPages(page, 12);
    await page.getByRole('link', { name: 'Events' }).click();

    await page.getByText('These are not the newest events yet').waitFor();
    expect(requested).toHaveLength(10);
    await page.getByText('5000 events read so far.').waitFor();
    await page.getByRole('button', { name: 'Read on' }).click();

    await page.getByText('6000 events, of which the newest 200 are shown.').waitFor();
    expect(await rowsOf(page).count()).toBe(200);
    expect(await rowsOf(page).first().textContent()).toContain('5999 changes');
  });
});
