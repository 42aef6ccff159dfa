import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect, it as anyTest, onTestFinished } from 'vitest';
import { readBuiltFiles } from '../../../src/console/built-files.ts';
import { isCi } from '../../support/programs.ts';
import { changeRate } from '../../support/sandbox/scripts.ts';
import { openService, type StartOptions, type TestService } from '../../support/start-service.ts';

/** Flags that switch off the browser's own requests: updates, accounts, predictions. */
const flags = [
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
  /** A script that runs in the page before its own. */
  readonly script?: string;
};

/** Three published days with two changes. */
export const livedDays: StartOptions = {
  script: (scenario) => {
    changeRate(scenario, 'HU', 'standard', ['25'], '2026-11-19');
    changeRate(scenario, 'IE', 'reduced', ['9', '12.5'], '2026-11-20');
  },
  lived: ['2026-11-18T16:00:00Z', '2026-11-19T16:00:00Z', '2026-11-20T16:00:00Z'],
};

let pages = 0;
let shared: { readonly browser: Browser; readonly service: TestService } | undefined;

/**
 * A test of the console. All tests of a worker process share one browser and one service with three published days;
 * each test has a key of its own, and therefore checks, watches and events of its own.
 */
export const it = anyTest
  // oxlint-disable-next-line no-empty-pattern -- the form that vitest requires
  .extend('started', { scope: 'worker', auto: true }, async ({}, { onCleanup }) => {
    if (isWithoutBrowser) return;
    if (readBuiltFiles().size === 0) throw new Error('not built yet: npm run build:console');
    const executablePath = findChromium();
    if (executablePath === undefined) throw new Error('chromium is not installed');
    const parts = new AsyncDisposableStack();
    onCleanup(async () => parts.disposeAsync());
    const { chromium } = await import('playwright-core');
    const browser = await chromium.launch({ executablePath, args: flags });
    parts.defer(async () => browser.close());
    const config = { trustedProxies: ['127.0.0.1'] };
    shared = { browser, service: await openService({ ...livedDays, config }, parts) };
  })
  // oxlint-disable-next-line no-empty-pattern -- the form that vitest requires
  .extend('key', { auto: true }, async ({}) => shared?.service.useNewKey());

function inTest(): NonNullable<typeof shared> {
  if (shared === undefined) throw new Error('the console can be opened only inside a test');
  return shared;
}

/** The service that the tests of the worker share. */
export function service(): TestService {
  return inTest().service;
}

/** Opens the console of the shared service in a new context of the browser. */
export async function open(visit: Visit = {}): Promise<Page> {
  return openOn(service(), visit);
}

/** A page in a new context of the browser, which is closed when the test ends. */
export async function newPage({ colorScheme, viewport }: Visit = {}): Promise<Page> {
  const context = await inTest().browser.newContext({
    locale: 'en-GB',
    colorScheme: colorScheme ?? 'light',
    viewport: viewport ?? { width: 1_280, height: 720 },
  });
  onTestFinished(async () => context.close());
  return context.newPage();
}

/**
 * Opens the console of a service in a new context of the browser.
 *
 * The test fails if the page sent a request to any server but the service, violated its Content-Security-Policy, threw,
 * or logged a warning.
 */
export async function openOn(
  { apiUrl, key }: Pick<TestService, 'apiUrl' | 'key'>,
  visit: Visit = {},
): Promise<Page> {
  const page = await newPage(visit);
  // An address of its own, because the files of all pages together are more than one may request in a minute.
  pages += 1;
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': `10.0.${pages >> 8}.${pages & 255}` });
  const violations = collectViolations(page, apiUrl);
  onTestFinished(() => expect(violations).toEqual([]));
  if (visit.isKeyless !== true) await page.addInitScript(storeKey(key));
  if (visit.script !== undefined) await page.addInitScript(visit.script);
  await page.goto(`${apiUrl}/${visit.at ?? ''}`);
  return page;
}

/** A script that stores the key in the tab once. A test can therefore remove the key and reload the page. */
function storeKey(key: string): string {
  return `
    if (sessionStorage.getItem('seen') === null) sessionStorage.setItem('vatfx-key', '${key}');
    sessionStorage.setItem('seen', 'yes');`;
}

/** Collects the requests, errors and warnings that a page must not cause. */
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
