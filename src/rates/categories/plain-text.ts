const namedCharacters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  euro: '€',
  sect: '§',
  deg: '°',
  ordm: 'º',
  ordf: 'ª',
  laquo: '«',
  raquo: '»',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  bull: '•',
  middot: '·',
  frac12: '½',
  frac14: '¼',
  sup2: '²',
  sup3: '³',
  permil: '‰',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  atilde: 'ã',
  auml: 'ä',
  aring: 'å',
  aelig: 'æ',
  ccedil: 'ç',
  egrave: 'è',
  eacute: 'é',
  ecirc: 'ê',
  euml: 'ë',
  igrave: 'ì',
  iacute: 'í',
  icirc: 'î',
  iuml: 'ï',
  ntilde: 'ñ',
  ograve: 'ò',
  oacute: 'ó',
  ocirc: 'ô',
  otilde: 'õ',
  ouml: 'ö',
  oslash: 'ø',
  ugrave: 'ù',
  uacute: 'ú',
  ucirc: 'û',
  uuml: 'ü',
  szlig: 'ß',
};

const entity = /&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,7}));/g;
/** Elements after which a reader begins a new line. */
const blockTag = /^\/?(?:p|br|div|li|ul|ol|tr|table|h[1-6]|blockquote|dd|dt)$/;
/** Elements whose content is not text. */
const hiddenTag = /^(?:script|style|template|iframe|object)$/;
const tag = /<(\/?[a-zA-Z][a-zA-Z0-9:-]*)[^<>]*>/y;

/**
 * Turns a comment of TEDB into plain text: tags and entities resolved, line breaks kept, never HTML (rule G1).
 *
 * Comments are plain text or HTML. Text such as `weight < 50 kg` stays. Its time is linear in the length of the
 * comment, whatever the comment contains.
 */
export function toPlainText(comment: string): string {
  let text = comment.replaceAll(/\r\n?/g, '\n');
  // An entity may hide a tag, and a hidden tag another entity. Real comments need one pass.
  for (let pass = 0; pass < 4 && /[<&]/.test(text); pass += 1) {
    const next = resolveEntities(stripTags(text));
    if (next === text) break;
    text = next;
  }
  return (
    // A character between `<` and a letter keeps the rest from being read as a tag.
    text
      .replaceAll(/<(?=[a-zA-Z/!?])/g, '< ')
      .replaceAll('\u{a0}', ' ')
      // Control characters other than the tab and the line feed have no meaning in a text.
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u{0}-\u{8}\u{b}-\u{1f}\u{7f}]/gu, '')
      .split('\n')
      .map((line) => line.trim())
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  );
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
    tag.lastIndex = open;
    const match = tag.exec(text);
    if (match === null) {
      plain += '<';
      at = open + 1;
      continue;
    }
    const name = (match[1] ?? '').toLowerCase();
    at = hiddenTag.test(name) ? endOf(name, text, tag.lastIndex) : tag.lastIndex;
    if (blockTag.test(name)) plain += '\n';
  }
}

/** The place behind the closing tag of an element; the end of the text if it is not closed. */
function endOf(name: string, text: string, from: number): number {
  const closing = new RegExp(`</${name}[^<>]*>`, 'gi');
  closing.lastIndex = from;
  return closing.test(text) ? closing.lastIndex : text.length;
}

function resolveEntities(text: string): string {
  return text.replaceAll(entity, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return nameToCharacter(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(String(hex), 16) : Number(decimal);
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : '';
  });
}

/** Names of letters differ from those of their capitals in the first letter only: `eacute`, `Eacute`. */
function nameToCharacter(name: string): string | undefined {
  const known = Object.hasOwn(namedCharacters, name) ? namedCharacters[name] : undefined;
  if (known !== undefined) return known;
  const small = name.charAt(0).toLowerCase() + name.slice(1);
  const letter = Object.hasOwn(namedCharacters, small) ? namedCharacters[small] : undefined;
  return letter !== undefined && /^[a-zæø]/u.test(letter.normalize('NFD'))
    ? letter.toUpperCase()
    : undefined;
}
