import { describe, expect, it } from 'vitest';

import type { Sandbox, SandboxOptions } from '../sandbox.ts';
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

async function open(options: SandboxOptions = {}): Promise<Sandbox> {
  return (await openSandbox({ brief: true, ...options })).sandbox;
}

describe('POST /taxation_customs/tedb/ws/', () => {
  it('answers for the 27 Member States with as many bytes as the real service', async () => {
    const sandbox = await open({ brief: false });

    const response = await postTedb(sandbox, tedbRequest(memberStates, situationOn('2026-09-15')));

    const xml = await response.text();
    expect(response.status).toBe(200);
    expect(xml.length).toBeGreaterThan(1_500_000);
    expect(xml.length).toBeLessThan(1_700_000);
    expect(readRows(xml).length).toBeGreaterThan(1_090);
    expect(readRows(xml).length).toBeLessThan(1_140);
  });

  it('answers with few rows if brief is set', async () => {
    const sandbox = await open();

    const xml = await (
      await postTedb(sandbox, tedbRequest(memberStates, situationOn('2026-09-15')))
    ).text();

    expect(xml.length).toBeLessThan(300_000);
    expect(new Set(readRows(xml).map(({ memberState }) => memberState)).size).toBe(27);
  });

  it('answers the same request with the same bytes', async () => {
    const request = tedbRequest(memberStates, situationOn('2026-09-15'));
    const first = await (await postTedb(await open(), request)).text();
    const second = await (await postTedb(await open(), request)).text();

    expect(second).toBe(first);
  });

  it('does not answer in the order of the request or of the alphabet', async () => {
    const rows = await queryTedb(await open(), memberStates, situationOn('2026-09-15'));

    const order = [...new Set(rows.map(({ memberState }) => memberState))];
    expect(order).not.toEqual(memberStates);
    const germanyAndGuests = rows.slice(
      rows.findIndex(({ memberState }) => memberState === 'DE'),
      rows.findLastIndex(({ memberState }) => memberState === 'DE'),
    );
    expect(germanyAndGuests.map(({ memberState }) => memberState)).toContain('DK');
  });

  it.each([
    undefined,
    '',
    '""',
    'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService/retrieveVatRates',
  ])('answers an empty 404 to the SOAPAction %j', async (action) => {
    const sandbox = await open();

    const response = await postTedb(
      sandbox,
      tedbRequest(['DE'], situationOn('2026-09-15')),
      action === undefined ? {} : { SOAPAction: action },
    );

    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
  });

  it('accepts the SOAPAction in quotes and any path below its folder', async () => {
    const sandbox = await open();
    const action = '"urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates"';

    const response = await fetch(`${sandbox.tedbUrl}VatRetrievalService-ACC`, {
      method: 'POST',
      headers: { SOAPAction: action },
      body: tedbRequest(['DE'], situationOn('2026-09-15')),
    });

    expect(response.status).toBe(200);
  });

  it.each([
    ['GB', 'UK', '2020-01-01+01:00'],
    ['XI', 'XI', '2026-01-01+01:00'],
    ['EL', 'EL', '2026-01-01+01:00'],
  ])('answers %s with records of %s', async (asked, answered, record) => {
    const rows = await queryTedb(await open(), [asked], situationOn('2026-09-15'));

    expect(new Set(rows.map(({ memberState }) => memberState))).toEqual(new Set([answered]));
    expect(new Set(rows.map((row) => row.situationOn))).toEqual(new Set([record]));
  });

  it.each([
    [
      'from a child in the namespace of the message',
      (xml: string) => xml.replaceAll('t:isoCode', 'm:isoCode'),
    ],
    ['from a body that is not XML', () => 'DE'],
    ['from a body that is cut off', (xml: string) => xml.slice(0, -30)],
    ['without a date', (xml: string) => xml.replace(situationOn('2026-09-15'), '')],
    ['with from alone', (xml: string) => xml.replaceAll('situationOn>', 'from>')],
    [
      'with situationOn and to',
      (xml: string) => xml.replace('</m:retrieve', '<t:to>2026-09-15</t:to></m:retrieve'),
    ],
    ['with a code in lower case', (xml: string) => xml.replace('>DE<', '>de<')],
    ['with a date that is none', (xml: string) => xml.replace('2026-09-15', '2026-02-30')],
  ])('rejects a request %s as invalid', async (_, spoil) => {
    const response = await postTedb(
      await open(),
      spoil(tedbRequest(['DE'], situationOn('2026-09-15'))),
    );

    const fault = await response.text();
    expect(response.status).toBe(500);
    expect(fault).toContain('<faultstring>TEDB-ERR-2 - Request is not valid</faultstring>');
    expect(fault).toContain('The XSD validation failed');
  });
});

