import { isoDate } from '../../../src/platform/time/time.ts';
import { readCapture } from '../../real-input/captures.ts';
import { openSandbox } from '../../support/sandbox/open-sandbox.ts';
import type { Kind } from './xml-clients.ts';

/** An unspoiled document, one character for each byte. */
export type Sample = { readonly kind: Kind; readonly bytes: string };

const captured = [
  ['tedb', 'tedb/response_DE_2025-08-12.xml'],
  ['ecb', 'ecb/eurofxref-daily_2026-01-02.xml'],
  ['ecb', 'ecb/eurofxref-hist-90d_2026-01-30.xml'],
  ['vies', 'vies/checkVat_valid_NL_2023-01-25.xml'],
  ['vies', 'vies/checkVat_invalid_CZ_empty-strings_2022-09-09.xml'],
  ['approx', 'vies/checkVatApprox_valid_NL_requester_2023-08-11.xml'],
  ['approx', 'vies/checkVatApprox_valid_ES_trader-echo_no-requester_2023-01-12.xml'],
] as const;

/** Documents of the real upstreams. */
export function readCaptures(): readonly Sample[] {
  return captured.map(([kind, file]) => ({ kind, bytes: readCapture(file).toString('latin1') }));
}

/** The same documents as the sandbox makes them. */
export async function readSandbox(): Promise<readonly Sample[]> {
  const historyFrom = isoDate('2026-09-01');
  const { sandbox } = await openSandbox({ at: '2026-11-20T16:00:00Z', brief: true, historyFrom });
  const vies = async (operation: string, elements: string): Promise<Buffer> =>
    fetchBytes(sandbox.viesUrl, {
      'content-type': 'text/xml',
      body:
        '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>' +
        `<${operation} xmlns="urn:ec.europa.eu:taxud:vies:services:checkVat:types">` +
        `${elements}</${operation}></s:Body></s:Envelope>`,
    });
  const all: readonly (readonly [Kind, Buffer])[] = [
    ['tedb', await queryTedb(sandbox.tedbUrl, ['MT', 'CY'])],
    ['ecb', await fetchBytes(`${sandbox.ecbUrl}eurofxref-daily.xml`)],
    ['ecb', await fetchBytes(`${sandbox.ecbUrl}eurofxref-hist-90d.xml`)],
    ['vies', await vies('checkVat', numberOf('AT', 'U99999901'))],
    ['vies', await vies('checkVat', numberOf('AT', 'U00000000'))],
    // Two answers without a consultation number that is another one in each run.
    ['approx', await vies('checkVatApprox', numberOf('AT', '100'))],
    [
      'approx',
      await vies(
        'checkVatApprox',
        `${numberOf('ES', 'B99999902')}<traderName>Comercio Imaginario</traderName>`,
      ),
    ],
  ];
  return all.map(([kind, bytes]) => ({ kind, bytes: bytes.toString('latin1') }));
}

function numberOf(country: string, number: string): string {
  return `<countryCode>${country}</countryCode><vatNumber>${number}</vatNumber>`;
}

/** The sandbox's answer of TEDB for some Member States. */
export async function queryTedb(url: string, states: readonly string[]): Promise<Buffer> {
  const codes = states.map((code) => `<t:isoCode>${code}</t:isoCode>`).join('');
  const service = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService';
  return fetchBytes(url, {
    'content-type': 'text/xml; charset=utf-8',
    soapaction: `"urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates"`,
    body:
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:m="${service}" xmlns:t="${service}:types">` +
      `<s:Body><m:retrieveVatRatesReqMsg><t:memberStates>${codes}</t:memberStates>` +
      '<t:situationOn>2026-11-20</t:situationOn></m:retrieveVatRatesReqMsg></s:Body></s:Envelope>',
  });
}

/** The body of an answer; throws if it is an error. */
export async function fetchBytes(
  url: string,
  sent?: Readonly<Record<string, string>> & { readonly body: string },
): Promise<Buffer> {
  const { body, ...headers } = sent ?? { body: undefined };
  const answer = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}
