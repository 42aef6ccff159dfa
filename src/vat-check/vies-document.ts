import { envelopeShape } from '../platform/upstream/soap.ts';
import { anyText, dateText, leavesIn } from '../platform/upstream/xml-shape.ts';

export const typesNamespace = 'urn:ec.europa.eu:taxud:vies:services:checkVat:types';

const leaf = leavesIn(typesNamespace);

/** The answer to `checkVat`, or a fault. Prefixes are free: they changed overnight in August 2022. */
export const answerShape = envelopeShape({
  namespace: typesNamespace,
  name: 'checkVatResponse',
  children: [
    leaf('countryCode', anyText),
    // Empty in some answers for numbers that are not on file.
    leaf('vatNumber', anyText),
    leaf('requestDate', dateText),
    leaf('valid', /^(true|false|1|0)$/),
    leaf('name', anyText, 0),
    leaf('address', anyText, 0),
  ],
});
