/**
 * Reads a CN code as people write it, as 2, 4, 6, 8 or 10 digits; undefined for anything else (rule G3).
 *
 * Blanks, dots, hyphens and a leading `ex` are ignored: `4901 10 00`, `4901.10`, `ex 0401`. An odd number of digits is a
 * code that lost its leading zero in a spreadsheet, which would be one of other goods.
 */
export function parseCn(text: string): string | undefined {
  const digits = text
    .replace(/^\s*ex(?=[\s0-9])/i, '')
    .replaceAll(/[\s.\-\u2010-\u2015\u2212]/g, '');
  return /^(?:[0-9]{2}){1,5}$/.test(digits) ? digits : undefined;
}

/**
 * Reads a CPA code as people write it, as 2 to 6 digits or the section `F`; undefined for anything else (rule G3).
 *
 * With or without dots and section letter: `58.11.3`, `5811`, `J58.11`. Alone, only the section `F` has meaning.
 */
export function parseCpa(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (code === 'F') return code;
  const digits = /^[A-U]?([0-9]{2}(?:\.?[0-9]{1,2}(?:\.?[0-9]{1,2})?)?)$/.exec(code)?.[1];
  return digits?.replaceAll('.', '');
}
