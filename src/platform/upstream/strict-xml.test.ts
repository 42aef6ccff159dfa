import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../test/support/answer-of.ts';
import { sha256 } from '../values/digest.ts';
import { readXml } from './strict-xml.ts';
import { anyText, type XmlNode, type XmlShape } from './xml-shape.ts';

const row: XmlShape = {
  namespace: 'urn:rows',
  name: 'row',
  attributes: [['at', anyText]],
  text: anyText,
  min: 0,
  max: Infinity,
  each: true,
};
const rows: XmlShape = { namespace: 'urn:rows', name: 'rows', children: [row] };
const anything: XmlShape = { namespace: '', name: 'a', anything: true };

const open = '<r:rows xmlns:r="urn:rows">';
const whole = `<?xml version="1.0" encoding="UTF-8"?>\n${open}
<r:row at="1">Maté, „Bücher“ &amp; 🥨</r:row><r:row at='2'><![CDATA[<b>5 &amp; 6</b>]]></r:row>
</r:rows>\n`;

async function read(xml: string | readonly (string | Uint8Array)[], shape = rows) {
  const each: XmlNode[] = [];
  const { document, digest } = await readXml(answerOf(xml), shape, (node) => each.push(node));
  return { document, digest, texts: each.map(({ text }) => text) };
}

describe('readXml', () => {
  it('reads a document and the digest of its bytes', async () => {
    const { document, digest, texts } = await read(whole);

    expect(document.name).toBe('rows');
    expect(texts).toEqual(['Maté, „Bücher“ & 🥨', '<b>5 &amp; 6</b>']);
    expect(digest).toBe(sha256(whole));
  });

  it('reads the same document for any split of its bytes into chunks', async () => {
    const bytes = Buffer.from(whole);
    const expected = await read(whole);
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 40 });

    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const ends = [...at.sort((a, b) => a - b), bytes.length];
        const chunks = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        expect(await read(chunks)).toEqual(expected);
      }),
    );
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(await read(single)).toEqual(expected);
  });

  it('refuses every cut of a document', async () => {
    const bytes = Buffer.from(whole.trimEnd());

    for (let length = 0; length < bytes.length; length += 1) {
      await expect(read([bytes.subarray(0, length)]), `cut at ${length}`).rejects.toMatchObject({
        kind: expect.stringMatching(/^(truncated|encoding|empty)$/),
      });
    }
  });

  it.each([
    ['a byte order mark', `\uFEFF${open}</r:rows>`],
    ['its encoding in lower case', `<?xml version="1.0" encoding="utf-8"?>${open}</r:rows>`],
    ['no encoding', `<?xml version="1.0"?>${open}</r:rows>`],
    ['comments around it', `<!-- a -->${open}</r:rows><!-- b -->\n`],
    ['numeric references', `${open}<r:row at="1">&#x41;&#66;</r:row></r:rows>`],
  ])('takes a document with %s', async (_, xml) => {
    await expect(read(xml)).resolves.toBeDefined();
  });

  it.each([
    ['another element after its end', `${whole}${open}</r:rows>`, 'malformed'],
    ['text after its end', `${whole}ok`, 'malformed'],
    ['a DOCTYPE', `<!DOCTYPE rows SYSTEM "x.dtd">${open}</r:rows>`, 'malformed'],
    ['an undefined entity', `${open}<r:row at="1">&nbsp;</r:row></r:rows>`, 'malformed'],
    ['crossed elements', '<r:rows xmlns:r="urn:rows"></rows>', 'malformed'],
    ['an attribute twice', `${open}<r:row at="1" at="2"/></r:rows>`, 'malformed'],
    ['a control character', `${open}<r:row at="1">\u0001</r:row></r:rows>`, 'malformed'],
    ['JSON for XML', '{"rates":[]}', 'malformed'],
    ['a declared encoding that is not UTF-8', whole.replace('UTF-8', 'ISO-8859-1'), 'encoding'],
    ['a web page with a DOCTYPE', '<!DOCTYPE html><html><body>Sorry</body></html>', 'html'],
    ['a web page without one', '<HTML><body>Sorry</body></HTML>', 'html'],
    ['only blanks', ' \n ', 'truncated'],
  ])('refuses %s', async (_, xml, kind) => {
    await expect(read(xml)).rejects.toMatchObject({ name: 'UpstreamError', kind });
  });

  it.each([
    ['a byte of Latin-1', Buffer.from(whole, 'latin1')],
    ['UTF-16', Buffer.from(`\uFEFF${whole}`, 'utf16le')],
    ['an overlong form', Buffer.from([0x3c, 0x61, 0x3e, 0xc0, 0xaf])],
    ['a character without its end', Buffer.concat([Buffer.from(whole), Buffer.from([0xe2, 0x82])])],
  ])('refuses %s as wrongly encoded', async (_, bytes) => {
    await expect(read([bytes])).rejects.toMatchObject({ kind: 'encoding' });
  });
});

describe('the limits of a document', () => {
  const nested = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth);
  const attributes = (count: number): string =>
    `<a ${Array.from({ length: count }, (_, at) => `k${at}="1"`).join(' ')}/>`;
  const text = (length: number): string => `<a>${'x'.repeat(length)}</a>`;
  const mixed = (length: number): string => `<a>${'x'.repeat(length - 1)}<a/><![CDATA[y]]></a>`;

  it.each([
    [nested, 24, 'nested deeper than 24'],
    [attributes, 32, 'an element with over 32 attributes'],
    [text, 262_144, 'a text of over 262144 characters'],
    [mixed, 262_144, 'a text of over 262144 characters'],
  ])('let through what %s makes of %d, and no more: %s', async (make, most, detail) => {
    await expect(read(make(most), anything)).resolves.toBeDefined();
    await expect(read(make(most + 1), anything)).rejects.toMatchObject({
      kind: 'schema',
      message: `tedb: query: ${detail}`,
    });
  });

  it.each([
    ['comment', '<a><!--'],
    ['text', '<a>'],
    ['tag', '<a b="'],
    ['CDATA section', '<a><![CDATA['],
    ['processing instruction', '<a><?b '],
  ])('stop a %s that does not end, before it is large', async (_, begin) => {
    let sent = 0;
    const chunks = (async function* () {
      yield Buffer.from(begin);
      for (; sent < 100; sent += 1) yield Buffer.alloc(65_536, 'x');
    })();

    await expect(readXml({ ...answerOf(''), chunks }, anything)).rejects.toMatchObject({
      kind: 'schema',
      message: 'tedb: query: over 262144 characters without a tag',
    });
    expect(sent).toBeLessThan(6);
  });
});
