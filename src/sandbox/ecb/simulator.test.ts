import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { isoDate } from '../../platform/time.ts';
import type { Sandbox, SandboxOptions } from '../sandbox.ts';
import { openSandbox } from '../../../test/support/sandbox/open-sandbox.ts';
import {
  capturedFolder,
  hasCaptured,
  readDays,
  type WireDay,
} from '../../../test/support/sandbox/upstream-reader.ts';
import {
  correctFixing,
  publishValue,
  setEcbFault,
  setLateDays,
} from '../../../test/support/sandbox/scripts.ts';

async function openAt(at: string, options: SandboxOptions = {}) {
  return openSandbox({ at, historyFrom: isoDate('2025-01-02'), ...options });
}

function get(sandbox: Sandbox, file: string, headers: Readonly<Record<string, string>> = {}) {
  return fetch(`${sandbox.ecbUrl}${file}`, {
    headers: { 'Accept-Encoding': 'identity', ...headers },
  });
}

async function days(sandbox: Sandbox, file: string): Promise<readonly WireDay[]> {
  return readDays(await (await get(sandbox, file)).text());
}

async function newest(sandbox: Sandbox): Promise<string | undefined> {
  return (await days(sandbox, 'eurofxref-daily.xml'))[0]?.date;
}

describe('GET /stats/eurofxref/', () => {
  it.each([
    ['2026-11-20T14:56:00Z', '2026-11-19', 'winter, before 15:56 in Frankfurt'],
    ['2026-11-20T14:57:00Z', '2026-11-20', 'winter, after it'],
    ['2026-06-19T13:56:00Z', '2026-06-18', 'summer, before it'],
    ['2026-06-19T13:57:00Z', '2026-06-19', 'summer, after it'],
    ['2026-11-22T20:00:00Z', '2026-11-20', 'a Sunday'],
    ['2026-04-07T12:00:00Z', '2026-04-02', 'after Easter'],
  ])('shows at %s the fixing of %s (%s)', async (moment, date) => {
    const { sandbox } = await openAt(moment);

    expect(await newest(sandbox)).toBe(date);
  });

  it('lists 90 days in the 90-day file, newest first', async () => {
    const { sandbox } = await openAt('2026-06-19T20:00:00Z');

    const shown = (await days(sandbox, 'eurofxref-hist-90d.xml')).map(({ date }) => date);

    expect(shown).toHaveLength(62);
    expect(shown[0]).toBe('2026-06-19');
    expect(shown.at(-1)).toBe('2026-03-23');
    expect(shown).toEqual(shown.toSorted().toReversed());
  });

  it('lists all days since the first in the full history', async () => {
    const { sandbox } = await openAt('2026-04-13T20:00:00Z', {
      historyFrom: isoDate('1999-01-04'),
    });

    const shown = await days(sandbox, 'eurofxref-hist.xml');

    expect(shown).toHaveLength(6983);
    expect(shown.at(-1)).toMatchObject({ date: '1999-01-04', rates: { USD: '1.1789' } });
    expect(shown[0]).toMatchObject({ date: '2026-04-13', rates: { USD: '1.1684' } });
  });

  it('shows the same values in all three files', async () => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');
    const asNumbers = (day: WireDay | undefined) =>
      Object.entries(day?.rates ?? {}).map(([currency, rate]) => [currency, Number(rate)]);

    const [daily] = await days(sandbox, 'eurofxref-daily.xml');
    const [ninety] = await days(sandbox, 'eurofxref-hist-90d.xml');
    const [full] = await days(sandbox, 'eurofxref-hist.xml');

    expect(asNumbers(ninety)).toEqual(asNumbers(daily));
    expect(full).toEqual(ninety);
  });

  it('ignores a query, and answers 404 for other files', async () => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');

    expect((await get(sandbox, 'eurofxref-daily.xml?5f4dcc3b')).status).toBe(200);
    expect((await get(sandbox, 'eurofxref.zip')).status).toBe(404);
  });

  it('answers 404 before the first publication', async () => {
    const { sandbox } = await openAt('2024-12-31T20:00:00Z');

    expect((await get(sandbox, 'eurofxref-daily.xml')).status).toBe(404);
  });
});