describe('the date of a request to TEDB', () => {
  it('reads an empty situationOn as today', async () => {
    const sandbox = await open();
    const now = await queryTedb(sandbox, ['AT'], '<t:situationOn/>');

    expect(now).toEqual(await queryTedb(sandbox, ['AT'], situationOn('2026-11-20')));
    expect(reduceRows(now).superReduced).toEqual([4.9]);
  });

  it('reads to without from like situationOn, also with an offset', async () => {
    const sandbox = await open();

    const rows = await queryTedb(sandbox, ['EE'], situationOn('2024-03-01'));
    expect(await queryTedb(sandbox, ['EE'], '<t:to>2024-03-01+01:00</t:to>')).toEqual(rows);
    expect(reduceRows(rows).standard).toBe(22);
  });

  it('answers without rows before 2016', async () => {
    const response = await postTedb(await open(), tedbRequest(['DE'], situationOn('2015-12-31')));

    const xml = await response.text();
    expect(response.status).toBe(200);
    expect(xml).toContain('<additionalInformation/></ns0:retrieveVatRatesRespMsg>');
  });

  it('prints the start of a record with the offset of Brussels', async () => {
    const sandbox = await open();
    const records = async (state: string, date: string) =>
      (await queryTedb(sandbox, [state], situationOn(date))).map((row) => row.situationOn);

    expect(new Set(await records('RO', '2025-12-31'))).toEqual(new Set(['2025-08-01+02:00']));
    expect(new Set(await records('FI', '2026-03-01'))).toEqual(new Set(['2026-01-01+01:00']));
  });

  it('answers a range with the record in force on its first day and all later records', async () => {
    const rows = await queryTedb(
      await open(),
      ['RO'],
      '<t:from>2025-06-15</t:from><t:to>2025-08-26</t:to>',
    );

    const standard = rows.filter(({ type }) => type === 'STANDARD');
    expect(standard.map(({ situationOn: date, value }) => `${date} ${value}`).sort()).toEqual([
      '2025-01-01+01:00 19.0',
      '2025-07-01+02:00 19.0',
      '2025-08-01+02:00 21.0',
    ]);
  });

  it('shows a scripted change in the past immediately, in spite of cached answers', async () => {
    const sandbox = await open();
    const standard = async () =>
      reduceRows(await queryTedb(sandbox, ['HU'], situationOn('2026-11-20'))).standard;

    expect(await standard()).toBe(27);
    changeRate(sandbox.scenario, 'HU', 'standard', ['25'], '2026-11-01');
    expect(await standard()).toBe(25);
  });

  it('answers a range and its last day with different records', async () => {
    const sandbox = await open();
    const records = async (period: string) =>
      new Set((await queryTedb(sandbox, ['RO'], period)).map((row) => row.situationOn)).size;

    expect(await records('<t:from>2025-06-15</t:from><t:to>2025-08-26</t:to>')).toBe(3);
    expect(await records('<t:to>2025-08-26</t:to>')).toBe(1);
  });

  it('does not have a change before its day', async () => {
    const sandbox = await open();
    changeRate(sandbox.scenario, 'HU', 'standard', ['25'], '2026-11-21');
    const standard = async () =>
      reduceRows(await queryTedb(sandbox, ['HU'], situationOn('2026-12-01'))).standard;

    expect(await standard()).toBe(27);
    setToday(sandbox.scenario, '2026-11-21');
    expect(await standard()).toBe(25);
  });
});

describe('faults of TEDB in its data', () => {
  const standardOf = async (sandbox: Awaited<ReturnType<typeof open>>, state: string) =>
    (await queryTedb(sandbox, [state], situationOn('2026-09-15')))
      .filter(({ type }) => type === 'STANDARD')
      .map(({ value }) => value);

  it('leaves out a Member State', async () => {
    const sandbox = await open();
    sandbox.scenario.apply({ tedb: { missing: ['DE'] } });

    const rows = await queryTedb(sandbox, ['DE', 'FR'], situationOn('2026-09-15'));

    expect(new Set(rows.map(({ memberState }) => memberState))).toEqual(new Set(['FR']));
  });

  it('has only the standard rate of the Canary Islands for Spain', async () => {
    const sandbox = await open();
    setTedbFault(sandbox.scenario, 'canary-standard');

    expect(await standardOf(sandbox, 'ES')).toEqual(['7.0']);
    expect(await standardOf(sandbox, 'PT')).toEqual(['23.0']);
  });

  it('has zero for every reduced rate', async () => {
    const sandbox = await open();
    setTedbFault(sandbox.scenario, 'zeroes');

    const rows = await queryTedb(sandbox, memberStates, situationOn('2026-09-15'));

    const reduced = rows.filter(({ type }) => type === 'REDUCED');
    expect(new Set(reduced.map(({ value }) => value))).toEqual(new Set(['0.0']));
    expect(await standardOf(sandbox, 'PT')).toEqual(['23.0']);
  });

  it('answers with the records of a year earlier', async () => {
    const sandbox = await open();
    setTedbFault(sandbox.scenario, 'old');

    const rows = await queryTedb(sandbox, ['RO'], situationOn('2026-07-15'));

    expect(reduceRows(rows).standard).toBe(19);
  });

  it('answers with the rates in force now, for every date', async () => {
    const sandbox = await open();
    setTedbFault(sandbox.scenario, 'current');

    const rows = await queryTedb(sandbox, ['RO'], situationOn('2025-07-15'));

    expect(reduceRows(rows).standard).toBe(21);
  });

  it('has two standard rates if a script gives a country two', async () => {
    const sandbox = await open();
    changeRate(sandbox.scenario, 'HU', 'standard', ['25', '27'], '2026-01-01');

    expect(await standardOf(sandbox, 'HU')).toEqual(['25.0', '27.0']);
  });
});
