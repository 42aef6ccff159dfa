import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { readBuiltFiles } from '../../../src/console/built-files.ts';
import { isCi } from '../../support/programs.ts';
import type { TestService } from '../../support/start-service.ts';

/** Nothing that a browser does by itself: no updates, no accounts, no guesses. */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser that the console is tried in; undefined where none is installed. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => [...folders, '/usr/bin'].map((folder) => join(folder, name)))
    .find(isProgram);
}

/** Without a browser suites are skipped, in sight; where everything is checked that is a failure. */
export const isWithoutBrowser = findChromium() === undefined && !isCi;

export type Visit = {
  /** What stands behind the address of the service. */
  readonly at?: string;
  /** Whether the tab has the service's key already, as after a reload. */
  readonly isKeyless?: boolean;
  readonly options?: BrowserContextOptions;
};

/** Opens the console of a service in a tab of its own, which has nothing in common with other tabs. */
export type Open = (service: TestService, visit?: Visit) => Promise<Page>;

/**
 * Starts one browser for all tests of a file.
 *
 * Each test ends with a look at what its pages did: nothing was asked of anybody but the service, the
 * policy had nothing to refuse, and nothing was thrown or complained about.
 */
export function useBrowser(): Open {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (isWithoutBrowser) return;
    if (readBuiltFiles().size === 0) throw new Error('not built yet: npm run build:console');
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error('chromium is not installed');
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: flags });
  });
  afterAll(async () => browser?.close());

  return async (service, visit = {}) => {
    if (browser === undefined) throw new Error('the browser is there in tests only');
    const context = await browser.newContext({ locale: 'en-GB', ...visit.options });
    const { apiUrl, key } = service;
    const page = await context.newPage();
    const complaints = listen(page, apiUrl);
    onTestFinished(async () => {
      await context.close();
      expect(complaints).toEqual([]);
    });
    if (visit.isKeyless !== true) {
      await page.addInitScript(`
        if (sessionStorage.getItem('seen') === null) sessionStorage.setItem('vatfx-key', '${key}');
        sessionStorage.setItem('seen', 'yes');`);
    }
    await page.goto(`${apiUrl}/${visit.at ?? ''}`);
    return page;
  };
}

/** Collects what must not happen. */
function listen(page: Page, apiUrl: string): string[] {
  const complaints: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${apiUrl}/`)) complaints.push(`asked somebody else: ${url}`);
    if (url.includes('vfx_')) complaints.push('a key is in an address');
  });
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    // The browser's own note that a request was not answered with 200.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  return complaints;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
