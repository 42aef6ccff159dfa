import type { Dice } from '../../support/dice.ts';

/** Texts to insert: markup, entities, bytes that are no text. */
const splinters: readonly string[] = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '/',
  '=',
  '</',
  '/>',
  '<x/>',
  '<x>',
  '</x>',
  '&nbsp;',
  '&amp',
  '&#0;',
  '&#xD800;',
  '&lol;',
  ']]>',
  '<![CDATA[',
  '<![CDATA[x]]>',
  '<!--',
  '-->',
  '<!-- x -->',
  '<!-- -- -->',
  '<?x y?>',
  '<?xml version="1.0"?>',
  '<!DOCTYPE x>',
  '<!DOCTYPE x [<!ENTITY lol "lol">]>',
  '<!ENTITY x "y">',
  '\0',
  '\x01',
  '\x0b',
  '\x7f',
  '\x80',
  '\xc0\x80',
  '\xed\xa0\x80',
  '\xf5\x80\x80\x80',
  '\xef\xbb\xbf',
  '\xef\xbf\xbf',
  '\xc3\xa9',
  '\xc2\xa0',
  '\xe2\x80\x83',
  ' ',
  '\n',
  '\t',
  '-',
  '0',
  'NaN',
  'INF',
  '-1',
  '1e2',
  '+5',
  '.5',
  '5.',
  '5,5',
  '0x10',
  ' xmlns=""',
  ' xmlns="urn:x"',
  ' x="y"',
  ' nil="true"',
];

/**
 * A document with one to three changes that a network, a proxy or an attacker could make; one byte for
 * each character. Many of them leave a document that its schema allows.
 */
export function mutate(dice: Dice, document: string): string {
  let mutant = document;
  for (let left = dice.pick([1, 1, 1, 2, 3]); left > 0; left -= 1)
    mutant = dice.pick(changes)(dice, mutant);
  return mutant;
}

