/** What a text is whose digits could be those of a number; undefined for none of these. */
export function nameOther(text: string): string | undefined {
  if (isDate(text)) return 'it is a date';
  if (isAmount(text)) return 'it is an amount of money';
  if (isExponent(text)) {
    return 'the spreadsheet has shortened the number: format its column as text';
  }
  return isAccount(text) ? 'it is the number of an account (IBAN)' : undefined;
}

export function isDate(text: string): boolean {
  return /^\s*\d{1,4}([./-])\d{1,2}\1\d{1,4}\s*$/.test(text);
}

/** An amount of money with cents: `1.234.567,89`. */
function isAmount(text: string): boolean {
  return /^[^\p{L}\d]*(?:\d+|\d{1,3}(?:[.,'\s]\d{3})+)[.,]\d{2}(?:[^\p{L}\d]*|\s*[A-Z]{3})$/u.test(
    text.trim(),
  );
}

/** A number that a spreadsheet has shortened: `8,11115E+08`. */
function isExponent(text: string): boolean {
  return /^\s*\d+(?:[.,]\d+)?E[+-]?\d+\s*$/i.test(text);
}

/** An account (ISO 13616): the remainder of its digits by 97 is 1, with letters as 10 to 35. */
function isAccount(text: string): boolean {
  const signs = text.replaceAll(/\s/g, '').replace(/^IBAN:?/i, '');
  if (!/^[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}$/.test(signs)) return false;
  const turned = signs.slice(4) + signs.slice(0, 4);
  const digits = turned.replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}
