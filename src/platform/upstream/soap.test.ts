import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { envelopeShape, readEnvelope, soapNamespace } from './soap.ts';
import { readXml } from './strict-xml.ts';
import { anyText, childText } from './xml-shape.ts';

const namespace = 'urn:answer';
const children = [{ namespace, name: 'valid', text: anyText }];
const shape = envelopeShape({ namespace, name: 'answer', children });
const message = `<answer xmlns="${namespace}"><valid>true</valid></answer>`;
const faultOf = (more = '', prefix = 'e'): string =>
  `<${prefix}:Fault><faultcode>${prefix}:Server</faultcode>` +
  `<faultstring> BUSY </faultstring>${more}</${prefix}:Fault>`;

function envelope(content: string, header = '', prefix = 'e'): string {
  return (
    `<${prefix}:Envelope xmlns:${prefix}="${soapNamespace}">${header}` +
    `<${prefix}:Body>${content}</${prefix}:Body></${prefix}:Envelope>`
  );
}

/** The text of a message or of a fault. */
async function read(xml: string): Promise<string> {
  const content = readEnvelope((await readXml(answerOf(xml), shape)).document);
  return content.kind === 'message' ? childText(content.message, 'valid') : content.text;
}

describe('an envelope', () => {
  it.each([
    ['without a header', envelope(message), 'true'],
    ['with an empty header', envelope(message, '<e:Header/>'), 'true'],
    ['with a full header', envelope(message, '<e:Header>x<a b="c"><d/></a></e:Header>'), 'true'],
    ['with blanks', envelope(`\n ${message}\n`, '\n <e:Header/>\n '), 'true'],
    ['without a prefix', envelope(message).replaceAll('e:', '').replace(':e=', '='), 'true'],
    ['with a fault', envelope(faultOf()), 'BUSY'],
    ['with details', envelope(faultOf('<faultactor/><detail>x<a b="c"/></detail>')), 'BUSY'],
    ['with another prefix', envelope(faultOf('', 'S'), '', 'S'), 'BUSY'],
  ])('is read %s', async (_, xml, text) => {
    expect(await read(xml)).toBe(text);
  });

  it.each([
    [envelope(message).replace(/<e:Body>.*<\/e:Body>/, ''), '<Envelope> without'],
    [envelope(''), '<Body> without <answer>'],
    [envelope('true'), '<Body> with text'],
    [envelope(message + message), 'an unexpected <answer>'],
    [envelope(message + faultOf()), 'an unexpected <Fault>'],
    [envelope(faultOf() + message), 'an unexpected <answer>'],
    [envelope(message.replace(namespace, 'urn:other')), 'an unexpected <answer>'],
    [envelope(message).replace('</e:Env', '<e:Header/></e:Env'), '<Header>'],
    [envelope(message).replace(soapNamespace, 'urn:soap12'), '<Envelope>'],
    [message, 'the document is a <answer>, expected a <Envelope>'],
    [envelope('<e:Fault><faultcode/></e:Fault>'), '<Fault> without <faultstring>'],
    [envelope(faultOf().replaceAll('faultcode', 'e:faultcode')), 'an unexpected <faultcode>'],
  ])('is refused: %s', async (xml, detail) => {
    await expect(read(xml)).rejects.toMatchObject({
      kind: 'schema',
      message: expect.stringContaining(detail),
    });
  });
});
