import { SaxesParser } from 'saxes';

import type { Answer } from './answer.ts';

/** XML and answers of both SOAP services. */

export const soapNamespace = 'http://schemas.xmlsoap.org/soap/envelope/';

export interface XmlElement {
  /** Without a prefix. */
  readonly name: string;
  readonly namespace: string;
  readonly children: XmlElement[];
  text: string;
}

/** The message of a request; undefined if it is not well-formed, no envelope, or empty. */
export function readSoapMessage(body: string): XmlElement | undefined {
  const root = parseTree(body);
  if (root?.name !== 'Envelope' || root.namespace !== soapNamespace) return undefined;
  const soapBody = root.children.find(
    ({ name, namespace }) => name === 'Body' && namespace === soapNamespace,
  );
  return soapBody?.children.at(0);
}

/** An answer with a document of a SOAP service. */
export function soapAnswer(
  status: number,
  body: string | Uint8Array,
  headers: Answer['headers'] = {},
): Answer {
  const length = String(Buffer.byteLength(body));
  return {
    status,
    headers: { 'Content-Type': 'text/xml; charset=UTF-8', 'Content-Length': length, ...headers },
    body,
  };
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function parseTree(body: string): XmlElement | undefined {
  const top: XmlElement = { name: '', namespace: '', children: [], text: '' };
  const open = [top];
  let failed = false;

  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', () => {
    failed = true;
  });
  parser.on('opentag', (tag) => {
    const element: XmlElement = { name: tag.local, namespace: tag.uri, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(body).close();
  return failed ? undefined : top.children[0];
}
