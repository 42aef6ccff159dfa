import {
  escapeText,
  readSoapMessage,
  soapNamespace,
  type XmlElement,
} from '../transport/soap-xml.ts';

const serviceNamespace = 'urn:ec.europa.eu:taxud:vies:services:checkVat';
export const typesNamespace = `${serviceNamespace}:types`;

/** The check in a request: its texts as they are written, empty if the element is missing. */
export interface CheckVat {
  readonly countryCode: string;
  readonly vatNumber: string;
}

export type ReadCheckVat =
  | { readonly kind: 'check'; readonly check: CheckVat }
  /** Well-formed, but not a message of this service. */
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'unreadable' };

export function readCheckVat(body: string): ReadCheckVat {
  const message = readSoapMessage(body);
  if (message === undefined) return { kind: 'unreadable' };
  const { name, namespace } = message;
  if (name !== 'checkVat' || namespace !== typesNamespace) {
    return { kind: 'unknown', name: `{${namespace}}${name}` };
  }
  return {
    kind: 'check',
    check: {
      countryCode: textOf(message, 'countryCode'),
      vatNumber: textOf(message, 'vatNumber'),
    },
  };
}

function textOf(message: XmlElement, wanted: string): string {
  return (
    message.children.find(({ name, namespace }) => name === wanted && namespace === typesNamespace)
      ?.text ?? ''
  );
}

/** `env` has a header and prefixes every element; `soap`, used before August 2022, does neither. */
export type Prefixes = 'env' | 'soap';

export interface CheckVatResponse extends CheckVat {
  /** Epoch milliseconds; printed as the day in Brussels with the offset of that day. */
  readonly at: number;
  readonly valid: boolean;
  readonly name: string;
  readonly address: string;
}

/** Prints an answer in one line, without a declaration and with empty texts as a pair of tags. */
export function printCheckVatResponse(response: CheckVatResponse, prefixes: Prefixes): string {
  const [prefix, declaration] = prefixes === 'env' ? ['ns2:', 'xmlns:ns2'] : ['', 'xmlns'];
  const children = {
    countryCode: response.countryCode,
    vatNumber: response.vatNumber,
    requestDate: printDay(response.at),
    valid: String(response.valid),
    name: response.name,
    address: response.address,
  };
  const printed = Object.entries(children).map(
    ([name, text]) => `<${prefix}${name}>${escapeText(text)}</${prefix}${name}>`,
  );
  return inEnvelope(
    `<${prefix}checkVatResponse ${declaration}="${typesNamespace}">` +
      `${printed.join('')}</${prefix}checkVatResponse>`,
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

function printDay(at: number): string {
  const moment = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('Europe/Brussels');
  return `${moment.toPlainDate().toString()}${moment.offset}`;
}
