import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { readBuiltFiles } from '../../../src/console/built-files.ts';
import { isCi } from '../../support/programs.ts';
import type { TestService } from '../../support/start-service.ts';

/** Flags that switch off the browser's own requests: updates, accounts, predictions. */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser for the tests of the console; undefined if none is installed. */
export function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => [...folders, '/usr/bin'].map((folder) => join(folder, name)))
    .find(isProgram);
}

/** Without a browser the suites are skipped and reported as skipped; in CI they fail. */
export const isWithoutBrowser = findChromium() === undefined && !isCi;

export type Visit = {
  /** The part of the address after the service's origin. */
  readonly at?: string;
  /** Whether the tab has no key. By default it has the service's key, as after a reload. */
  readonly isKeyless?: boolean;
  readonly colorScheme?: 'light' | 'dark';
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Whether the page is opened in a new context, without anything in the browser's cache. */
  readonly isFirst?: boolean;
};

/** Opens the console of a service. */
export type Open = (service: TestService, visit?: Visit) => Promise<Page>;

const desktop = { width: 1_280, height: 720 };

/**
 * Starts one browser with one tab for all tests of a file. A new tab for each test would take five times as long.
 *
 * At the end of each test the tab is reset: storage, emulation, permissions and routes. The test fails if a page sent
 * a request to any server but the service, violated its Content-Security-Policy, threw, or logged a warning.
 */
export function useBrowser(): Open {
  let browser: Browser | undefined;
  let tab: Page | undefined;
  beforeAll(async () => {
    if (isWithoutBrowser) return;
    if (readBuiltFiles().size === 0) throw new Error('not built yet: npm run build:console');
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error('chromium is not installed');
    const { chromium } = await import('playwright-core');
    browser = await chromium.launch({ executablePath, args: flags });
    tab = await newTab(browser);
  });
  afterAll(async () => browser?.close());

  return async (service, visit = {}) => {
    if (browser === undefined || tab === undefined) {
      throw new Error('the console can be opened only inside a test');
    }
    const page = visit.isFirst === true ? await newTab(browser) : tab;
    const { apiUrl, key } = service;
    const violations = collectViolations(page, apiUrl);
    await page.emulateMedia({ colorScheme: visit.colorScheme ?? 'light', media: null });
    await page.setViewportSize(visit.viewport ?? desktop);
    const script = visit.isKeyless === true ? '' : storeKey(key);
    const initScript = await page.addInitScript(script);
    onTestFinished(async () => {
      await initScript.dispose();
      await (page === tab ? reset(page) : page.context().close());
      expect(violations).toEqual([]);
    });
    await page.goto(`${apiUrl}/${visit.at ?? ''}`);
    return page;
  };
}

async function newTab(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' });
  return context.newPage();
}

/** A script that stores the key in the tab once. A test can therefore remove the key and reload the page. */
function storeKey(key: string): string {
  return `
    if (sessionStorage.getItem('seen') === null) sessionStorage.setItem('vatfx-key', '${key}');
    sessionStorage.setItem('seen', 'yes');`;
}

async function reset(page: Page): Promise<void> {
  const context = page.context();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate('sessionStorage.clear(); localStorage.clear()');
  await page.goto('about:blank');
  page.removeAllListeners();
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.setOffline(false);
  await context.clearPermissions();
}

/** Collects, until the page is reset, the requests, errors and warnings that a page must not cause. */
function collectViolations(page: Page, apiUrl: string): string[] {
  const violations: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${apiUrl}/`)) violations.push(`a request to another server: ${url}`);
    if (url.includes('vfx_')) violations.push('a key is in an address');
  });
  page.on('pageerror', (error) => violations.push(`thrown: ${error.message}`));
  page.on('console', (message) => {
    // The browser's own message for an answer with an error status.
    if (message.text().startsWith('Failed to load resource')) return;
    if (['error', 'warning'].includes(message.type())) violations.push(message.text());
  });
  return violations;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