/** Mutants for every parser: each kind of leaf and each attribute missing, twice, or with nonsense. */
export function mutateEach(document: string): readonly string[] {
  const root = document.search(/<\w/);
  const whole = [
    splice(document, { at: root, length: 0, put: '<!DOCTYPE x>' }),
    splice(document, { at: root, length: 0, put: '<!DOCTYPE x [<!ENTITY y "z">]>' }),
    `${document}<x/>`,
    `${document}x`,
    `${document}${document}`,
    `x${document}`,
    ...Array.from({ length: 20 }, (_, at) => document.slice(0, (document.length * at) / 20)),
  ];
  const leaves = firstOfEach(document.matchAll(/<([\w:]+)>[^<]*<\/\1>/g)).flatMap(
    ({ 0: leaf, 1: name, index: at }) =>
      [
        '',
        leaf + leaf,
        ...['', 'x', '\xff', '-1', '&x;', '<x/>'].map((text) => `<${name}>${text}</${name}>`),
      ].map((put) => splice(document, { at, length: leaf.length, put })),
  );
  const attributes = firstOfEach(document.matchAll(/ ([\w:]+)=(?:"[^"]*"|'[^']*')/g)).flatMap(
    ({ 0: attribute, 1: name, index: at }) =>
      ['', attribute + attribute, ` ${name}=""`, ` ${name}="x"`, ` ${name}="0"`, ` ${name}=1`].map(
        (put) => splice(document, { at, length: attribute.length, put }),
      ),
  );
  return [...whole, ...leaves, ...attributes];
}

function firstOfEach(found: Iterable<RegExpExecArray>): readonly RegExpExecArray[] {
  const byName = new Map<string, RegExpExecArray>();
  for (const one of found) if (!byName.has(one[1] ?? '')) byName.set(one[1] ?? '', one);
  return [...byName.values()];
}

type Change = (dice: Dice, text: string) => string;

const changes: readonly Change[] = [
  function flipBit(dice, text) {
    const at = dice.below(text.length);
    const flipped = (text.charCodeAt(at) ^ (1 << dice.below(8))) & 0xff;
    return splice(text, { at, length: 1, put: String.fromCharCode(flipped) });
  },
  function leaveOut(dice, text) {
    return splice(text, { at: dice.below(text.length), length: 1 + dice.below(12), put: '' });
  },
  function repeat(dice, text) {
    const at = dice.below(text.length);
    return splice(text, { at, length: 0, put: text.slice(at, at + 1 + dice.below(60)) });
  },
  function putIn(dice, text) {
    return splice(text, { at: dice.below(text.length), length: 0, put: dice.pick(splinters) });
  },
  function putBeforeOrBehind(dice, text) {
    const put = dice.pick(splinters);
    return dice.happens(0.5) ? put + text : text + put;
  },
  function cut(dice, text) {
    return text.slice(0, dice.below(text.length));
  },
  function loseTag(dice, text) {
    const tag = pickTag(dice, text);
    return splice(text, { at: tag.index, length: tag[0].length, put: '' });
  },
  function repeatTag(dice, text) {
    const tag = pickTag(dice, text);
    return splice(text, { at: tag.index, length: 0, put: tag[0] });
  },
  function renameTag(dice, text) {
    const tag = pickTag(dice, text);
    const name = dice.pick([
      'x',
      'Cube',
      'valid',
      'value',
      'type',
      'ns2:valid',
      'env:Body',
      'x:y',
      'VALID',
    ]);
    const put = tag[0].replace(/[\w:]+/, name);
    return splice(text, { at: tag.index, length: tag[0].length, put });
  },
  function swapTags(dice, text) {
    const [first, second] = [pickTag(dice, text), pickTag(dice, text)].sort(
      (a, b) => a.index - b.index,
    );
    if (first === undefined || second === undefined || first.index === second.index) return text;
    const between = text.slice(first.index + first[0].length, second.index);
    const length = first[0].length + between.length + second[0].length;
    return splice(text, { at: first.index, length, put: second[0] + between + first[0] });
  },
  function loseLeaf(dice, text) {
    const leaf = pickLeaf(dice, text);
    return splice(text, { at: leaf.index, length: leaf[0].length, put: '' });
  },
  function repeatLeaf(dice, text) {
    const leaf = pickLeaf(dice, text);
    const to = dice.happens(0.5) ? leaf : pickLeaf(dice, text);
    return splice(text, { at: to.index, length: 0, put: leaf[0] });
  },
  function changeText(dice, text) {
    const leaf = pickLeaf(dice, text);
    const put = leaf[0].replace(/>[^<]*</, () => `>${dice.pick(splinters)}<`);
    return splice(text, { at: leaf.index, length: leaf[0].length, put });
  },
  function changeValue(dice, text) {
    const values = [...text.matchAll(/"[^"]*"|'[^']*'/g)];
    const value = values.length === 0 ? undefined : dice.pick(values);
    if (value === undefined) return text;
    const put = `${value[0][0]}${dice.pick(splinters)}${value[0][0]}`;
    return splice(text, { at: value.index, length: value[0].length, put });
  },
];

function pickTag(dice: Dice, text: string): RegExpExecArray {
  const tags = [...text.matchAll(/<[^<>]*>/g)] as RegExpExecArray[];
  return tags.length === 0 ? nothing(text) : dice.pick(tags);
}

function pickLeaf(dice: Dice, text: string): RegExpExecArray {
  const leaves = [...text.matchAll(/<([\w:]+)>[^<]*<\/\1>|<\w+ [^<>]*\/>/g)] as RegExpExecArray[];
  return leaves.length === 0 ? nothing(text) : dice.pick(leaves);
}

function nothing(text: string): RegExpExecArray {
  return Object.assign([''], { index: text.length, input: text }) as unknown as RegExpExecArray;
}

function splice(
  text: string,
  { at, length, put }: { readonly at: number; readonly length: number; readonly put: string },
): string {
  return text.slice(0, at) + put + text.slice(at + length);
}
