/** Prints a table; its cells are HTML. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
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
      (_, quoted?: string) => quoted ?? `${_} `,
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
