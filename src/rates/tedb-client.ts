import { parseDecimal } from '../platform/values/decimal.ts';
import { quote } from '../platform/values/quote.ts';
import { checkHead } from '../platform/upstream/check-answer.ts';
import type { ExchangeAnswer } from '../platform/upstream/exchange.ts';
import { type RetryPolicy, withRetry } from '../platform/upstream/retry.ts';
import { readEnvelope, soapNamespace } from '../platform/upstream/soap.ts';
import { readXml } from '../platform/upstream/strict-xml.ts';
import type { Upstream } from '../platform/upstream/upstream.ts';
import { UpstreamError } from '../platform/upstream/upstream-error.ts';
import {
  childNode,
  childText,
  optionalText,
  type XmlNode,
  type XmlRemarks,
} from '../platform/upstream/xml-shape.ts';
import type { IsoDate } from '../platform/time/time.ts';
import { memberStates } from './member-states.ts';
import { answerShape, messageNamespace, typesNamespace } from './tedb-document.ts';
import type { TedbRow } from './tedb-rows.ts';

/** Real answers for all Member States have 1.7 MB at most and take about 4 s. */
const limits = { bodyBytesMax: 10_000_000, deadlineMs: 90_000 } as const;

export const soapAction =
  'urn:ec.europa.eu:taxud:tedb:services:v1:VatRetrievalService/RetrieveVatRates';

export type TedbAnswer = {
  readonly rows: readonly TedbRow[];
  /** SHA-256 of the answer as received. */
  readonly inputDigest: string;
  /** Sentences about what the answer has beyond its schema; none for most answers (rule G10a). */
  readonly remarks: readonly string[];
};

/** Client of TEDB's VatRetrievalService: SOAP 1.1, one call for all Member States. */
export class TedbClient {
  readonly #upstream: Upstream;
  readonly #url: string;
  readonly #retry: RetryPolicy;

  constructor(upstream: Upstream, options: { readonly url: string; readonly retry: RetryPolicy }) {
    this.#upstream = upstream;
    this.#url = options.url;
    this.#retry = options.retry;
  }

  /** Queries the rates that apply on a date, with retries of failures that may pass. Throws `UpstreamError`. */
  async fetchRows(situationDate: IsoDate, signal: AbortSignal): Promise<TedbAnswer> {
    const call = (): Promise<TedbAnswer> =>
      this.#upstream.exchange(
        {
          operation: 'retrieveVatRates',
          url: this.#url,
          method: 'POST',
          headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: soapAction },
          body: printRequest(situationDate, memberStates),
          ...limits,
          signal,
        },
        readAnswer,
      );
    return withRetry(this.#retry, signal, call);
  }
}

/**
 * Prints a request for the rates of these Member States on a date.
 *
 * TEDB answers an empty `<situationOn/>` with today's rates and no error, so the parameter's type requires a
 * date. The order of the elements matters, and each but the outermost is in the namespace of types.
 */
export function printRequest(
  situationDate: IsoDate,
  states: readonly { readonly registryCode: string }[],
): string {
  const codes = states.map((m) => `<t:isoCode>${m.registryCode}</t:isoCode>`).join('');
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<soap:Envelope xmlns:soap="${soapNamespace}" xmlns:m="${messageNamespace}" ` +
    `xmlns:t="${typesNamespace}"><soap:Body><m:retrieveVatRatesReqMsg>` +
    `<t:memberStates>${codes}</t:memberStates><t:situationOn>${situationDate}</t:situationOn>` +
    '</m:retrieveVatRatesReqMsg></soap:Body></soap:Envelope>'
  );
}

async function readAnswer(answer: ExchangeAnswer): Promise<TedbAnswer> {
  checkHead(answer, { statuses: [200, 404, 500], variable: 'TEDB_URL' });
  if (answer.status === 404) throw notRecognised(answer);

  const rows: TedbRow[] = [];
  const { document, digest, remarks } = await readXml(answer, answerShape, (node) => {
    rows.push(toRow(node, answer.at));
  });
  const content = readEnvelope(document);
  if (content.kind === 'fault') throw toFault(content, answer);
  if (answer.status !== 200) {
    throw new UpstreamError('status', answer.at, `HTTP ${answer.status} without a SOAP fault`);
  }
  return { rows, inputDigest: digest, remarks: describeRemarks(remarks) };
}

function describeRemarks({ unknownElements, unreadable }: XmlRemarks): readonly string[] {
  const names = [...unknownElements].map(([name, count]) => `${quote(name)} (${count})`);
  return [
    ...(unreadable === 0 ? [] : [`${unreadable} unreadable characters in comments of TEDB`]),
    ...(names.length === 0 ? [] : [`elements of TEDB that are not known: ${names.join(', ')}`]),
  ];
}

function toRow(node: XmlNode, at: ExchangeAnswer['at']): TedbRow {
  const rate = childNode(node, 'rate');
  const text = optionalText(rate, 'value');
  const value = text === undefined ? undefined : parseDecimal(text);
  if (text !== undefined && value === undefined)
    throw new UpstreamError('schema', at, `a rate of ${quote(text)}`);
  const category = node.children.find(({ name }) => name === 'category');
  return {
    memberState: childText(node, 'memberState'),
    type: childText(node, 'type') as TedbRow['type'],
    rateType: childText(rate, 'type') as TedbRow['rateType'],
    value,
    // Midnight in Brussels with an offset: the date is its first ten characters; it is not an instant.
    situationDate: childText(node, 'situationOn').slice(0, 10),
    category: category === undefined ? undefined : childText(category, 'identifier'),
    description: category === undefined ? undefined : childText(category, 'description'),
    cnCodes: readCodes(node, 'cnCodes'),
    cpaCodes: readCodes(node, 'cpaCodes'),
    comment: optionalText(node, 'comment'),
  };
}

function readCodes(node: XmlNode, name: 'cnCodes' | 'cpaCodes'): readonly string[] {
  const list = node.children.find((child) => child.name === name);
  return list?.children.map((code) => childText(code, 'value')) ?? [];
}

/** TEDB answers a SOAPAction that it does not know with a bare 404. */
function notRecognised(answer: ExchangeAnswer): UpstreamError {
  return new UpstreamError(
    'refused',
    answer.at,
    'HTTP 404: there is no VatRetrievalService at this address, or it no longer knows our ' +
      'SOAPAction; check TEDB_URL',
  );
}

function toFault(
  content: { readonly text: string; readonly fault: XmlNode },
  answer: ExchangeAnswer,
): UpstreamError {
  const sentences = [content.text, ...content.fault.children.flatMap(findDescriptions)];
  return new UpstreamError('fault', answer.at, `SOAP fault: ${quote(sentences.join('; '))}`);
}

function findDescriptions(node: XmlNode): string[] {
  return node.name === 'description' ? [node.text.trim()] : node.children.flatMap(findDescriptions);
}
