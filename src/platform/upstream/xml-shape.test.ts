import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { readXml } from './strict-xml.ts';
import {
  anyText,
  childNode,
  childText,
  optionalText,
  type XmlNode,
  type XmlShape,
} from './xml-shape.ts';

const namespace = 'urn:list';
const leaf = (name: string, more: Partial<XmlShape> = {}): XmlShape => ({
  namespace,
  name,
  text: anyText,
  ...more,
});
const listOf = (children: readonly XmlShape[], more: Partial<XmlShape> = {}): XmlShape => ({
  namespace,
  name: 'list',
  children,
  ...more,
});

/** Reads `<list>` with this content; `each` has the elements that were handed over one by one. */
async function read(shape: XmlShape, content: string) {
  const each: XmlNode[] = [];
  const xml = `<list xmlns="${namespace}" xmlns:o="urn:other">${content}</list>`;
  const { document } = await readXml(answerOf(xml), shape, (node) => each.push(node));
  return { document, each };
}

const sequence = listOf([leaf('a'), leaf('b', { min: 0, max: 2 }), leaf('c', { max: Infinity })]);
const choice = listOf([leaf('a', { max: 3 }), leaf('b')], { choice: true });
const unkept = listOf([leaf('a', { drop: true }), leaf('b')], { choice: true });
const counted = listOf([leaf('a', { min: 2, max: 3 })]);
const digits = listOf([leaf('a', { text: /^[0-9]+$/ })]);
const coded = listOf([leaf('a', { attributes: [['code', /^[A-Z]{3}$/]] })]);
const x79 = 'x'.repeat(79);

describe('a shape', () => {
  it.each([
    ['the least', sequence, '<a/><c/>'],
    ['the most', sequence, '<a/><b/><b/><c/><c/><c/><c/>'],
    ['blanks and comments', sequence, ' <a/>\n\t<!-- <b/> --><c/> '],
    ['at most three', counted, '<a/><a/><a/>'],
    ['the first of a choice', choice, '<a/>'],
    ['a text', digits, '<a>\n 25 </a>'],
  ])('accepts %s', async (_, shape, content) => {
    await expect(read(shape, content)).resolves.toBeDefined();
  });

  it.each([
    ['no first', sequence, '<c/>', 'an unexpected <c> in <list>'],
    ['no last', sequence, '<a/><b/>', '<list> without <c>'],
    ['nothing', sequence, '', '<list> without <a>'],
    ['another order', sequence, '<a/><c/><b/>', 'an unexpected <b> in <list>'],
    ['one too often', sequence, '<a/><b/><b/><b/><c/>', 'an unexpected <b> in <list>'],
    ['an unknown one', sequence, '<a/><c/><x/>', 'an unexpected <x> in <list>'],
    ['another namespace', sequence, '<a/><o:c/>', 'an unexpected <c> in <list>'],
    ['text between', sequence, '<a/>5<c/>', '<list> with text between its elements'],
    ['an element in a leaf', sequence, '<a><c/></a><c/>', 'an unexpected <c> in <a>'],
    ['one of two', counted, '<a/>', '<list> without <a>'],
    ['four of three', counted, '<a/><a/><a/><a/>', 'an unexpected <a> in <list>'],
    ['none of a choice', choice, '', '<list> without <a>'],
    ['one of a choice twice', choice, '<a/><a/>', 'an unexpected <a> in <list>'],
    ['both, one not kept', unkept, '<a/><b/>', 'an unexpected <b> in <list>'],
    ['no text', digits, '<a/>', '<a> with the text ""'],
    ['a long text', digits, `<a>${x79}xx</a>`, `<a> with the text "${x79}…"`],
    ['no attribute', coded, '<a/>', '<a> without the attribute code'],
    ['another code', coded, '<a code="usd"/>', '<a> with code "usd"'],
    ['blank edges', coded, '<a code="USD "/>', '<a> with code "USD "'],
    ['a foreign code', coded, '<a o:code="USD"/>', '<a> without the attribute code'],
    ['one more attribute', coded, '<a code="USD" b="x"/>', '<a> with an unexpected attribute'],
    [
      'a dropped text',
      listOf([leaf('a', { drop: true, text: /^1$/ })]),
      '<a>2</a>',
      '<a> with the',
    ],
  ])('refuses %s', async (_, shape, content, detail) => {
    await expect(read(shape, content)).rejects.toMatchObject({
      kind: 'schema',
      message: expect.stringContaining(`tedb: query: ${detail}`),
    });
  });

  it('refuses a document of another name or namespace', async () => {
    for (const name of ['other', 'list']) {
      const refusal = `the document is a <${name}>, expected a <list>`;
      await expect(readXml(answerOf(`<${name}/>`), sequence)).rejects.toThrow(refusal);
    }
  });
});

describe('what is read', () => {
  it('keeps texts with their blanks, and only the attributes of the shape', async () => {
    const { document } = await read(digits, '<a>\n 25 </a>');
    const { document: other } = await read(coded, '<a code="USD" o:code="y"/>');

    expect([childText(document, 'a'), childNode(document, 'a').text]).toEqual(['25', '\n 25 ']);
    expect(other.children[0]?.attributes).toEqual({ code: 'USD' });
  });

  it('is handed over with `each`, checked with `drop`, and whole with `anything`', async () => {
    const row: XmlShape = {
      namespace,
      name: 'row',
      children: [leaf('a')],
      max: Infinity,
      each: true,
    };
    const any: XmlShape = { namespace, name: 'any', anything: true };
    const shape = listOf([row, leaf('b', { drop: true }), any]);

    const { document, each } = await read(
      shape,
      '<row><a>1</a></row><row><a>2</a></row><b/><any>x<o:y k="1"><z>2</z></o:y></any>',
    );

    expect(each.map((node) => childText(node, 'a'))).toEqual(['1', '2']);
    expect(document.children).toMatchObject([
      { name: 'any', text: 'x', children: [{ name: 'y', children: [{ name: 'z', text: '2' }] }] },
    ]);
    expect(optionalText(document, 'b')).toBeUndefined();
    expect(() => childText(document, 'b')).toThrow('xml: <list> was read without <b>');
  });
});
