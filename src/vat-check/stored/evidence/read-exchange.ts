import type { ExchangeAnswer } from '../../../platform/upstream/exchange.ts';
import { readEnvelope, soapNamespace } from '../../../platform/upstream/soap.ts';
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
import { readAnswer } from '../../registries/vies/answer.ts';
import { readApproxAnswer } from '../../registries/vies/approx-answer.ts';
import {
  type Answer,
  type RegistryAnswer,
  readApproxFault,
  readFault,
} from '../../registries/outcome.ts';
import { compareEcho } from '../../registries/vies/echo.ts';
import { type Trader, traderFields } from '../../numbers/trader.ts';
import type { Requester } from '../../numbers/requester.ts';
import type { VatNumber } from '../../numbers/vat-number.ts';
import { vatNumberFormats } from '../../numbers/vat-number-formats.ts';
import {
  answerShape,
  approxAnswerShape,
  readAnswerDocument,
  traderElement,
  typesNamespace,
} from '../../registries/vies/document.ts';
import type { Question } from '../../registries/registry.ts';

/** A query as read again from the bytes that were sent. */
export type SentQuery = Question & { readonly operation: 'checkVat' | 'checkVatApprox' };

/** The registry's answer as read again from the bytes that were received. */
export type ReceivedReply =
  | {
      readonly kind: 'answered';
      readonly answer: Answer & Partial<Pick<RegistryAnswer, 'consultationNumber' | 'traderMatch'>>;
      /** Whether it is about another number than was queried. */
      readonly isAboutOther: boolean;
    }
  | {
      readonly kind: 'fault';
      /** As the registry wrote it: `MS_UNAVAILABLE`. */
      readonly text: string;
      /** Whether the registry refuses the number or the requester; undefined if it refuses neither. */
      readonly refused: 'number' | 'requester' | undefined;
    }
  /** Nothing, a part of an answer, or something else, such as a web page. */
  | { readonly kind: 'unreadable'; readonly reason: string };

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
export async function readSentQuery(bytes: Uint8Array): Promise<SentQuery> {
  const { document } = await readXml(toAnswer(bytes, 'request'), requestShape);
  const [message] = childNode(document, 'Body').children;
  if (message === undefined) throw new Error('an envelope was read without content');
  const requester = optionalText(message, 'requesterCountryCode');
  const fields = traderFields.map((field) => [field, readText(message, traderElement(field))]);
  return {
    operation: message.name === 'checkVat' ? 'checkVat' : 'checkVatApprox',
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

/** Reads the bytes of a response to a query with the parsers of the service. */
export async function readReceivedReply(
  bytes: Uint8Array,
  query: SentQuery,
): Promise<ReceivedReply> {
  if (bytes.length === 0) return { kind: 'unreadable', reason: 'there is no response' };
  const isApprox = query.operation === 'checkVatApprox';
  try {
    const shape = isApprox ? approxAnswerShape : answerShape;
    const { document } = await readAnswerDocument(toAnswer(bytes, 'response'), shape);
    const content = readEnvelope(document);
    if (content.kind === 'fault') return toFault(content.text, isApprox);
    const { message } = content;
    const differences = compareEcho(query.vatNumber, {
      countryCode: childText(message, 'countryCode'),
      vatNumber: childText(message, 'vatNumber'),
    });
    return {
      kind: 'answered',
      answer: isApprox ? readApproxAnswer(message, query.trader) : readAnswer(message),
      isAboutOther: differences.some(({ difference }) => difference === 'other'),
    };
  } catch (error) {
    return { kind: 'unreadable', reason: error instanceof Error ? error.message : String(error) };
  }
}

function toFault(text: string, isApprox: boolean): ReceivedReply {
  const { kind } = isApprox ? readApproxFault(text) : readFault(text);
  const refused = { rejected: 'number', requesterRejected: 'requester' } as const;
  return {
    kind: 'fault',
    text,
    refused: kind === 'rejected' || kind === 'requesterRejected' ? refused[kind] : undefined,
  };
}

function readText(message: XmlNode, name: string): string | undefined {
  const text = optionalText(message, name);
  return text === '' ? undefined : text;
}

function readNumber(code: string, number: string): Requester {
  if (code !== 'EU' && !Object.hasOwn(vatNumberFormats, code)) {
    throw new Error('vies: request: a country that the registry does not know');
  }
  return { registryCode: code as Requester['registryCode'], number };
}

/** Stored bytes in the form in which the parsers read an answer from a socket. */
function toAnswer(bytes: Uint8Array, operation: string): ExchangeAnswer {
  return {
    status: 200,
    header: () => undefined,
    chunks: (async function* () {
      yield bytes;
    })(),
    at: { upstream: 'vies', operation, status: 200 },
  };
}
