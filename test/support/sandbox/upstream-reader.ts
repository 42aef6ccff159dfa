import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { SaxesParser } from 'saxes';

import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/**
 * Requests and readers for the tests of TEDB and the ECB, written from the contract (C13) and the wire
 * forms. They share no code with the service or the sandbox.
 */

/** The captured answers of the real upstreams, which are not part of the project. */
export const capturedFolder = resolve(import.meta.dirname, '../../../../shared/upstreams');
export const hasCaptured = existsSync(capturedFolder);

export interface WireRow {
  readonly memberState: string;
  readonly type: string;
  readonly rateType: string;
  readonly value: string;
  readonly situationOn: string;
  readonly category?: string | undefined;
  readonly comment?: string | undefined;
  /** Names of the children, in their order. */
  readonly children: readonly string[];
}

/** The rows of an answer, by a strict parser; throws on anything that is not well-formed. */
export function readRows(xml: string): readonly WireRow[] {
  const rows: { -readonly [K in keyof WireRow]: WireRow[K] }[] = [];
  let children: string[] = [];
  const path: string[] = [];
  let text = '';

  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local }) => {
    path.push(local);
    text = '';
    if (local === 'vatRateResults') {
      children = [];
      const empty = { memberState: '', type: '', rateType: '', value: '', situationOn: '' };
      rows.push({ ...empty, children });
    } else if (path.at(-2) === 'vatRateResults') {
      children.push(local);
    }
  });
  parser.on('text', (chunk) => {
    text += chunk;
  });
  parser.on('closetag', () => {
    const row = rows.at(-1);
    const where = path.slice(path.lastIndexOf('vatRateResults') + 1).join('/');
    path.pop();
    if (row === undefined || !(where in targets)) return;
    row[targets[where as keyof typeof targets]] = text;
  });
  parser.write(xml).close();
  return rows;
}

const targets = {
  memberState: 'memberState',
  type: 'type',
  'rate/type': 'rateType',
  'rate/value': 'value',
  situationOn: 'situationOn',
  'category/identifier': 'category',
  comment: 'comment',
} as const;

export interface NationalRates {
  readonly standard: number;
  readonly reduced: readonly number[];
  readonly superReduced: readonly number[];
  readonly parking: readonly number[];
}

type ReadableRow = Pick<WireRow, 'type' | 'rateType' | 'value' | 'category' | 'comment'>;

/** The national rates of one Member State's rows, as a correct reader takes them (contract C13). */
export function reduceRows(rows: readonly ReadableRow[]): NationalRates {
  const national = rows.filter(
    ({ category, comment }) =>
      category !== 'REGION' && !/^\s*VAT\s*-\s*.+?\s*-/.test(comment ?? ''),
  );
  const valuesOf = (type: string, rateType: string) =>
    [
      ...new Set(
        national
          .filter((row) => row.type === type && row.rateType === rateType)
          .map(({ value }) => Number(value)),
      ),
    ].sort((a, b) => a - b);

  const [standard, ...others] = valuesOf('STANDARD', 'DEFAULT');
  if (standard === undefined || others.length > 0) throw new Error('no single standard rate');
  return {
    standard,
    reduced: valuesOf('REDUCED', 'REDUCED_RATE').filter((one) => one !== 0 && one !== standard),
    superReduced: valuesOf('REDUCED', 'SUPER_REDUCED_RATE').filter((one) => one !== 0),
    parking: valuesOf('REDUCED', 'PARKING_RATE').filter((one) => one !== 0),
  };
}

const soapAction = 'urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates';
const message = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService';

/** A request for the codes; `period` is the XML of the dates, in the prefix `t`. */
export function tedbRequest(codes: readonly string[], period: string): string {
  const states = codes.map((code) => `<t:isoCode>${code}</t:isoCode>`).join('');
  return (
    `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:m="${message}"` +
    ` xmlns:t="${message}:types"><s:Body><m:retrieveVatRatesReqMsg>` +
    `<t:memberStates>${states}</t:memberStates>${period}` +
    '</m:retrieveVatRatesReqMsg></s:Body></s:Envelope>'
  );
}

export function situationOn(date: string): string {
  return `<t:situationOn>${date}</t:situationOn>`;
}

export async function postTedb(
  sandbox: Sandbox,
  body: string,
  headers: Readonly<Record<string, string>> = { SOAPAction: soapAction },
): Promise<Response> {
  return fetch(sandbox.tedbUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'text/xml; charset=utf-8', ...headers },
    body,
  });
}

/** The rows on a date; throws unless the answer is 200. */
export async function queryTedb(
  sandbox: Sandbox,
  codes: readonly string[],
  period: string,
): Promise<readonly WireRow[]> {
  const response = await postTedb(sandbox, tedbRequest(codes, period));
  if (response.status !== 200) throw new Error(`TEDB answered ${response.status}`);
  return readRows(await response.text());
}

export interface WireDay {
  readonly date: string;
  readonly rates: Readonly<Record<string, string>>;
}

/** The days of any of the ECB's files, in their order, values as they are written. */
export function readDays(xml: string): readonly WireDay[] {
  const days: { date: string; rates: Record<string, string> }[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, attributes }) => {
    if (local !== 'Cube') return;
    const { time, currency, rate } = attributes;
    if (time !== undefined) days.push({ date: time.value, rates: {} });
    const day = days.at(-1);
    if (day !== undefined && currency !== undefined) day.rates[currency.value] = rate?.value ?? '';
  });
  parser.write(xml).close();
  return days;
}
