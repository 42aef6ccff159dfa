import { envelopeShape } from '../platform/upstream/soap.ts';
import { anyText, dateText, leavesIn } from '../platform/upstream/xml-shape.ts';
import type { TraderField } from './trader.ts';

export const typesNamespace = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types';

const leaf = leavesIn(typesNamespace);

/** The elements with which the answers to both operations begin. */
const verdict = [
  leaf('countryCode', anyText),
  // Empty in some answers for numbers that are not on file.
  leaf('vatNumber', anyText),
  leaf('requestDate', dateText),
  leaf('valid', /^(true|false|1|0)$/),
];

/** The answer to `checkVat`, or a fault. Prefixes are free: they changed overnight in August 2022. */
export const answerShape = envelopeShape({
  namespace: typesNamespace,
  name: 'checkVatResponse',
  children: [...verdict, leaf('name', anyText, 0), leaf('address', anyText, 0)],
});

/** 1 is valid, 2 invalid, 3 not processed. */
const matchCode = /^[123]$/;

/** The answer to `checkVatApprox`, or a fault. */
export const approxAnswerShape = envelopeShape({
  namespace: typesNamespace,
  name: 'checkVatApproxResponse',
  children: [
    ...verdict,
    leaf('traderName', anyText, 0),
    // Real answers have the first three forms, which the schema of VIES forbids.
    leaf('traderCompanyType', /^(|---|000|[A-Z]{2}-[1-9][0-9]?)$/, 0),
    leaf('traderAddress', anyText, 0),
    leaf('traderStreet', anyText, 0),
    leaf('traderPostcode', anyText, 0),
    leaf('traderCity', anyText, 0),
    leaf('traderNameMatch', matchCode, 0),
    leaf('traderCompanyTypeMatch', matchCode, 0),
    leaf('traderStreetMatch', matchCode, 0),
    leaf('traderPostcodeMatch', matchCode, 0),
    leaf('traderCityMatch', matchCode, 0),
    // Empty without a requester, but never missing.
    leaf('requestIdentifier', anyText),
  ],
});

/** The element of a trader's field, in requests and in answers: `traderCompanyType`. */
export function traderElement(field: TraderField): string {
  return `trader${field.charAt(0).toUpperCase()}${field.slice(1)}`;
}
