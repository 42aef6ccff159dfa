/** A token behind blanks: a sign, a string, or a number or word. */
const token =
  /[ \t\r\n]*(?:([{}[\],:])|("[ !#-[\]-\uFFFF]*(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[ !#-[\]-\uFFFF]*)*")|(?:-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null))/y;

const [quote, backslash] = [0x22, 0x5c];
const signCodes = new Set(Array.from(',:[{', (sign) => sign.charCodeAt(0)));

type Expected = 'value' | 'valueOrEnd' | 'member' | 'memberOrEnd' | 'colon' | 'commaOrEnd';

/**
 * The line, from 1, on which a text stops being JSON (RFC 8259); undefined if it is JSON. For a text that ends too early
 * it is the last line with a text.
 *
 * The messages of `JSON.parse` name the place of some errors only: not that of an unexpected token, the most frequent one.
 */
export function lineOfJsonError(text: string): number | undefined {
  /** The ends of the arrays and objects that are open. */
  const open: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    const rest = /[^ \t\r\n]/g;
    rest.lastIndex = at;
    const begin = rest.exec(text)?.index;
    if (begin === undefined) {
      const isWhole = open.length === 0 && expected === 'commaOrEnd';
      return isWhole ? undefined : lineAt(text, text.trimEnd().length);
    }
    token.lastIndex = at;
    const found = token.exec(text);
    const next: Expected | undefined =
      found === null ? undefined : step(expected, open, found[1], found[2]);
    if (next === undefined) return lineAt(text, begin);
    expected = next;
    at = token.lastIndex;
  }
}

/**
 * Whether a text has more than so many signs of JSON (`,`, `:`, `[`, `{`) outside of its strings. `JSON.parse` takes 100 ms for
 * a million of them, in one turn of the event loop; this takes 2.
 */
export function hasMoreSigns(text: string, signsMax: number): boolean {
  let signs = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isInString = !isInString;
    else if (isInString && code === backslash) at += 1;
    else if (!isInString && signCodes.has(code)) signs += 1;
    if (signs > signsMax) return true;
  }
  return false;
}

/** The tokens that are expected after this one; undefined if it was not expected. */
function step(
  expected: Expected,
  open: string[],
  sign: string | undefined,
  string: string | undefined,
): Expected | undefined {
  const isEnd = sign !== undefined && sign === open.at(-1);
  if (isEnd && expected.endsWith('End')) {
    open.pop();
    return 'commaOrEnd';
  }
  switch (expected) {
    case 'value':
    case 'valueOrEnd':
      if (sign === undefined) return 'commaOrEnd';
      if (sign !== '[' && sign !== '{') return undefined;
      open.push(sign === '[' ? ']' : '}');
      return sign === '[' ? 'valueOrEnd' : 'memberOrEnd';
    case 'member':
    case 'memberOrEnd':
      return string === undefined ? undefined : 'colon';
    case 'colon':
      return sign === ':' ? 'value' : undefined;
    case 'commaOrEnd':
      if (sign !== ',' || open.length === 0) return undefined;
      return open.at(-1) === ']' ? 'value' : 'member';
  }
}

function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
    line += 1;
  }
  return line;
}
