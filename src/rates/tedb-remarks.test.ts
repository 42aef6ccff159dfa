import { describe, expect, it } from 'vitest';
import { answerWith, openClient, row } from '../../test/support/tedb-answers.ts';

function codeOf(value: string, description: string): string {
  return `<cnCodes><code><value>${value}</value><description>${description}</description></code></cnCodes>`;
}

/** The bytes of a document in which each character is one byte. */
function latin1(document: string): Buffer {
  return Buffer.from(document, 'latin1');
}

describe('an answer of TEDB that is not what its schema says (rule G10a)', () => {
  it.each([
    ['a byte that is not UTF-8', 'a \u{96} b', 'a \u{FFFD} b', 1],
    ['control characters', 'a\u{b}b&#11;c&#x1F;d&#0;e', 'a b c d e', 4],
    ['a control character of ISO 8859', 'a\u{c2}\u{96}b', 'a b', 1],
  ])(
    'reads a comment with %s, and reports it (rule G10a)',
    async (_, written, read, unreadable) => {
      const document = answerWith(row(), row({ more: `<comment>${written}</comment>` }));
      const { fetch } = await openClient({ body: latin1(document) });

      const { rows, remarks } = await fetch();

      expect(rows[1]?.comment).toBe(read);
      expect(remarks).toEqual([`${unreadable} unreadable characters in comments of TEDB`]);
    },
  );

  it.each([
    ['rate', row({ rate: '<type>DEFAULT</type><value>1\u{96}9</value>' })],
    ['date', row({ on: '2026-07-01&#11;' })],
    ['code', row({ more: codeOf('0\u{96}1', '') })],
    ['text that is not kept', row({ more: codeOf('01', '\u{96}') })],
    ['name', row({ more: '<x\u{96}/>' })],
    ['attribute', row({ more: '<comment xml:lang="\u{96}"/>' })],
    ['comment of XML', row({ more: '<!-- \u{96} -->' })],
  ])('refuses an unreadable character in a %s', async (_, wrong) => {
    const { fetch } = await openClient({ body: latin1(answerWith(row(), wrong)) });

    await expect(fetch()).rejects.toMatchObject({ name: 'UpstreamError' });
  });

  it('passes over elements of a row that the schema does not know, and reports them', async () => {
    const more = '<region><name>x</name></region><comment>c</comment><region/>';
    const { fetch } = await openClient({ body: answerWith(row({ more }), row()) });

    const { rows, remarks } = await fetch();

    expect(rows).toMatchObject([{ comment: 'c' }, { comment: undefined }]);
    expect(remarks).toEqual(['elements of TEDB that are not known: region (2)']);
  });
});
