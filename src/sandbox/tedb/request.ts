import { type IsoDate, parseIsoDate } from '../../platform/time/time.ts';
import { readSoapMessage, type XmlElement } from '../transport/soap-xml.ts';
import { messageNamespace, typesNamespace } from './xml.ts';

/** A request that the schema allows. Filters by category and code are accepted and ignored. */
export interface TedbRequest {
  /** In the order of the request, repetitions included. */
  readonly codes: readonly string[];
  readonly from: IsoDate | undefined;
  /** `situationOn` or `to`; undefined for an empty element, which the service reads as today. */
  readonly until: IsoDate | undefined;
}

/** Reads a request; undefined if it is invalid against the service's schema. */
export function parseTedbRequest(body: string): TedbRequest | undefined {
  const message = readSoapMessage(body);
  if (message?.name !== 'retrieveVatRatesReqMsg') return undefined;
  if (message.namespace !== messageNamespace) return undefined;
  return readMessage(message);
}

// The schema allows each element once, in this order, and only one of `situationOn` and `to`.
const childOrder = /^memberStates( from)?( situationOn| to)( categories)?( cnCodes)?( cpaCodes)?$/;

function readMessage(message: XmlElement): TedbRequest | undefined {
  const names = message.children.map(({ name }) => name).join(' ');
  if (!childOrder.test(names) || !allInTypesNamespace(message)) return undefined;

  const child = (name: string) => message.children.find((one) => one.name === name);
  const codes = child('memberStates')?.children ?? [];
  if (codes.length === 0 || codes.length > 1000) return undefined;
  if (!codes.every(({ name, text }) => name === 'isoCode' && /^[A-Z]{2}$/.test(text.trim()))) {
    return undefined;
  }

  const from = readDate(child('from')?.text);
  const until = readDate((child('situationOn') ?? child('to'))?.text);
  if (from === 'invalid' || until === 'invalid') return undefined;
  return { codes: codes.map(({ text }) => text.trim()), from, until };
}

/** Undefined for a missing or empty date. */
function readDate(text = ''): IsoDate | undefined | 'invalid' {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const date = /^(.{10})(Z|[+-][0-9]{2}:[0-9]{2})?$/.exec(trimmed)?.[1] ?? '';
  return parseIsoDate(date) ?? 'invalid';
}

function allInTypesNamespace(element: XmlElement): boolean {
  return element.children.every(
    (child) => child.namespace === typesNamespace && allInTypesNamespace(child),
  );
}
