import { encode, type Encoding } from '../../src/vat-check/reading/encodings.ts';
import type { Dice } from '../support/dice.ts';

/** A CSV file as somebody could send it. */
export type MadeFile = {
  readonly bytes: Uint8Array;
  /** The encoding in which its sender wrote it. */
  readonly encoding: Encoding;
  /** The encoding that is declared with it; undefined for none. */
  readonly declared: Encoding | undefined;
};

/** Names that each encoding can write. */
export const names: Readonly<Record<Encoding, readonly string[]>> = {
  'utf-8': ['Müller', 'Żółć', 'Αθήνα', 'София', 'plain'],
  'utf-16': ['Müller', 'Żółć', 'Αθήνα', 'София', 'plain'],
  'windows-1250': ['Żółć', 'Řehoř', 'Győr', 'plain'],
  'windows-1251': ['София', 'Пловдив', 'plain'],
  'windows-1252': ['Müller', 'Bäcker', 'Société', 'plain'],
  'windows-1253': ['Αθήνα', 'Πάτρα', 'plain'],
  'windows-1254': ['Müller', 'Şişli', 'plain'],
  'windows-1257': ['Šiauliai', 'Rīga', 'plain'],
  'iso-8859-1': ['Müller', 'Bäcker', 'plain'],
  'iso-8859-2': ['Żółć', 'Győr', 'plain'],
  'iso-8859-15': ['Müller', 'Žatec', 'plain'],
};

const numbers = [
  ['DE', 'DE999999901'],
  ['DE', '999 999 902'],
  ['Germany', '999999903'],
  ['Österreich', 'U99999901'],
  ['AT', 'UID: ATU99999902'],
  ['ES', 'CIF B99999902'],
  ['', 'USt-IdNr.: DE 999 999 904'],
  ['', 'ES B-1234567'],
  ['PL', 'NIP: 999-999-99-01'],
  ['BE', '999999901'],
  ['GB', '123456789'],
  ['', 'GB 123456789'],
  ['', 'CHE-123.456.789'],
  ['Switzerland', '123456789'],
  ['MC', 'FR40000066034'],
  ['DE', '2026-11-20'],
  ['DE', '8,11115E+08'],
  ['IT', '1.234,50'],
  ['DE', 'DE999999901 / DE999999902'],
  ['', 'x1'],
  ['DE', '?'],
  ['EL', "'999999901"],
  ['FR', '="00999999901"'],
  ['DE', ''],
  ['NL', '9'.repeat(65)],
  ['', 'ＤＥ９９９９９９９０５'],
] as const;

const ofService = 'countryCode,vatNumber,traderName,traderCity,reference'.split(',');
const own = ['Land', 'USt-IdNr.', 'Firma', 'Ort', 'Kundennr'];

/** A file with headings of the service, or of its own, in a random encoding, declared or not. */
export function makeFile(dice: Dice, { isOfService }: { readonly isOfService: boolean }): MadeFile {
  const encoding = dice.pick(Object.keys(names) as Encoding[]);
  const separator = dice.pick([';', ',', '\t', '|']);
  const quote = (cell: string): string =>
    cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  const rows = Array.from({ length: 4 + dice.below(9) }, (_, at) => {
    const [country, number] = dice.pick<readonly [string, string]>(numbers);
    const [name, city] = [dice.pick(names[encoding]), dice.pick(names[encoding])];
    const reference = dice.happens(0.1) ? 'r'.repeat(101) : `${name} ${at}`;
    return [
      country,
      number,
      `${name} ${'GmbH'.repeat(dice.happens(0.1) ? 60 : 1)}`,
      city,
      reference,
    ];
  });
  const good = ['DE', 'DE999999901', 'A', 'B', 'c'];
  const table = [isOfService ? ofService : own, good, ...rows, good];
  const line = dice.pick(['\r\n', '\n', '\r']);
  const text = table.map((cells) => cells.map(quote).join(separator)).join(line);
  // Names of countries and full-width digits are not in each encoding.
  const bytes = encode(text, encoding) ?? encode(text, 'utf-8') ?? new Uint8Array();
  const written = encode(text, encoding) === undefined ? 'utf-8' : encoding;
  const isMarked = written === 'utf-16' || (written === 'utf-8' && dice.happens(0.5));
  return {
    bytes: written === 'utf-8' && !isMarked ? bytes.subarray(3) : bytes,
    encoding: written,
    declared: dice.happens(0.6) ? written : undefined,
  };
}

/** The file with up to three changes of a byte behind its headings. Its sender wrote them, whatever they mean. */
export function mutate(file: MadeFile, dice: Dice): MadeFile {
  const bytes = [...file.bytes];
  const from = Math.min(bytes.length - 1, file.encoding === 'utf-16' ? 160 : 80);
  for (let count = dice.below(4); count > 0; count -= 1) {
    const at = from + dice.below(bytes.length - from);
    const byte = dice.happens(0.7) ? 0x80 + dice.below(0x80) : dice.below(0x80);
    bytes.splice(at, dice.below(2), ...(dice.happens(0.8) ? [byte] : []));
  }
  return { ...file, bytes: Uint8Array.from(bytes) };
}
