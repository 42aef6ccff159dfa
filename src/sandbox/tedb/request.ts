import type { IsoDate } from '../../platform/time.ts';
import { parseIsoDate } from '../../platform/time.ts';
import type { XmlElement } from '../transport/soap-xml.ts';
import { readSoapMessage } from '../transport/soap-xml.ts';
import { messageNamespace, typesNamespace } from './xml.ts';

/** A request that the schema allows. The filters by category and code are accepted and ignored. */
export interface TedbRequest {
  /** As asked, in the order of the request, repetitions included. */
  readonly codes: readonly string[];
  readonly from: IsoDate | null;
  /** `situationOn` or `to`; null for an empty element, which the service reads as today. */
  readonly until: IsoDate | null;
}

/** Reads a request; null when the real service would call it invalid against its schema. */
export function parseTedbRequest(body: string): TedbRequest | null {
  const message = readSoapMessage(body);
  if (message?.name !== 'retrieveVatRatesReqMsg') return null;
  if (message.namespace !== messageNamespace) return null;
  return readMessage(message);
}

// The sequence of the schema: each once at most, in this order, one of the two in the middle.
const childOrder = /^memberStates( from)?( situationOn| to)( categories)?( cnCodes)?( cpaCodes)?$/;

function readMessage(message: XmlElement): TedbRequest | null {
  const names = message.children.map(({ name }) => name).join(' ');
  if (!childOrder.test(names) || !everyInTypes(message)) return null;

  const child = (name: string) => message.children.find((one) => one.name === name);
  const codes = child('memberStates')?.children ?? [];
  if (codes.length === 0 || codes.length > 1000) return null;
  if (!codes.every(({ name, text }) => name === 'isoCode' && /^[A-Z]{2}$/.test(text.trim()))) {
    return null;
  }

  const from = readDate(child('from')?.text);
  const until = readDate((child('situationOn') ?? child('to'))?.text);
  if (from === undefined || until === undefined) return null;
  return { codes: codes.map(({ text }) => text.trim()), from, until };
}

/** Null for a missing or empty date, undefined for one that is none. */
function readDate(text: string | undefined): IsoDate | null | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return null;
  const date = /^(.{10})(Z|[+-][0-9]{2}:[0-9]{2})?$/.exec(trimmed)?.[1] ?? '';
  return parseIsoDate(date);
}

function everyInTypes(element: XmlElement): boolean {
  return element.children.every(
    (child) => child.namespace === typesNamespace && everyInTypes(child),
  );
}
