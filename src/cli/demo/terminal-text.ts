/** Columns that the lines of the demo have at most. */
export const columns = 100;
/** Longest text of a response that is shown in full. */
const stringMax = 78;

/** Prints a command on one line if it has room, else on several lines that can be copied together. */
export function printCommand(parts: readonly string[], indent: string): string {
  const line = indent + parts.join(' ');
  return line.length <= columns ? line : indent + parts.join(` \\\n${indent}  `);
}

/**
 * Prints a JSON response in at most `linesMax` lines, without its own line ends: it is broken after commas, long texts are
 * shortened, and `…` stands for the lines that are left out, before the last `linesOfEnd` ones.
 */
export function printJson(json: string, indent: string, linesMax: number, linesOfEnd = 0): string {
  const room = columns - indent.length - ' …'.length;
  const lines: string[] = [''];
  for (const piece of splitJson(JSON.stringify(JSON.parse(json)))) {
    const line = lines.at(-1) ?? '';
    if (line.length + piece.length <= room) lines[lines.length - 1] = line + piece;
    else lines.push(` ${piece}`);
  }
  if (lines.length <= linesMax) return indent + lines.join(`\n${indent}`);
  const begin = lines.slice(0, linesMax - linesOfEnd).join(`\n${indent}`);
  const end = lines.slice(lines.length - linesOfEnd).map((line) => `\n${indent}${line}`);
  return `${indent}${begin} …${end.join('')}`;
}

/** Indents the lines of a text; a line that is too long is broken between two words, and continued with more indentation. */
export function wrapLines(text: string, indent: string): string {
  const lines = text.split('\n').flatMap((line) => breakLine(line, columns - indent.length));
  return lines.map((line) => (line === '' ? '' : indent + line)).join('\n');
}

/** The parts of a line, none of which is wider than `room` unless it is one word. */
function breakLine(line: string, room: number): readonly string[] {
  if (line.length <= room) return [line];
  const end = line.lastIndexOf(' ', room);
  // A line without a blank, or with none behind its own indentation, cannot be broken.
  if (line.slice(0, Math.max(0, end)).trim() === '') return [line];
  return [line.slice(0, end), ...breakLine(`  ${line.slice(end + 1)}`, room)];
}

/** The pieces of a JSON text, each up to a comma outside of strings. */
function splitJson(json: string): readonly string[] {
  const pieces = [''];
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[^",]+|,/g)) {
    pieces[pieces.length - 1] += token.startsWith('"') ? shorten(token) : token;
    if (token === ',') pieces.push('');
  }
  return pieces;
}

function shorten(text: string): string {
  return text.length <= stringMax ? text : `${text.slice(0, stringMax - 2).replace(/\\*$/, '')}…"`;
}