describe('headers of the ECB', () => {
  it('equal the recorded headers', async () => {
    const { sandbox } = await openAt('2026-06-20T11:43:12Z');

    const { headers } = await get(sandbox, 'eurofxref-daily.xml');

    expect(Object.fromEntries(headers)).toMatchObject({
      server: 'myracloud',
      'content-type': 'text/xml',
      'cache-control': 'max-age=300',
      'content-disposition': 'attachment;',
      date: 'Sat, 20 Jun 2026 11:43:12 GMT',
    });
    expect(headers.get('last-modified')).toMatch(/^Fri, 19 Jun 2026 13:56:[1-5][0-9] GMT$/);
    expect(Date.parse(headers.get('expires') ?? '')).toBeLessThan(sandbox.clock.now());
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('content-length')).toBeNull();
  });

  it('answers 304 to the Last-Modified of the file, until the next day is published', async () => {
    const { sandbox, clock } = await openAt('2026-11-19T20:00:00Z');
    const lastModified = (await get(sandbox, 'eurofxref-daily.xml')).headers.get('last-modified');
    const again = () =>
      get(sandbox, 'eurofxref-daily.xml', { 'If-Modified-Since': lastModified ?? '' });

    const unchanged = await again();
    clock.set('2026-11-20T15:00:00Z');
    const changed = await again();

    expect(unchanged.status).toBe(304);
    expect(await unchanged.text()).toBe('');
    expect(changed.status).toBe(200);
    expect(readDays(await changed.text())[0]?.date).toBe('2026-11-20');
  });

  it.each(['eurofxref-daily.xml', 'eurofxref-hist-90d.xml', 'eurofxref-hist.xml'])(
    'compresses %s for those who can read it',
    async (file) => {
      const { sandbox } = await openAt('2026-11-20T20:00:00Z');

      const plain = await get(sandbox, file);
      const zipped = await get(sandbox, file, { 'Accept-Encoding': 'gzip' });

      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(zipped.headers.get('content-encoding')).toBe('gzip');
      expect(await zipped.text()).toBe(await plain.text());
    },
  );
});

