import { describe, expect, it } from 'vitest';
import { findChromium, isWithoutBrowser } from './support/browser.ts';

// On a laptop a missing browser is a skip in sight; where everything is checked it has to be there.
describe('Chromium', () => {
  it.skipIf(isWithoutBrowser)('is installed; else no suite of the console runs', () => {
    expect(findChromium()).toBeDefined();
  });
});
