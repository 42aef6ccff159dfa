/** A term and what is said about it, both as HTML. */
export type Definition = readonly [term: string, meaning: string];

/** Prints a list of definitions. Unlike a table, it fits a phone without scrolling. */
export function definitions(rows: readonly Definition[]): string {
  return `<dl>${rows.map(([term, meaning]) => `<dt>${term}<dd>${meaning}`).join('')}</dl>`;
}

/** Prints a block of code. It may scroll, so it can have the focus of the keyboard. */
export function printCode(code: string, kind?: string): string {
  const marked = kind === undefined ? '' : ` data-in="${kind}"`;
  return `<div class="code"${marked}><pre tabindex="0">${text(code, 'code')}</pre></div>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes a text. In prose, text between backticks becomes `<code>`. */
export function text(raw: string, kind: 'prose' | 'code' = 'prose'): string {
  const escaped = raw.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
  return kind === 'code' ? escaped : escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

/** Prints JSON for readers: an object or list that fits in 72 characters is on one line. */
export function printJson(value: unknown, indent = ''): string {
  const short = JSON.stringify(value);
  if (short.length + indent.length <= 72 || typeof value !== 'object' || value === null) {
    return short.replaceAll(
      /("(?:[^"\\]|\\.)*")|([,:])/g,
      (found, quoted?: string) => quoted ?? `${found} `,
    );
  }
  const deeper = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((one) => printJson(one, deeper))
    : Object.entries(value).map(
        ([name, one]) => `${JSON.stringify(name)}: ${printJson(one, deeper)}`,
      );
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
}
