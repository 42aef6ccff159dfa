import { type IsoDate, momentIn } from '../../platform/time/time.ts';
import { escapeText } from '../transport/soap-xml.ts';
import type { Code } from './goods.ts';
import type { TedbRow } from './row.ts';

export const messageNamespace = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService';
export const typesNamespace = `${messageNamespace}:types`;

const envelopeStart =
  '<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body>';
const envelopeEnd = '</env:Body></env:Envelope>';

/** Prints an answer as the service does: one line, no declaration, rows without a prefix. */
export function printAnswer(printedRows: readonly string[]): string {
  return (
    `${envelopeStart}<ns0:retrieveVatRatesRespMsg xmlns="${typesNamespace}"` +
    ` xmlns:ns0="${messageNamespace}"><additionalInformation/>${printedRows.join('')}` +
    `</ns0:retrieveVatRatesRespMsg>${envelopeEnd}`
  );
}

/** Prints a row with its children in the order of the schema. */
export function printRow(row: TedbRow): string {
  const { category, comment } = row;
  return (
    `<vatRateResults><memberState>${row.memberState}</memberState><type>${row.type}</type>` +
    `<rate><type>${row.rateType}</type><value>${printDouble(row.value)}</value></rate>` +
    `<situationOn>${printSituationDate(row.situationDate)}</situationOn>` +
    printCodes('cnCodes', row.cnCodes) +
    printCodes('cpaCodes', row.cpaCodes) +
    (category === undefined
      ? ''
      : `<category><identifier>${category.identifier}</identifier>` +
        `<description>${escapeText(category.description)}</description></category>`) +
    (comment === undefined ? '' : `<comment>${escapeText(comment)}</comment>`) +
    '</vatRateResults>'
  );
}

/** One error of a fault. */
export type TedbError = readonly [code: string, description: string];

/** Prints the fault for a request that the service refuses; its prefix for the message is `ns2`. */
export function printFault(errors: readonly TedbError[]): string {
  const printed = errors.map(
    ([code, description]) =>
      `<ns0:error><ns0:code>${code}</ns0:code>` +
      `<ns0:description>${escapeText(description)}</ns0:description></ns0:error>`,
  );
  return (
    `${envelopeStart}<env:Fault><faultcode>env:Client</faultcode>` +
    '<faultstring>TEDB-ERR-2 - Request is not valid</faultstring><detail>' +
    `<ns2:retrieveVatRatesFaultMsg xmlns:ns0="${typesNamespace}" xmlns:ns2="${messageNamespace}">` +
    `${printed.join('')}</ns2:retrieveVatRatesFaultMsg></detail></env:Fault>${envelopeEnd}`
  );
}

/** Prints the fault of SOAP 1.1 for a failing service; the real service was never seen to send it. */
export function printServerFault(): string {
  return (
    `${envelopeStart}<env:Fault><faultcode>env:Server</faultcode>` +
    `<faultstring>Internal error</faultstring></env:Fault>${envelopeEnd}`
  );
}

/** 7 → `7.0`, 25.5 → `25.5`: the value as Java prints a double. */
function printDouble(value: string): string {
  return value.includes('.') ? value : `${value}.0`;
}

/** Midnight in Brussels: `+01:00` in winter, `+02:00` in summer. */
function printSituationDate(date: IsoDate): string {
  const utcMidnight = Date.parse(`${date}T00:00:00Z`);
  const hours = (utcMidnight - momentIn('Europe/Brussels', date, 0)) / 3_600_000;
  return `${date}+0${hours}:00`;
}

function printCodes(name: 'cnCodes' | 'cpaCodes', codes: readonly Code[]): string {
  if (codes.length === 0) return '';
  const printed = codes.map(
    ({ value, description }) =>
      `<code><value>${value}</value><description>${escapeText(description)}</description></code>`,
  );
  return `<${name}>${printed.join('')}</${name}>`;
}
