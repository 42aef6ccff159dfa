/** Characters of what an upstream wrote that a message has (operator.md O19). */
const quotedMax = 80;
/** Characters of a whole message, parts of which may be quoted. */
export const messageMax = 1_000;
/** Sentences about one answer of an upstream that are kept. */
const sentencesMax = 50;

/**
 * Characters that a terminal obeys or does not show: control characters, line ends, those that turn the direction of writing or
 * have no width, and halves of surrogate pairs.
 */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Quotes a text from outside for logs, runs, `/status` and terminals: at most so many characters, of which those that do
 * not print are escaped (`\u000a`). A text that is cut ends with `…`. A long text is not read whole.
 */
export function quote(text: string, charactersMax = quotedMax): string {
  let quoted = '';
  let count = 0;
  // Two units are at most one character.
  for (const character of text.slice(0, 2 * charactersMax + 2)) {
    const shown = unprintable.test(character) ? escape(character) : character;
    const length = shown === character ? 1 : shown.length;
    if (count + length > charactersMax) return `${withRoom(quoted, charactersMax)}…`;
    quoted += shown;
    count += length;
  }
  return quoted;
}

/** The first 50 sentences about an answer, of 1,000 characters at most, with the number of the others. */
export function boundSentences(sentences: readonly string[]): string[] {
  const bound = sentences.slice(0, sentencesMax).map((one) => quote(one, messageMax));
  const left = sentences.length - bound.length;
  return left === 0 ? bound : [...bound, `${left} more`];
}

function escape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const hex = character.charCodeAt(at).toString(16);
    return `\\u${hex.padStart(4, '0')}`;
  }).join('');
}

/** Leaves a place for the sign of the cut. */
function withRoom(quoted: string, charactersMax: number): string {
  const characters = Array.from(quoted);
  return characters.slice(0, charactersMax - 1).join('');
}
