type Kind = { readonly name: string; readonly begins: readonly number[]; readonly at?: number };

const ascii = (text: string): number[] => Array.from(text, (sign) => sign.charCodeAt(0));

/** Files of other programs by their first bytes. */
const kinds: readonly Kind[] = [
  { name: 'an old workbook (.xls) or document', begins: [0xd0, 0xcf, 0x11, 0xe0] },
  { name: 'a PDF document', begins: ascii('%PDF') },
  { name: 'a picture', begins: [0x89, ...ascii('PNG')] },
  { name: 'a picture', begins: [0xff, 0xd8, 0xff] },
  { name: 'a picture', begins: ascii('GIF8') },
  { name: 'a picture', begins: ascii('WEBP'), at: 8 },
  { name: 'a picture', begins: ascii('ftyp'), at: 4 },
  { name: 'a picture', begins: [...ascii('II*'), 0] },
  { name: 'a picture', begins: [...ascii('MM'), 0, ...ascii('*')] },
  { name: 'a compressed file', begins: [0x1f, 0x8b] },
];

const zip = [...ascii('PK'), 3, 4];

/** What a file is that is no table as text: `a workbook (.xlsx)`; undefined for text. JSON is none of these. */
export function nameFileKind(bytes: Uint8Array): string | undefined {
  if (begins(bytes, zip)) {
    const text = new TextDecoder('latin1').decode(bytes);
    if (text.includes('xl/')) return 'a workbook (.xlsx)';
    return text.includes('opendocument.spreadsheet') ? 'a workbook (.ods)' : 'a ZIP file';
  }
  const known = kinds.find((kind) => begins(bytes, kind.begins, kind.at));
  return known?.name ?? nameMarkup(headOf(bytes));
}

/** Whether a file is JSON rather than CSV: an object, or a list of objects, lists or texts. */
export function isJson(bytes: Uint8Array): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[[{"\]])/.test(headOf(bytes));
}

function nameMarkup(head: string): string | undefined {
  if (/^\s*<(?:!doctype\s+html|html|head|body|table|meta|div)\b/i.test(head))
    return 'a web page (HTML)';
  return /^\s*<\?xml\b/i.test(head) ? 'an XML document' : undefined;
}

/** The beginning of a file as ASCII; of UTF-16 the bytes of zero are left out. */
function headOf(bytes: Uint8Array): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_000));
  return head.replace(/^(?:\u00EF\u00BB\u00BF|\u00FF\u00FE|\u00FE\u00FF)/, '').replaceAll('\0', '');
}

function begins(bytes: Uint8Array, signs: readonly number[], at = 0): boolean {
  return signs.every((sign, index) => bytes[at + index] === sign);
}
