import {
  anyText,
  childNode,
  childText,
  leavesIn,
  type XmlNode,
  type XmlShape,
} from './xml-shape.ts';

/** SOAP 1.1. */
export const soapNamespace = 'http://schemas.xmlsoap.org/soap/envelope/';

/** The parts of a fault are in no namespace. */
const leaf = leavesIn('');

const fault: XmlShape = {
  namespace: soapNamespace,
  name: 'Fault',
  children: [
    leaf('faultcode', anyText),
    leaf('faultstring', anyText),
    leaf('faultactor', anyText, 0),
    { namespace: '', name: 'detail', anything: true, min: 0 },
  ],
};

/** The shape of an answer: one kind of message, or a fault. Prefixes and layout are free. */
export function envelopeShape(message: XmlShape): XmlShape {
  return {
    namespace: soapNamespace,
    name: 'Envelope',
    children: [
      { namespace: soapNamespace, name: 'Header', anything: true, min: 0, drop: true },
      { namespace: soapNamespace, name: 'Body', choice: true, children: [message, fault] },
    ],
  };
}

export type SoapContent =
  | { readonly kind: 'message'; readonly message: XmlNode }
  | { readonly kind: 'fault'; readonly text: string; readonly fault: XmlNode };

/** Returns the content of an envelope that was read against {@link envelopeShape}. */
export function readEnvelope(document: XmlNode): SoapContent {
  const [content] = childNode(document, 'Body').children;
  if (content === undefined) throw new Error('soap: an envelope was read without content');
  return content.name === 'Fault'
    ? { kind: 'fault', text: childText(content, 'faultstring'), fault: content }
    : { kind: 'message', message: content };
}
