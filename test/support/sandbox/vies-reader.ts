import { SaxesParser } from 'saxes';

import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/**
 * Requests and a reader for the tests of VIES, written from the WSDL and the captured answers. They share no
 * code with the service or the sandbox.
 */

const soap = 'http://schemas.xmlsoap.org/soap/envelope/';
const types = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types';

/** The numbers of VIES's own test service that are answered with a fault, each with that fault. */
export const testNumberFaults = [
  ['201', 'INVALID_INPUT'],
  ['202', 'INVALID_REQUESTER_INFO'],
  ['300', 'SERVICE_UNAVAILABLE'],
  ['301', 'MS_UNAVAILABLE'],
  ['302', 'TIMEOUT'],
  ['400', 'VAT_BLOCKED'],
  ['401', 'IP_BLOCKED'],
  ['500', 'GLOBAL_MAX_CONCURRENT_REQ'],
  ['501', 'GLOBAL_MAX_CONCURRENT_REQ_TIME'],
  ['600', 'MS_MAX_CONCURRENT_REQ'],
  ['601', 'MS_MAX_CONCURRENT_REQ_TIME'],
] as const;

export function viesRequest(countryCode: string, vatNumber: string): string {
  return (
    `<s:Envelope xmlns:s="${soap}"><s:Body><c:checkVat xmlns:c="${types}">` +
    `<c:countryCode>${countryCode}</c:countryCode><c:vatNumber>${vatNumber}</c:vatNumber>` +
    '</c:checkVat></s:Body></s:Envelope>'
  );
}

/** The elements of a `checkVatApprox` after country and number; their order is that of the object. */
export type ApproxElements = Readonly<
  Partial<
    Record<
      | 'traderName'
      | 'traderCompanyType'
      | 'traderStreet'
      | 'traderPostcode'
      | 'traderCity'
      | 'requesterCountryCode'
      | 'requesterVatNumber',
      string
    >
  >
>;

/** A `checkVatApprox` with texts that are XML. */
export function approxRequest(
  countryCode: string,
  vatNumber: string,
  elements: ApproxElements = {},
): string {
  const printed = Object.entries({ countryCode, vatNumber, ...elements }).map(
    ([name, text]) => `<c:${name}>${text}</c:${name}>`,
  );
  return (
    `<s:Envelope xmlns:s="${soap}"><s:Body><c:checkVatApprox xmlns:c="${types}">` +
    `${printed.join('')}</c:checkVatApprox></s:Body></s:Envelope>`
  );
}

/** The elements of a requester. */
export function requestedBy(countryCode: string, vatNumber: string): ApproxElements {
  return { requesterCountryCode: countryCode, requesterVatNumber: vatNumber };
}

/** The answer to a `checkVatApprox`, for any status and prefixes. */
export async function queryApprox(
  sandbox: Sandbox,
  countryCode: string,
  vatNumber: string,
  elements: ApproxElements = {},
): Promise<WireCheck> {
  const response = await postVies(sandbox, approxRequest(countryCode, vatNumber, elements));
  return readCheck(await response.text());
}

export async function postVies(
  sandbox: Sandbox,
  body: string,
  headers: Readonly<Record<string, string>> = { 'Content-Type': 'text/xml' },
): Promise<Response> {
  // As bytes: fetch would add a Content-Type of its own to a text.
  return fetch(sandbox.viesUrl, {
    method: 'POST',
    headers,
    body: Buffer.from(body),
    redirect: 'manual',
  });
}

/** The answer to a VAT check, for any status and prefixes. */
export async function queryVies(
  sandbox: Sandbox,
  countryCode: string,
  vatNumber: string,
): Promise<WireCheck> {
  const response = await postVies(sandbox, viesRequest(countryCode, vatNumber));
  return readCheck(await response.text());
}

/** The texts of the answer or of the fault, by the names of their elements. */
export type WireCheck = Readonly<Record<string, string>>;

/** The matches in an answer to `checkVatApprox`, in their order; undefined for an absent one. */
export function matchesOf(answer: WireCheck): readonly (string | undefined)[] {
  return ['Name', 'CompanyType', 'Street', 'Postcode', 'City'].map(
    (field) => answer[`trader${field}Match`],
  );
}

/** Reads strictly; throws on anything that is not well-formed or in another namespace. */
export function readCheck(xml: string): WireCheck {
  const texts: Record<string, string> = {};
  const path: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri }) => {
    path.push(local);
    const where = path.join('/');
    if (!/^Envelope(\/(Header|Body(\/(checkVat(Approx)?Response|Fault)(\/\w+)?)?))?$/.test(where)) {
      throw new Error(`an element at ${where}`);
    }
    const expected = path[2]?.startsWith('checkVat') === true ? types : path.length > 3 ? '' : soap;
    if (uri !== expected) throw new Error(`${where} in the namespace ${uri}`);
    if (path.length === 4) texts[local] = '';
  });
  parser.on('text', (text) => {
    if (path.length !== 4) throw new Error(`a text at ${path.join('/')}`);
    texts[path[3] ?? ''] += text;
  });
  parser.on('closetag', () => {
    path.pop();
  });
  parser.write(xml).close();
  return texts;
}
