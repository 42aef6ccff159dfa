import { describe, expect, it } from 'vitest';

import type { Sandbox } from '../sandbox.ts';
import { openSandbox } from '../../../test/support/sandbox/open-sandbox.ts';
import { memberStates } from '../data/vat-rates.ts';
import {
  queryTedb,
  postTedb,
  readRows,
  reduceRows,
  situationOn,
  tedbRequest,
} from '../../../test/support/sandbox/upstream-reader.ts';
import { changeRate, setTedbFault, setToday } from '../../../test/support/sandbox/scripts.ts';

const today = situationOn('2026-09-15');

async function open(): Promise<Sandbox> {
  return (await openSandbox({ brief: true })).sandbox;
}

async function standardOf(sandbox: Sandbox, state: string, period = today): Promise<number> {
  return reduceRows(await queryTedb(sandbox, [state], period)).standard;
}

describe('POST /taxation_customs/tedb/ws/', () => {
  it('answers for the 27 Member States with as many bytes as the real service', async () => {
    const { sandbox } = await openSandbox();

    const xml = await (await postTedb(sandbox, tedbRequest(memberStates, today))).text();

    const states = [...new Set(readRows(xml).map(({ memberState }) => memberState))];
    expect(xml.length / 1_600_000).toBeCloseTo(1, 1);
    expect(states.toSorted()).toEqual(memberStates);
    // Not in the order of the request.
    expect(states).not.toEqual(memberStates);
  });

  it.each([
    ['in another namespace', (xml: string) => xml.replaceAll('t:isoCode', 'm:isoCode')],
    ['that is cut off', (xml: string) => xml.slice(0, -30)],
    ['without a date', (xml: string) => xml.replace(today, '')],
    ['with from alone', (xml: string) => xml.replaceAll('situationOn>', 'from>')],
    ['with a code in lower case', (xml: string) => xml.replace('>DE<', '>de<')],
    ['with a date that is none', (xml: string) => xml.replace('2026-09-15', '2026-02-30')],
  ])('refuses a request %s', async (_, spoil) => {
    const response = await postTedb(await open(), spoil(tedbRequest(['DE'], today)));

    expect(response.status).toBe(500);
    expect(await response.text()).toContain('TEDB-ERR-2 - Request is not valid');
  });
});

describe('the date of a request to TEDB', () => {
  it.each([
    ['HU', '<t:situationOn/>', 27],
    ['RO', situationOn('2025-07-31'), 19],
    ['RO', '<t:to>2025-08-01+02:00</t:to>', 21],
  ])('has in %s for %s the standard rate %d', async (state, period, rate) => {
    expect(await standardOf(await open(), state, period)).toBe(rate);
  });

  it('has no row before 2016, and no scripted change before its day', async () => {
    const sandbox = await open();
    const changed = situationOn('2026-12-01');
    changeRate(sandbox.scenario, 'HU', 'standard', ['25'], '2026-11-21');
    const before = await standardOf(sandbox, 'HU', changed);

    setToday(sandbox.scenario, '2026-11-21');

    expect(await queryTedb(sandbox, ['DE'], situationOn('2015-12-31'))).toEqual([]);
    expect([before, await standardOf(sandbox, 'HU', changed)]).toEqual([27, 25]);
  });
});

describe('faults of TEDB in its data', () => {
  it.each([
    ['canary-standard', 'ES', today, 'STANDARD', ['7.0']],
    ['canary-standard', 'PT', today, 'STANDARD', ['23.0']],
    ['zeroes', 'PT', today, 'REDUCED', ['0.0']],
    ['old', 'RO', situationOn('2026-07-15'), 'STANDARD', ['19.0']],
    ['current', 'RO', situationOn('2025-07-15'), 'STANDARD', ['21.0']],
  ] as const)('%s: %s %s has the %s rates %j', async (fault, state, period, type, values) => {
    const sandbox = await open();
    setTedbFault(sandbox.scenario, fault);

    const rows = await queryTedb(sandbox, [state], period);

    const shown = rows.filter((row) => row.type === type).map(({ value }) => value);
    expect([...new Set(shown)]).toEqual(values);
  });
});