describe('the scenario of the ECB', () => {
  it('delays publications that are still due by the scripted days', async () => {
    const { sandbox, clock } = await openAt('2026-11-19T12:00:00Z');
    setLateDays(sandbox.scenario, 1);
    const shownAt = async (moment: string) => {
      clock.set(moment);
      return newest(sandbox);
    };

    expect(await shownAt('2026-11-19T12:00:00Z')).toBe('2026-11-18');
    expect(await shownAt('2026-11-19T20:00:00Z')).toBe('2026-11-18');
    expect(await shownAt('2026-11-20T15:00:00Z')).toBe('2026-11-19');
    expect(await shownAt('2026-11-21T15:00:00Z')).toBe('2026-11-20');
    setLateDays(sandbox.scenario, 0);
    clock.set('2026-11-23T15:00:00Z');
    expect(await newest(sandbox)).toBe('2026-11-23');
  });

  it('has the moment of a late publication as Last-Modified', async () => {
    const { sandbox, clock } = await openAt('2026-11-19T12:00:00Z');
    setLateDays(sandbox.scenario, 1);
    clock.set('2026-11-20T16:00:00Z');

    const { headers } = await get(sandbox, 'eurofxref-daily.xml');

    expect(headers.get('last-modified')).toMatch(/^Fri, 20 Nov 2026 14:56:/);
  });

  it('corrects a value from now on, in a file with a new Last-Modified', async () => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');
    const valueOf = async (file: string) =>
      (await days(sandbox, file)).find(({ date }) => date === '2026-11-19')?.rates['NOK'];
    const before = await get(sandbox, 'eurofxref-hist-90d.xml');
    const original = await valueOf('eurofxref-hist-90d.xml');

    correctFixing(sandbox.scenario, '2026-11-19', 'NOK', '11.8500');

    const after = await get(sandbox, 'eurofxref-hist-90d.xml', {
      'If-Modified-Since': before.headers.get('last-modified') ?? '',
    });
    expect(original).not.toBe('11.85');
    expect(after.status).toBe(200);
    expect(await valueOf('eurofxref-hist-90d.xml')).toBe('11.85');
    expect(await valueOf('eurofxref-hist.xml')).toBe('11.85');
  });

  it('gives two corrections within a second different Last-Modified dates', async () => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');
    const lastModified = async () =>
      (await get(sandbox, 'eurofxref-daily.xml')).headers.get('last-modified');

    correctFixing(sandbox.scenario, '2026-11-20', 'NOK', '11.85');
    const first = await lastModified();
    correctFixing(sandbox.scenario, '2026-11-20', 'NOK', '11.86');

    expect(await lastModified()).not.toBe(first);
  });

  it('has a scripted value from its publication on', async () => {
    const { sandbox, clock } = await openAt('2026-11-20T12:00:00Z');
    publishValue(sandbox.scenario, '2026-11-20', 'USD', '11.6');

    clock.set('2026-11-20T20:00:00Z');

    const [day] = await days(sandbox, 'eurofxref-daily.xml');
    expect(day).toMatchObject({ date: '2026-11-20', rates: { USD: '11.6000' } });
  });

  it('adds a scripted currency that the ECB does not list', async () => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');
    publishValue(sandbox.scenario, '2026-11-20', 'XAU', '0.0003');

    expect((await days(sandbox, 'eurofxref-daily.xml'))[0]?.rates['XAU']).toBe('0.0003');
  });

  it('leaves out currencies of the newest day only', async () => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');
    sandbox.scenario.apply({ ecb: { missing: ['USD', 'JPY'] } });

    const [today, yesterday] = await days(sandbox, 'eurofxref-hist-90d.xml');

    expect(Object.keys(today?.rates ?? {})).toHaveLength(27);
    expect(Object.keys(yesterday?.rates ?? {})).toHaveLength(29);
  });

  it('repeats the values of the previous day on a frozen day', async () => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');
    setEcbFault(sandbox.scenario, 'frozen');

    const [today, yesterday] = await days(sandbox, 'eurofxref-hist-90d.xml');

    expect(today?.date).toBe('2026-11-20');
    expect(today?.rates).toEqual(yesterday?.rates);
  });

  it.each([
    ['weekend', '2026-11-21'],
    ['old', '2025-11-19'],
  ] as const)('shows with the fault %s the date %s', async (fault, date) => {
    const { sandbox } = await openAt('2026-11-20T20:00:00Z');
    setEcbFault(sandbox.scenario, fault);

    expect(await newest(sandbox)).toBe(date);
  });
});

describe.skipIf(!hasCaptured)('the files of the ECB beside captured ones', () => {
  const read = (name: string) => readFileSync(`${capturedFolder}/ecb/${name}`, 'utf8');
  const withoutDigits = (xml: string) => xml.replace(/[0-9]+/g, '0');

  it.each([
    ['2025-10-24', 'eurofxref-daily_2025-10-24.xml'],
    ['2026-01-02', 'eurofxref-daily_2026-01-02.xml'],
  ])('differs on %s from %s in digits only', async (date, name) => {
    const { sandbox } = await openAt(`${date}T20:00:00Z`);

    const xml = await (await get(sandbox, 'eurofxref-daily.xml')).text();

    expect(withoutDigits(xml)).toBe(withoutDigits(read(name)));
  });

  it('has the days and currencies of the 90-day file', async () => {
    const { sandbox } = await openAt('2026-01-30T20:00:00Z');
    const outline = (all: readonly WireDay[]) =>
      all.map(({ date, rates }) => `${date} ${Object.keys(rates).join()}`);

    const shown = await days(sandbox, 'eurofxref-hist-90d.xml');

    expect(outline(shown)).toEqual(outline(readDays(read('eurofxref-hist-90d_2026-01-30.xml'))));
  });
});
