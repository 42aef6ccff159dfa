import { decimalPattern } from '../platform/values/decimal.ts';
import { envelopeShape } from '../platform/upstream/soap.ts';
import { anyText, dateText, leavesIn, type XmlShape } from '../platform/upstream/xml-shape.ts';

export const messageNamespace = 'urn:ec.europa.eu:taxud:tedb:services:v1:IVatRetrievalService';
export const typesNamespace = `${messageNamespace}:types`;

const token = /^[A-Z]{2}$/;
const rateType =
  /^(DEFAULT|REDUCED_RATE|SUPER_REDUCED_RATE|PARKING_RATE|NOT_APPLICABLE|OUT_OF_SCOPE|EXEMPTED)$/;

const leaf = leavesIn(typesNamespace);

function typed(
  name: string,
  children: readonly XmlShape[],
  more: Partial<XmlShape> = {},
): XmlShape {
  return { namespace: typesNamespace, name, children, ...more };
}

function codes(name: string): XmlShape {
  // Over 10,000 codes have a description in an answer; they are the nomenclature's and are not kept.
  const description = { ...leaf('description', anyText), drop: true } as const;
  return typed(name, [typed('code', [leaf('value', anyText), description], { max: Infinity })], {
    min: 0,
  });
}

const row = typed(
  'vatRateResults',
  [
    leaf('memberState', token),
    leaf('type', /^(STANDARD|REDUCED)$/),
    typed('rate', [leaf('type', rateType), leaf('value', decimalPattern, 0)]),
    leaf('situationOn', dateText),
    codes('cnCodes'),
    codes('cpaCodes'),
    typed('category', [leaf('identifier', anyText), leaf('description', anyText)], { min: 0 }),
    // A comment decides no rate: one bad byte in it must not stop the rates of 27 countries (rule G10a).
    { ...leaf('comment', anyText, 0), lenient: true },
  ],
  { min: 0, max: Infinity, each: true, open: true },
);

const country = typed(
  'country',
  [
    leaf('isoCode', token),
    leaf('cnCodeProvided', /^(true|false|0|1)$/),
    leaf('cpaCodeProvided', /^(true|false|0|1)$/),
  ],
  { min: 0, max: Infinity },
);

const message: XmlShape = {
  namespace: messageNamespace,
  name: 'retrieveVatRatesRespMsg',
  children: [
    typed('additionalInformation', [typed('countries', [country], { min: 0 })], { drop: true }),
    row,
  ],
};

/** TEDB's answer: its own schema inside SOAP, or a fault. */
export const answerShape = envelopeShape(message);
