import { describe, expect, it } from 'vitest';
import { findChromium, isWithoutBrowser } from './support/browser.ts';

describe('Chromium', () => {
  it.skipIf(isWithoutBrowser)('is installed, so that the suites of the console run', () => {
    expect(findChromium()).toBeDefined();
  });
});
