import { expect, it } from 'vitest';
import { readDays } from './comment-days.ts';

type Days = { readonly from?: string; readonly to?: string };

const gas = 'Applies to supply of natural gas, including fees related to that supply, made';

it.each<[comment: string, Days, rate?: string | null]>([
  ['Until 1 August 2025', { to: '2025-08-01' }],
  ['From 1 October 2025', { from: '2025-10-01' }],
  ['until March 31, 2026.', { to: '2026-03-31' }],
  ['From January 1, 2024 to March 30, 2025', { from: '2024-01-01', to: '2025-03-30' }],
  ['from 01/01/2025 to 31/12/2025', { from: '2025-01-01', to: '2025-12-31' }],
  ['FROM 2025-01-01 UNTIL 2025-12-31.', { from: '2025-01-01', to: '2025-12-31' }],
  ['As from 1/7/2025: 5 % on books', { from: '2025-07-01' }],
  ['from 1 may 2025 to 1 May 2025', { from: '2025-05-01', to: '2025-05-01' }],
  ['\n Until\u{a0}1  August 2025 \n', { to: '2025-08-01' }],
  ['Books (until 29 February 2028).', { to: '2028-02-29' }],
  ['(until 31/12/2025) Books', { to: '2025-12-31' }],
  // As France, Croatia and Austria wrote in 2025.
  ['From 1 October 2025 - Article 278-0 bis, P of the general tax code', { from: '2025-10-01' }],
  [`${gas} until March 31, 2026.`, { to: '2026-03-31' }],
  ['Until 31 March 2026 photovoltaic modules are zero tax rated', { to: '2026-03-31' }, '0'],
  ['Until 31 March 2026: exempt without credit', { to: '2026-03-31' }, null],
  ['Books; newspapers\nUntil 31 March 2026', { to: '2026-03-31' }],
  ['Until 31 March 2026.\nBooks; newspapers', { to: '2026-03-31' }],
  ['Books. Newspapers. The reduced rate applies until 31 March 2026.', { to: '2026-03-31' }],
  ['The reduced rate of 5,0 % is extended until 31 March 2026', { to: '2026-03-31' }],
])('the comment %j names the days %j', (comment, { from = null, to = null }, rate = '5') => {
  expect(readDays(comment, rate)).toEqual({ from, to });
});

it.each<[what: string, comment: string | null, rate?: string | null]>([
  ['none', null],
  ['a lone dash', '-'],
  ['blanks', ' \n '],
  ['no date', 'Until further notice'],
  ['a day that does not exist', 'Until 31 June 2025'],
  ['a day that does not exist, of two', 'From 1 January 2025 to 30/02/2025'],
  ['a month that does not exist', 'From 01/13/2025'],
  ['two days in the wrong order', 'From 31 December 2025 to 1 January 2025'],
  ['a month without a day', 'Until August 2025'],
  ['a span with half a day', 'From 1 January 2024 to March 2025'],
  ['an end that is no day', 'From 1 January 2024 to the end of the year'],
  ['an end that is not included', 'Until 1 August 2025 (exclusive)'],
  ['a longer word', 'Therefrom 1 August 2025'],
  ['a form that is not recognised', 'Up to and including 1 August 2025'],
  ['a date inside', 'Books until 1 August 2025 of any kind'],
  ['a day of a longer number', 'until 1 August 20251'],
  ['another rate', 'As from 01/01/2021 sweetened beverages are subject to the VAT rate (21%)'],
  ['a rate, of a row without one', 'Until 1 August 2025: 5 %', null],
  ['the standard rate', 'From 1 January 2026 sweets are subject to the standard VAT rate'],
  ['a zero rate', 'From 1 January 2026 - zero rate', '9'],
  ['an exemption', 'From 1 January 2026 hotels are exempt', '9'],
  ['an end of the rate', 'From 1 January 2026, sweets are not included'],
  // As Cyprus and Ireland wrote in 2025.
  ['a history', 'Until 31/8/2022 was 5% - from 1/9/2022 is 5%'],
  ['a history of sentences', 'From 5/5/2023 the sale of milk\nFrom 1/11/23 the sale of sugar'],
  ['a history at its end', 'It was temporarily reduced from 1 November 2020 to 31 August 2023.'],
  ['two spans', 'From 1 May 2023 homes; schools from 1 January 2024'],
  ['a span and a year', 'Until 1 August 2025; from 2026 on other goods'],
  ['a span and the day of a law', 'From 1 January 2025 (Law of 6 June 2001)'],
  ['a span and another date', 'From 1/1/2025 - decree 2/8/24'],
  ['an increase', 'From 1 January 2025, increased by decree'],
  ['instead of', 'From 1 January 2025 instead of the parking rate'],
  ['a condition', 'From 1 October 2025, if the supplier has opted'],
  ['an end behind it', 'From 1 January 2026 not applicable'],
  ['contracts behind it', 'Until 31 December 2025 for contracts concluded in spring'],
  ['the first of several items', 'Until 1 August 2025: gas\nWood'],
  ['the last of several items', 'Gas\nWood until 1 August 2025'],
  ['the last sentence', 'Gas. Diapers until 1 August 2025'],
  ['brackets behind a list', 'Gas, wood and heating (until 1 August 2025)'],
  ['contracts', 'For contracts concluded until 1 August 2025'],
  ['a condition in front of it', 'Electricity if it is for homes, until 1 August 2025'],
  ['applications', 'Building applications until 1 August 2025'],
  ['publication', 'Books published in Spain until 31 December 1945'],
  ['goods that were made', 'Carpets made until 31 December 1945'],
  ['delivered goods', 'Vehicles delivered until 31 December 2025'],
  ['sales that take place', 'Horses for sales that take place until 31 December 2025'],
  ['a law', 'Electricity, by the law in force from 1 October 2025'],
])('the comment with %s names no days: %j', (_, comment, rate = '5') => {
  expect(readDays(comment, rate)).toBeNull();
});

it.each(['a', 'a ', 'supply made ', ', (', '. ', '\n', '1 January ', 'from 1/', '(a, and '])(
  'a comment of 32 KB of %j with a day at an end is read in less than 200 ms',
  (piece) => {
    const many = piece.repeat(32_768 / piece.length);
    const before = process.threadCpuUsage();

    for (const comment of [many, `Until 1 August 2025 ${many}`, `${many} until 1 August 2025`]) {
      expect([null, '2025-08-01']).toContain(readDays(comment, '5')?.to ?? null);
    }
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(200);
  },
);
