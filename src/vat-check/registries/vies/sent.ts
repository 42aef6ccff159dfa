import { bytesAsAnswer } from '../../../platform/upstream/bytes-as-answer.ts';
import { soapNamespace } from '../../../platform/upstream/soap.ts';
import { readXml } from '../../../platform/upstream/strict-xml.ts';
import {
  anyText,
  childNode,
  childText,
  leavesIn,
  optionalText,
  type XmlNode,
  type XmlShape,
} from '../../../platform/upstream/xml-shape.ts';
import type { Requester } from '../../numbers/requester.ts';
import { type Trader, traderFields } from '../../numbers/trader.ts';
import { isViesCode, type VatNumber } from '../../numbers/vat-number.ts';
import type { SentQuestion } from '../registry.ts';
import { traderElement, typesNamespace } from './document.ts';

const leaf = leavesIn(typesNamespace);
const queried = [leaf('countryCode', anyText), leaf('vatNumber', anyText)];

/** The requests of both operations, with their elements in the order of the WSDL. */
const requestShape: XmlShape = {
  namespace: soapNamespace,
  name: 'Envelope',
  children: [
    {
      namespace: soapNamespace,
      name: 'Body',
      choice: true,
      children: [
        { namespace: typesNamespace, name: 'checkVat', children: queried },
        {
          namespace: typesNamespace,
          name: 'checkVatApprox',
          children: [
            ...queried,
            ...traderFields.map((field) => leaf(traderElement(field), anyText, 0)),
            leaf('requesterCountryCode', anyText, 0),
            leaf('requesterVatNumber', anyText, 0),
          ],
        },
      ],
    },
  ],
};

/** Reads the bytes of a request. Throws if they are not a query of this registry. */
export async function readSent(bytes: Uint8Array): Promise<SentQuestion> {
  const answer = bytesAsAnswer(bytes, { upstream: 'vies', operation: 'request' });
  const { document } = await readXml(answer, requestShape);
  const [message] = childNode(document, 'Body').children;
  if (message === undefined) throw new Error('an envelope was read without content');
  const requester = optionalText(message, 'requesterCountryCode');
  const fields = traderFields.map((field) => [field, readText(message, traderElement(field))]);
  return {
    operation: message.name,
    vatNumber: readNumber(
      childText(message, 'countryCode'),
      childText(message, 'vatNumber'),
    ) as VatNumber,
    requester:
      requester === undefined
        ? undefined
        : readNumber(requester, optionalText(message, 'requesterVatNumber') ?? ''),
    trader: Object.fromEntries(fields.filter(([, text]) => text !== undefined)) as Trader,
  };
}

function readText(message: XmlNode, name: string): string | undefined {
  const text = optionalText(message, name);
  return text === '' ? undefined : text;
}

function readNumber(code: string, number: string): Requester {
  if (code !== 'EU' && !isViesCode(code)) {
    throw new Error('vies: request: a country that the registry does not know');
  }
  return { registryCode: code as Requester['registryCode'], number };
}
