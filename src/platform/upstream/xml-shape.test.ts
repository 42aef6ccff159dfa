import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { readXml } from './strict-xml.ts';
import {
  anyText,
  childNode,
  childText,
  optionalText,
  ShapeReader,
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
const ofChildren = (children: readonly XmlShape[], more: Partial<XmlShape> = {}): XmlShape => ({
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

const sequence = ofChildren([
  leaf('a'),
  leaf('b', { min: 0, max: 2 }),
  leaf('c', { max: Infinity }),
]);

describe('a sequence of children', () => {
  it.each([
    ['the least', '<a/><c/>'],
    ['optional children', '<a/><b/><c/>'],
    ['the most', '<a/><b/><b/><c/><c/><c/><c/>'],
    ['blanks between elements', ' <a/>\n\t<c/> '],
    ['comments between elements', '<!-- x --><a/><!-- <b/> --><c/>'],
  ])('may have %s', async (_, content) => {
    await expect(read(sequence, content)).resolves.toBeDefined();
  });

  it.each([
    ['the first is missing', '<c/>', 'an unexpected <c> in <list>'],
    ['the last is missing', '<a/><b/>', '<list> without <c>'],
    ['there is none', '', '<list> without <a>'],
    ['the order is wrong', '<a/><c/><b/>', 'an unexpected <b> in <list>'],
    ['one comes twice', '<a/><a/><c/>', 'an unexpected <a> in <list>'],
    ['one comes too often', '<a/><b/><b/><b/><c/>', 'an unexpected <b> in <list>'],
    ['there is an unknown element', '<a/><x/><c/>', 'an unexpected <x> in <list>'],
    ['an unknown element comes last', '<a/><c/><x/>', 'an unexpected <x> in <list>'],
    ['a child is in another namespace', '<a/><o:c/>', 'an unexpected <c> in <list>'],
    ['a child is in none', '<a/><c xmlns=""/>', 'an unexpected <c> in <list>'],
    ['there is text between', '<a/>5<c/>', '<list> with text between its elements'],
    ['there is an element in a leaf', '<a><c/></a><c/>', 'an unexpected <c> in <a>'],
  ])('is refused when %s', async (_, content, detail) => {
    await expect(read(sequence, content)).rejects.toMatchObject({
      kind: 'schema',
      message: `tedb: query: ${detail}`,
    });
  });

  it('counts up to its bounds', async () => {
    const twoToThree = ofChildren([leaf('a', { min: 2, max: 3 })]);

    await expect(read(twoToThree, '<a/>')).rejects.toThrow('<list> without <a>');
    await expect(read(twoToThree, '<a/><a/>')).resolves.toBeDefined();
    await expect(read(twoToThree, '<a/><a/><a/>')).resolves.toBeDefined();
    await expect(read(twoToThree, '<a/><a/><a/><a/>')).rejects.toThrow('an unexpected <a>');
  });
});

describe('a choice of children', () => {
  const choice = ofChildren([leaf('a', { max: 3 }), leaf('b')], { choice: true });

  it.each([['<a/>'], ['<b/>']])('may be any one: %s', async (content) => {
    const { document } = await read(choice, content);

    expect(document.children).toHaveLength(1);
  });

  it.each([
    ['none', '', '<list> without <a>'],
    ['both', '<a/><b/>', 'an unexpected <b> in <list>'],
    ['both, the other way round', '<b/><a/>', 'an unexpected <a> in <list>'],
    ['one twice', '<a/><a/>', 'an unexpected <a> in <list>'],
    ['an unknown element', '<x/>', 'an unexpected <x> in <list>'],
  ])('is refused for %s', async (_, content, detail) => {
    await expect(read(choice, content)).rejects.toThrow(detail);
  });

  it('allows one child only, also if the chosen one is not kept', async () => {
    const unkept = ofChildren([leaf('a', { drop: true }), leaf('b')], { choice: true });

    await expect(read(unkept, '<a/><b/>')).rejects.toThrow('an unexpected <b> in <list>');
  });
});

describe('text', () => {
  const digits = ofChildren([leaf('a', { text: /^[0-9]+$/ })]);

  it('is compared without blanks at its edges, and kept with them', async () => {
    const { document } = await read(digits, '<a>\n 25 </a>');

    expect(childText(document, 'a')).toBe('25');
    expect(childNode(document, 'a').text).toBe('\n 25 ');
  });

  it.each([
    ['of another form', '<a>25 %</a>', '<a> with the text "25 %"'],
    ['that is missing', '<a/>', '<a> with the text ""'],
    ['that is long', `<a>${'x'.repeat(41)}</a>`, `<a> with the text "${'x'.repeat(40)}…"`],
    ['of 40 characters', `<a>${'x'.repeat(40)}</a>`, `<a> with the text "${'x'.repeat(40)}"`],
  ])('%s is refused', async (_, content, detail) => {
    await expect(read(digits, content)).rejects.toThrow(`tedb: query: ${detail}`);
  });
});

describe('attributes', () => {
  const shape = ofChildren([leaf('a', { attributes: [['code', /^[A-Z]{3}$/]] })]);

  it('are kept unchanged, but only those of the shape', async () => {
    const { document } = await read(shape, '<a code="USD" o:code="y"/>');

    expect(document.children[0]?.attributes).toEqual({ code: 'USD' });
  });

  it.each([
    ['is missing', '<a/>', '<a> without the attribute code'],
    ['has another form', '<a code="usd"/>', '<a> with code "usd"'],
    ['has blank edges', '<a code="USD "/>', '<a> with code "USD "'],
    ['is of another namespace', '<a o:code="USD"/>', '<a> without the attribute code'],
    ['is not of the shape', '<a code="USD" more="x"/>', '<a> with an unexpected attribute'],
  ])('are refused when one %s', async (_, content, detail) => {
    await expect(read(shape, content)).rejects.toThrow(`tedb: query: ${detail}`);
  });
});

describe('an element of a shape', () => {
  it('with `each` is handed over when it closes, and not kept', async () => {
    const shape = ofChildren([
      { namespace, name: 'row', children: [leaf('a')], max: Infinity, each: true },
    ]);

    const { document, each } = await read(shape, '<row><a>1</a></row><row><a>2</a></row>');

    expect(each.map((row) => childText(row, 'a'))).toEqual(['1', '2']);
    expect(document.children).toEqual([]);
  });

  it('with `drop` is checked and not kept', async () => {
    const shape = ofChildren([leaf('a', { drop: true, text: /^1$/ })]);

    expect((await read(shape, '<a>1</a>')).document.children).toEqual([]);
    await expect(read(shape, '<a>2</a>')).rejects.toThrow('<a> with the text "2"');
  });

  it('with `anything` is kept with all its content', async () => {
    const shape = ofChildren([{ namespace, name: 'any', anything: true }, leaf('a')]);

    const { document } = await read(shape, '<any>x<o:y k="1"><z>2</z></o:y></any><a/>');

    const [inner] = childNode(document, 'any').children;
    expect(inner).toMatchObject({ name: 'y', children: [{ name: 'z', text: '2' }] });
    expect(childNode(document, 'any').text).toBe('x');
  });

  it('refuses a document of another name or namespace', async () => {
    const refusal = 'the document is a <other>, expected a <list>';

    await expect(readXml(answerOf('<other/>'), sequence)).rejects.toThrow(refusal);
    await expect(readXml(answerOf('<list/>'), sequence)).rejects.toThrow(
      'the document is a <list>, expected a <list>',
    );
  });
});

describe('ShapeReader', () => {
  it('has no document before one has ended', () => {
    const reader = new ShapeReader(
      sequence,
      () => {},
      (detail) => {
        throw new Error(detail);
      },
    );

    reader.close('');

    expect(() => reader.document).toThrow('no document');
  });
});

describe('childNode, childText and optionalText', () => {
  const node = (name: string, text: string, children: XmlNode[] = []): XmlNode => {
    return { name, text, attributes: {}, children };
  };
  const parent = node('row', '', [node('a', ' 1 '), node('a', '2')]);

  it('find the first child of a name', () => {
    expect(childNode(parent, 'a').text).toBe(' 1 ');
    expect(childText(parent, 'a')).toBe('1');
    expect(optionalText(parent, 'a')).toBe('1');
  });

  it('throw for a missing child that the shape guarantees, and return undefined for an optional one', () => {
    expect(optionalText(parent, 'b')).toBeUndefined();
    expect(() => childText(parent, 'b')).toThrow('xml: <row> was read without <b>');
  });
});
