import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { isoDate } from '../../platform/time/time.ts';
import type { Sandbox } from '../sandbox.ts';
import { stripZeros } from './series.ts';
import { type FixingDay, printDaily, printHistory, printHistoryDay } from './xml.ts';
import { openSandbox } from '../../../test/support/sandbox/open-sandbox.ts';
import {
  capturedFolder,
  hasCaptured,
  readDays,
  type WireDay,
} from '../../../test/support/sandbox/upstream-reader.ts';
import { correctFixing } from '../../../test/support/sandbox/scripts.ts';

const daily = 'eurofxref-daily.xml';
const ninety = 'eurofxref-hist-90d.xml';

async function openAt(at: string) {
  return openSandbox({ at, historyFrom: isoDate('2025-01-02') });
}

function get(sandbox: Sandbox, file: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${sandbox.ecbUrl}${file}`, {
    headers: { 'Accept-Encoding': 'identity', ...headers },
  });
}

async function days(sandbox: Sandbox, file: string): Promise<readonly WireDay[]> {
  return readDays(await (await get(sandbox, file)).text());
}

describe('GET /stats/eurofxref/', () => {
  it.each<[string, string | undefined, string]>([
    ['2026-11-20T14:56:00Z', '2026-11-19', 'winter, before 15:56 in Frankfurt'],
    ['2026-11-20T14:57:00Z', '2026-11-20', 'winter, after it'],
    ['2026-06-19T13:57:00Z', '2026-06-19', 'summer, after it'],
    ['2026-11-22T20:00:00Z', '2026-11-20', 'a Sunday'],
    ['2026-04-07T12:00:00Z', '2026-04-02', 'after Easter'],
    ['2024-12-31T20:00:00Z', undefined, '404 before the first publication'],
  ])('shows at %s the fixing of %s (%s)', async (moment, date) => {
    const { sandbox } = await openAt(moment);

    const response = await get(sandbox, `${daily}?5f4dcc3b`);

    expect(response.ok ? readDays(await response.text())[0]?.date : undefined).toBe(date);
  });

  it('answers 304 until the next day is published or a value is corrected', async () => {
    const { sandbox, clock } = await openAt('2026-11-19T20:00:00Z');
    let since = '';
    const again = async () => {
      const { status, headers } = await get(sandbox, daily, { 'If-Modified-Since': since });
      since = headers.get('last-modified') ?? since;
      return status;
    };

    const statuses = [await again(), await again()];
    clock.set('2026-11-20T15:00:00Z');
    statuses.push(await again(), await again());
    for (const value of ['11.85', '11.86']) {
      correctFixing(sandbox.scenario, '2026-11-20', 'NOK', value);
      statuses.push(await again());
    }

    expect(statuses).toEqual([200, 304, 200, 304, 200, 200]);
  });
});

describe('the scenario of the ECB', () => {
  it.each([
    ['weekend', '2026-11-21'],
    ['old', '2025-11-19'],
    ['frozen', '2026-11-20'],
  ] as const)('shows with the fault %s the date %s', async (fault, date) => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');
    sandbox.scenario.apply({ ecb: { fault } });

    const [today, yesterday] = await days(sandbox, ninety);

    expect(today?.date).toBe(date);
    expect(JSON.stringify(today?.rates) === JSON.stringify(yesterday?.rates)).toBe(
      fault === 'frozen',
    );
  });
});

describe.skipIf(!hasCaptured)('the files of the ECB beside captured ones', () => {
  const read = (name: string) => readFileSync(`${capturedFolder}/ecb/${name}`, 'utf8');
  const toDays = (xml: string): readonly FixingDay[] =>
    readDays(xml).map(({ date, rates }) => ({
      date: isoDate(date),
      fixings: Object.entries(rates).map(([currency, rate]) => ({
        currency,
        value: stripZeros(rate),
      })),
    }));

  it.each(['2025-10-24', '2026-01-02'])('are the same on %s but for values', async (date) => {
    const captured = read(`eurofxref-daily_${date}.xml`);
    const { sandbox } = await openAt(`${date}T20:00:00Z`);
    const [day] = toDays(captured);

    const made = await (await get(sandbox, daily)).text();

    expect(day && printDaily(day)).toBe(captured);
    expect(made.replace(/[0-9]+/g, '0')).toBe(captured.replace(/[0-9]+/g, '0'));
  });

  it('are the same for 90 days but for values', async () => {
    const captured = read('eurofxref-hist-90d_2026-01-30.xml');
    const { sandbox } = await openAt('2026-01-30T20:00:00Z');
    const outline = (all: readonly WireDay[]) =>
      all.map(({ date, rates }) => `${date} ${Object.keys(rates).join()}`);

    expect(printHistory(toDays(captured).map(printHistoryDay))).toBe(captured);
    expect(outline(await days(sandbox, ninety))).toEqual(outline(readDays(captured)));
  });
});
