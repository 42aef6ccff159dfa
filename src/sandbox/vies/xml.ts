import {
  escapeText,
  readSoapMessage,
  soapNamespace,
  type XmlElement,
} from '../transport/soap-xml.ts';

const serviceNamespace = 'urn:ec.europa.eu:taxud:vies:services:checkVat';
export const typesNamespace = `${serviceNamespace}:types`;

/** A number in a request: its texts as they are written, empty if the element is missing. */
export interface CheckedNumber {
  readonly countryCode: string;
  readonly vatNumber: string;
}

/** The fields that a registry compares, in the order of the WSDL. */
export const traderFields = ['Name', 'CompanyType', 'Street', 'Postcode', 'City'] as const;

export type SentTrader = Readonly<Record<(typeof traderFields)[number], string>>;

/** The check in a request; a text is empty if its element is missing. */
export type ViesCheck = CheckedNumber &
  (
    | { readonly operation: 'checkVat' }
    | {
        readonly operation: 'checkVatApprox';
        readonly trader: SentTrader;
        readonly requester: CheckedNumber;
      }
  );

export type ReadCheck =
  | { readonly kind: 'check'; readonly check: ViesCheck }
  /** Well-formed, but not a message of this service. */
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'unreadable' };

export function readCheck(body: string): ReadCheck {
  const message = readSoapMessage(body);
  if (message === undefined) return { kind: 'unreadable' };
  const { name, namespace } = message;
  const text = (wanted: string) => textOf(message, wanted);
  const number = { countryCode: text('countryCode'), vatNumber: text('vatNumber') };
  if (namespace === typesNamespace && name === 'checkVat') {
    return { kind: 'check', check: { operation: name, ...number } };
  }
  if (namespace === typesNamespace && name === 'checkVatApprox') {
    const trader = {
      Name: text('traderName'),
      CompanyType: text('traderCompanyType'),
      Street: text('traderStreet'),
      Postcode: text('traderPostcode'),
      City: text('traderCity'),
    };
    const requester = {
      countryCode: text('requesterCountryCode'),
      vatNumber: text('requesterVatNumber'),
    };
    return { kind: 'check', check: { operation: name, ...number, trader, requester } };
  }
  return { kind: 'unknown', name: `{${namespace}}${name}` };
}

function textOf(message: XmlElement, wanted: string): string {
  return (
    message.children.find(({ name, namespace }) => name === wanted && namespace === typesNamespace)
      ?.text ?? ''
  );
}

/** `env` has a header and prefixes every element; `soap`, used before August 2022, does neither. */
export type Prefixes = 'env' | 'soap';

/** The texts of an answer by the names of their elements, in their order; undefined leaves an element out. */
export type ResponseTexts = Readonly<Record<string, string | undefined>>;

/** Prints an answer in one line, without a declaration and with empty texts as a pair of tags. */
export function printViesResponse(
  operation: ViesCheck['operation'],
  texts: ResponseTexts,
  prefixes: Prefixes,
): string {
  const [prefix, declaration] = prefixes === 'env' ? ['ns2:', 'xmlns:ns2'] : ['', 'xmlns'];
  const printed = Object.entries(texts).map(([name, text]) =>
    text === undefined ? '' : `<${prefix}${name}>${escapeText(text)}</${prefix}${name}>`,
  );
  return inEnvelope(
    `<${prefix}${operation}Response ${declaration}="${typesNamespace}">` +
      `${printed.join('')}</${prefix}${operation}Response>`,
    prefixes,
  );
}

/** Prints a fault: `Server` for a fault of the service, `Client` for an unreadable request. */
export function printViesFault(
  code: 'Server' | 'Client',
  text: string,
  prefixes: Prefixes,
): string {
  return inEnvelope(
    `<${prefixes}:Fault><faultcode>${prefixes}:${code}</faultcode>` +
      `<faultstring>${escapeText(text)}</faultstring></${prefixes}:Fault>`,
    prefixes,
  );
}

function inEnvelope(content: string, prefixes: Prefixes): string {
  const header = prefixes === 'env' ? '<env:Header/>' : '';
  return (
    `<${prefixes}:Envelope xmlns:${prefixes}="${soapNamespace}">${header}` +
    `<${prefixes}:Body>${content}</${prefixes}:Body></${prefixes}:Envelope>`
  );
}

/** Prints a moment as the day in Brussels with the offset of that day: `2026-11-20+01:00`. */
export function printDay(at: number): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('Europe/Brussels');
  return `${moment.toPlainDate().toString()}${moment.offset}`;
}
