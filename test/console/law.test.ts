import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { dateInWords } from '../../web/src/words.ts';
import { explainDate, explainEarlierLaw } from '../../web/src/law/law-words.ts';
import { pathOf, readQuestion } from '../../web/src/law/laws.ts';
import type { LawFx } from '../../web/src/wire.ts';
import { startService } from '../support/start-service.ts';
import { isWithoutBrowser, it, open, openOn, service } from './support/browser.ts';

const titleOf = (page: Page) => page.getByRole('heading', { name: 'Rates of' });

describe.skipIf(isWithoutBrowser)('“Which rate for my return?” (legal-fx L8)', () => {
  it('shows the rates for the last quarter that has ended, the date, why, and the citation', async () => {
    const page = await open({ at: '#/fx' });
    await page.getByRole('link', { name: 'Which rate for my return?' }).click();

    expect(await titleOf(page).textContent()).toBe('Rates of Wednesday, 30 September 2026');
    await page
      .getByText('Q3 2026 ended on Wednesday, 30 September 2026, and that day has a publication.')
      .waitFor();
    await page.getByText('art. 369h(2) (Union scheme), art. 366(2) (non-Union scheme).').waitFor();
    const { rates } = JSON.parse((await service().get('/fx/2026-09-30')).text) as {
      rates: Record<string, number>;
    };
    const rows = page.locator('tbody tr');
    expect(await rows.locator('.code').allTextContents()).toEqual(Object.keys(rates));
    expect(await rows.locator('td').allTextContents()).toEqual(Object.values(rates).map(String));
    expect(page.url()).toMatch(/#\/law$/);
  });

  it.each([
    ['IOSS return', 'Month', 'October', 'Monday, 2 November 2026', 'a day without a publication'],
    ['Customs value', 'Month', 'December', 'Wednesday, 18 November 2026', 'penultimate Wednesday'],
  ])('shows the rates for a month: %s', async (law, label, month, day, why) => {
    const page = await open({ at: '#/law?for=oss' });
    await page.getByLabel('For', { exact: true }).selectOption(law);

    await page.getByLabel(label).selectOption(month);
    await page.getByLabel('Year').selectOption('2026');

    await expect.poll(async () => titleOf(page).textContent()).toBe(`Rates of ${day}`);
    expect(await page.getByText(why).count()).toBe(1);
  });

  it('shows the rates for a tax point, and those of the Polish rule', async () => {
    const page = await open({ at: '#/law?for=vat&period=2026-11-19' });
    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Thursday, 19 November 2026');

    await page.getByRole('button', { name: 'Poland' }).click();

    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Wednesday, 18 November 2026');
    expect(
      await page.getByText('In Poland the newest publication before that day counts.').count(),
    ).toBe(1);
    expect(page.url()).toContain('country=PL');
    await page.getByLabel('Day of issue, if earlier').fill('2026-11-13');
    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Thursday, 12 November 2026');
    await page.getByText('before the day of issue counts').waitFor();
    await page.getByLabel('Day of issue, if earlier').fill('');
    await page.getByLabel('Day of the tax point').fill('2026-11-15');
    await expect
      .poll(async () => titleOf(page).textContent())
      .toBe('Rates of Friday, 13 November 2026');
  });

  it('shows the fixed rate of a former currency, and that the law is younger than the period', async () => {
    const long = await startService({ fxFrom: '2012-12-01', lived: ['2026-11-20T16:00:00Z'] });
    const page = await openOn(long, { at: '#/law?for=oss&period=2022-Q4' });
    const kuna = page.getByRole('row', { name: 'HRK' });
    await kuna.getByText('the euro since 1 January 2023').waitFor();
    expect(await kuna.locator('td').textContent()).toBe('7.5345');
    expect(await page.getByText('The law is younger').count()).toBe(0);

    await page.evaluate("location.hash = '#/law?for=vat&period=2012-12-31'");

    await page.getByText('The law is younger than this period').waitFor();
    await page.getByText('This law holds since 1 January 2013.').waitFor();
  });

  it('says that a rate is not certain yet, and when it can be', async () => {
    const page = await open({ at: '#/law?for=oss&period=2026-Q4' });

    await page.getByText('This rate is not certain yet').waitFor();
    await page.getByText('certain when the quarter has ended').waitFor();
    const { headers } = await service().get('/fx/oss/2026-Q4');
    // The service has its own clock; the browser has that of the machine.
    const earliest = Date.now() + Number(headers['retry-after']) * 1_000;
    const day = dateInWords(new Date(earliest).toISOString());
    await page.getByText(`The earliest time for that is ${day}, `).waitFor();
    expect(await page.getByRole('button', { name: 'Download CSV' }).count()).toBe(0);
  });
});

describe('the question of an address', () => {
  it.each([
    ['', '2026-11-20', '/fx/oss/2026-Q3'],
    ['for=oss', '2026-01-02', '/fx/oss/2025-Q4'],
    ['for=oss&period=2023-Q4', '2026-11-20', '/fx/oss/2023-Q4'],
    ['for=oss&period=2023-11', '2026-11-20', '/fx/oss/2026-Q3'],
    ['for=ioss', '2026-01-31', '/fx/ioss/2025-12'],
    ['for=customs', '2026-11-20', '/fx/customs/2026-11'],
    ['for=vat', '2026-11-20', '/fx/vat/2026-11-20'],
    ['for=vat&period=2026-03-01&country=PL', '2026-11-20', '/fx/vat/2026-03-01?country=PL'],
    ['for=oss&country=PL', '2026-11-20', '/fx/oss/2026-Q3'],
    [
      'for=vat&period=2026-03-03&country=PL&issued=2026-02-27',
      '2026-11-20',
      '/fx/vat/2026-03-03?country=PL&issued=2026-02-27',
    ],
    ['for=vat&period=2026-03-03&issued=2026-02-27', '2026-11-20', '/fx/vat/2026-03-03'],
    ['for=toString', '2026-11-20', '/fx/oss/2026-Q3'],
  ])('%j on %s is %s', (address, newest, path) => {
    expect(pathOf(readQuestion(new URLSearchParams(address), newest))).toBe(path);
  });
});

describe('the sentence that explains the date', () => {
  const rates = { base: 'EUR', rates: {}, fixed: {}, legalBasis: '', inForceSince: '' };
  it.each<[string, LawFx]>([
    [
      'Q4 2023 ended on Sunday, 31 December 2023, a day without a publication, so the next one after it counts.',
      {
        rule: 'oss',
        period: '2023-Q4',
        periodEnd: '2023-12-31',
        date: '2024-01-02',
        ...rates,
      },
    ],
    [
      'For January 2026 the penultimate Wednesday of the month before decides, 24 December 2025.',
      {
        rule: 'customs',
        period: '2026-01',
        decidedOn: '2025-12-24',
        date: '2025-12-24',
        ...rates,
      },
    ],
    [
      'For January 2025 the penultimate Wednesday of the month before decides, 25 December 2024. It has no publication, so the newest one before it counts.',
      {
        rule: 'customs',
        period: '2025-01',
        decidedOn: '2024-12-25',
        date: '2024-12-24',
        ...rates,
      },
    ],
    [
      'The day of the tax point, Sunday, 1 March 2026, has no publication, so the newest one before it counts.',
      { rule: 'vat', taxPoint: '2026-03-01', country: null, date: '2026-02-27', ...rates },
    ],
    [
      'The invoice is issued on Friday, 27 February 2026, before the tax point. In Poland the newest publication before the day of issue counts.',
      {
        rule: 'vat',
        taxPoint: '2026-03-03',
        issued: '2026-02-27',
        country: 'PL',
        date: '2026-02-26',
        ...rates,
      },
    ],
  ])('is “%s”', (sentence, answer) => {
    expect(explainDate(answer)).toBe(sentence);
  });

  it.each([
    ['2014-Q4', '2015-01-01', 'This law holds since 1 January 2015.'],
    ['2015-Q1', '2015-01-01', undefined],
    ['2021-06', '2021-07-01', 'This law holds since 1 July 2021.'],
    ['2021-07', '2021-07-01', undefined],
  ])('of the period %s and a law of %s adds %j', (period, inForceSince, sentence) => {
    const answer = {
      rule: 'oss',
      period,
      periodEnd: '',
      date: '',
      ...rates,
      inForceSince,
    } as const;

    expect(explainEarlierLaw(answer)?.slice(0, sentence?.length)).toBe(sentence);
  });
});
