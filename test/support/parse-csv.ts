/**
 * Reads CSV by the grammar of RFC 4180, one character after the other, without any code of the writer. Throws for a text
 * that the grammar does not allow.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      row.push(text[at] === '"' ? quoted() : unquoted());
      if (text[at] !== ',') break;
      at += 1;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`no end of line at ${at}: ${text}`);
    at += 2;
    rows.push(row);
  }
  return rows;

  function quoted(): string {
    let cell = '';
    for (at += 1; ; at += 1) {
      if (at >= text.length) throw new Error(`a quoted cell does not end: ${text}`);
      if (text[at] === '"' && text[at + 1] !== '"') break;
      if (text[at] === '"') at += 1;
      cell += text[at];
    }
    at += 1;
    return cell;
  }

  function unquoted(): string {
    const begin = at;
    while (at < text.length && !',\r\n'.includes(text[at] ?? '')) {
      if (text[at] === '"') throw new Error(`a quote in an unquoted cell at ${at}: ${text}`);
      at += 1;
    }
    return text.slice(begin, at);
  }
}
