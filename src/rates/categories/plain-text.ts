import { decodeHTMLStrict } from 'entities/decode';

/** The most characters of a text that are kept. The longest comment of August 2025 has 681. */
const plainCharactersMax = 32_768;
/** The most characters of a comment that are read: the text that is kept, with its tags and entities. */
const readCharactersMax = 4 * plainCharactersMax;

/** Elements after which a reader begins a new line. */
const blockTag = /^\/?(?:p|br|div|li|ul|ol|tr|table|h[1-6]|blockquote|dd|dt)$/;
/** Elements whose content is not text. */
const hiddenTag = /^(?:script|style|template|iframe|object)$/;
const tagName = /\/?[a-zA-Z][a-zA-Z0-9:-]*/y;
const anyBracket = /[<>]/g;

/**
 * Turns a comment of TEDB into plain text: tags and entities resolved, line breaks kept, never HTML (rule G1).
 *
 * Comments are plain text or HTML. Text such as `weight < 50 kg` stays. A text of more than 32,768
 * characters is cut, and then ends with `…`. The time is linear in the length of the comment, whatever it contains.
 */
export function toPlainText(comment: string): string {
  const isCut = comment.length > readCharactersMax;
  const read = isCut ? comment.slice(0, readCharactersMax) : comment;
  let text = read.replaceAll(/\r\n?/g, '\n');
  // An entity may hide a tag, and a hidden tag another entity. Real comments need one pass.
  for (let pass = 0; pass < 4 && /[<&]/.test(text); pass += 1) {
    const next = decodeHTMLStrict(stripTags(text));
    if (next === text) break;
    text = next;
  }
  const plain = text
    // A character between `<` and a letter keeps the rest from being read as a tag.
    .replaceAll(/<(?=[a-zA-Z/!?])/g, '< ')
    .replaceAll('\u{a0}', ' ')
    // Control characters other than the tab and the line feed have no meaning in a text.
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}]/gu, '')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return isCut || plain.length > plainCharactersMax ? shorten(plain) : plain;
}

function shorten(text: string): string {
  // The first half of a surrogate pair is no character.
  const kept = text.slice(0, plainCharactersMax - 1).replace(/[\ud800-\udbff]$/, '');
  return `${kept.trimEnd()}…`;
}

function stripTags(text: string): string {
  let plain = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<', at);
    if (open < 0) return plain + text.slice(at);
    plain += text.slice(at, open);
    if (text.startsWith('<!--', open)) {
      const end = text.indexOf('-->', open + 4);
      if (end < 0) return plain;
      at = end + 3;
      continue;
    }
    const tag = readTag(text, open);
    if (tag === undefined) {
      plain += '<';
      at = open + 1;
      continue;
    }
    at = hiddenTag.test(tag.name) ? endOf(tag.name, text, tag.end) : tag.end;
    if (blockTag.test(tag.name)) plain += '\n';
  }
}

/** The tag that begins at a place; undefined if none does, or if another `<` comes before its end. */
function readTag(
  text: string,
  open: number,
): { readonly name: string; readonly end: number } | undefined {
  tagName.lastIndex = open + 1;
  const name = tagName.exec(text)?.[0];
  if (name === undefined) return undefined;
  // Name and end are searched one after the other: in one expression, the name would be tried at each of its lengths.
  anyBracket.lastIndex = tagName.lastIndex;
  const bracket = anyBracket.exec(text);
  if (bracket?.[0] !== '>') return undefined;
  return { name: name.toLowerCase(), end: bracket.index + 1 };
}

/** The place behind the closing tag of an element; the end of the text if it is not closed. */
function endOf(name: string, text: string, from: number): number {
  const closing = new RegExp(`</${name}[^<>]*>`, 'gi');
  closing.lastIndex = from;
  return closing.test(text) ? closing.lastIndex : text.length;
}
