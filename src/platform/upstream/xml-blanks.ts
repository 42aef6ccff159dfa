/** Removes the blanks of XML at both ends; `trim` would also remove other characters, such as a byte order mark. */
export function trimBlanks(text: string): string {
  let from = 0;
  let to = text.length;
  // A pattern would scan a long run of blanks again from each of its characters.
  while (from < to && isBlank(text.charCodeAt(from))) from += 1;
  while (to > from && isBlank(text.charCodeAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}
