import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { envelopeShape, readEnvelope, soapNamespace } from './soap.ts';
import { readXml } from './strict-xml.ts';
import { anyText, childText } from './xml-shape.ts';

const namespace = 'urn:answer';
const shape = envelopeShape({
  namespace,
  name: 'answer',
  children: [{ namespace, name: 'valid', text: anyText }],
});
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

async function read(xml: string) {
  return readEnvelope((await readXml(answerOf(xml), shape)).document);
}

describe('an envelope', () => {
  it.each([
    ['without a header', envelope(message)],
    ['with an empty header', envelope(message, '<e:Header/>')],
    ['with anything in its header', envelope(message, '<e:Header>x<a b="c"><d/></a></e:Header>')],
    ['with another prefix', envelope(message, '', 'soap')],
    ['with blanks between its elements', envelope(`\n ${message}\n`, '\n <e:Header/>\n ')],
    ['with a declaration', `<?xml version="1.0" encoding="UTF-8"?>${envelope(message)}`],
    ['without a prefix', `<Envelope xmlns="${soapNamespace}"><Body>${message}</Body></Envelope>`],
  ])('%s holds its message', async (_, xml) => {
    const content = await read(xml);

    expect(content.kind).toBe('message');
    expect(content.kind === 'message' && childText(content.message, 'valid')).toBe('true');
  });

  it.each([
    ['by itself', faultOf()],
    ['with an actor', faultOf('<faultactor>x</faultactor>')],
    ['with details of any kind', faultOf('<detail>x<a><b c="d"/></a></detail>')],
    ['with both', faultOf('<faultactor/><detail/>')],
  ])('holds a fault %s, and its text without blank edges', async (_, fault) => {
    expect(await read(envelope(fault))).toMatchObject({ kind: 'fault', text: 'BUSY' });
  });

  it('holds a fault with another prefix', async () => {
    expect(await read(envelope(faultOf('', 'S'), '', 'S'))).toMatchObject({ text: 'BUSY' });
  });

  it.each([
    ['has no body', envelope(message).replace(/<e:Body>.*<\/e:Body>/, ''), '<Envelope> without'],
    ['has an empty body', envelope(''), '<Body> without <answer>'],
    ['has text in its body', envelope('true'), '<Body> with text'],
    ['holds two messages', envelope(message + message), 'an unexpected <answer>'],
    ['holds a message and a fault', envelope(message + faultOf()), 'an unexpected <Fault>'],
    ['holds a fault and a message', envelope(faultOf() + message), 'an unexpected <answer>'],
    ['holds another message', envelope('<other/>'), 'an unexpected <other>'],
    [
      'holds a message of another namespace',
      envelope(message.replace(namespace, 'urn:other')),
      'an unexpected <answer>',
    ],
    [
      'has its header behind',
      envelope(message).replace('</e:Env', '<e:Header/></e:Env'),
      '<Header>',
    ],
    ['is one of SOAP 1.2', envelope(message).replace(soapNamespace, 'urn:soap12'), '<Envelope>'],
    ['is missing', message, 'the document is a <answer>, expected a <Envelope>'],
    [
      'holds a fault without a text',
      envelope(faultOf().replace(/<faultstring>.*<\/faultstring>/, '')),
      '<Fault> without <faultstring>',
    ],
    [
      'holds a fault whose parts are in its own namespace',
      envelope(faultOf().replaceAll('faultcode', 'e:faultcode')),
      'an unexpected <faultcode>',
    ],
  ])('is refused when it %s', async (_, xml, detail) => {
    await expect(read(xml)).rejects.toMatchObject({
      kind: 'schema',
      message: expect.stringContaining(detail),
    });
  });

  it('cannot be read without content', () => {
    const body = { name: 'Body', text: '', attributes: {}, children: [] };
    const document = { name: 'Envelope', text: '', attributes: {}, children: [body] };

    expect(() => readEnvelope(document)).toThrow('without content');
  });
});
