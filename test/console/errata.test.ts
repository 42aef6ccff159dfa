import { describe, expect } from 'vitest';
import { backfill } from '../support/backfill.ts';
import { shareService } from '../support/start-service.ts';
import { findFaults } from './support/accessibility.ts';
import { isWithoutBrowser, it, openOn } from './support/browser.ts';

const ofGermany = shareService({ lived: ['2021-03-01T16:00:00Z'] });
const cited =
  'Germany: standard 19 % in TEDB, 16 % by law, from 1 July 2020 to 31 December 2020. UStG § 28(1) to (3), Zweites Corona-Steuerhilfegesetz; BGBl. 2020 I p. 1512; UStG § 28(1): https://www.gesetze-im-internet.de/ustg_1980/__28.html.';

describe.skipIf(isWithoutBrowser)('the errata in the console (rule X3)', () => {
  it('mark the value of TEDB, and show that of the law with its citation', async () => {
    await backfill(ofGermany(), '2020-07-01');
    const page = await openOn(ofGermany(), { at: '#/rates?date=2020-07-01' });

    await page.getByText('Known errors of the source').waitFor();

    const cells = page.getByRole('row', { name: 'Germany' }).locator('td');
    expect((await cells.allTextContents()).slice(0, 2)).toEqual(['19law: 16', '7law: 5']);
    await expect
      .poll(async () => page.locator('td mark').allTextContents())
      .toEqual(['10 · 13', '19', '7']);
    expect((await page.locator('.errata li').allTextContents()).at(-1)).toBe(cited);
    await expect
      .poll(async () => page.locator('.errata li').last().getByRole('link').getAttribute('href'))
      .toBe('https://www.gesetze-im-internet.de/ustg_1980/__28.html');
  });

  it('stand below the history of a country', async () => {
    await backfill(ofGermany(), '2020-07-01');
    const page = await openOn(ofGermany(), { at: '#/country?country=DE' });

    await page.getByText(cited).waitFor();

    await expect.poll(async () => page.locator('.errata li').count()).toBe(2);
  });

  it('say if the law was read in a secondary source only', async () => {
    const page = await openOn(ofGermany(), { at: '#/country?country=CY' });

    const erratum = page.locator('.errata li', { hasText: '5 % and 9 % by law' });

    await expect
      .poll(async () => erratum.textContent())
      .toContain('; read in a secondary source. ');
  });

  it('fit each width, and have no accessibility violation', async () => {
    const page = await openOn(ofGermany(), { at: '#/rates' });
    await page.getByText('Known errors of the source').waitFor();

    expect(await findFaults(page)).toEqual([]);
  });
});
