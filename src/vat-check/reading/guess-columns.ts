import { type ChoosableColumn, type Columns, columnsOfHeadings } from './columns.ts';
import { readCountryName } from './country-names.ts';
import { isNumberHeading } from './labels.ts';
import { nameOther } from './other-texts.ts';
import { readNumberCell } from './read-cell.ts';
import { canBeNumber, isNumber } from './read-line.ts';
import type { CsvRow } from './read-csv.ts';

type Rows = { readonly rows: readonly CsvRow[]; readonly width: number };

/** Beginnings of the words of headings in the languages of the Union, without accents, for the columns beside the number. */
const words: Readonly<Partial<Record<ChoosableColumn, RegExp>>> = {
  traderPostcode: begin(
    'post ?code|post ?nummer|zip|plz|postleitzahl|code postal|codigo postal|cap$|cp$|c\\.p|kod pocztowy|psc$|τ\\.?κ|' +
      'cod postal|пощенски|iranyitoszam|postinumero',
  ),
  traderCity: begin(
    'city|town|ort$|stadt|ville|ciudad|localidad|poblacion|citta|comune|miasto|miejscowosc|mesto|obec|πολη|stad$|plaats|' +
      'woonplaats|cidade|oras|localitate|град|varos|by$|kaupunki|grad$',
  ),
  traderStreet: begin(
    'street|strasse|straße|str\\.|anschrift|adres|address|rue|calle|direccion|domicilio|via$|indirizzo|ulica|ulice|οδος|' +
      'διευθυνση|straat|rua|morada|endereco|strada|улица|адрес|utca|cim$|gata|gatuadress|katuosoite',
  ),
  reference: begin(
    'ref|id$|no$|nr|number|numer|nummer|konto|account|номер|cislo',
    'n(?:r|ummer)\\.?',
  ),
  traderName: begin(
    'name|firm|kunde|kund|customer|client|company|klant|nom|nombre|denomin|razon social|ragione sociale|raison|' +
      'societe|entreprise|kontrahent|nazwa|odberatel|nazev|επωνυμια|naam|bedrijf|denumire|societate|клиент|фирма|име$|nev$|' +
      'asiakas|yritys|nimi|navn|tvrtka|podjetje',
    'name',
  ),
};

/** Headings with a word that begins so; `end` is the end of a word. */
function begin(patterns: string, end = '$^'): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${patterns})|(?:${end})$`, 'u');
}

/** Headings that say “address” or “number” of something else. */
const ofContact = /mail|phone|telef|tel\b|fax|iban|hausn|house/;

/** A column is taken for that of the numbers if half of its cells fit without letters, or a quarter with them. */
const leastLikeness = 0.25;

/** Rows that the guess looks at. */
const guessedRows = 200;

/**
 * Guesses what the columns of a table hold, by their cells and their headings; headings of the service decide. Without
 * `vatNumber` no column of numbers was found.
 *
 * @param chosen - The country of numbers without letters; '' for none.
 */
export function guessColumns({ rows, width }: Rows, chosen: string): Columns {
  const headings = rows[0]?.cells ?? [];
  const known = columnsOfHeadings(headings);
  const indexes = Array.from({ length: width }, (_, at) => at);
  const guessed = rows.slice(0, guessedRows);
  const taken = new Set(Object.values(known));
  const countryCode =
    known.countryCode ?? indexes.find((at) => !taken.has(at) && hasCountries(guessed, at));
  const vatNumber =
    known.vatNumber ??
    findNumberColumn(
      guessed,
      indexes.filter((at) => at !== countryCode && !taken.has(at)),
      { countryAt: countryCode ?? -1, chosen },
    );
  const columns: Partial<Record<ChoosableColumn, number>> = { ...known };
  if (vatNumber !== undefined) columns.vatNumber = vatNumber;
  if (countryCode !== undefined) columns.countryCode = countryCode;
  for (const at of [countryCode, vatNumber]) if (at !== undefined) taken.add(at);
  // Without headings nothing tells the columns beside the number from each other.
  if (/\d/.test(headings[vatNumber ?? -1] ?? '')) return columns;
  for (const [column, pattern] of Object.entries(words) as [ChoosableColumn, RegExp][]) {
    if (columns[column] !== undefined) continue;
    const at = indexes.find((one) => {
      const heading = fold(headings[one] ?? '');
      return !taken.has(one) && pattern.test(heading) && !ofContact.test(heading);
    });
    if (at === undefined) continue;
    columns[column] = at;
    taken.add(at);
  }
  return columns;
}

function fold(heading: string): string {
  return heading.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

function hasCountries(rows: readonly CsvRow[], at: number): boolean {
  const cells = filledCells(rows, at);
  // Codes of other countries, too: their numbers are not those of the chosen one.
  const likely = cells.filter(
    (cell) => readCountryName(cell) !== undefined || /^[A-Z]{2}$/.test(cell),
  );
  return (
    cells.some((cell) => readCountryName(cell) !== undefined) && likely.length >= 0.5 * cells.length
  );
}

function findNumberColumn(
  rows: readonly CsvRow[],
  indexes: readonly number[],
  of: { readonly countryAt: number; readonly chosen: string },
): number | undefined {
  const likenesses = indexes.map((at) => likenessOf(rows, at, of));
  const best = Math.max(...likenesses);
  return best < leastLikeness ? undefined : indexes[likenesses.indexOf(best)];
}

/** How well the cells of a column fit; one more with the heading of a VAT number. */
function likenessOf(
  rows: readonly CsvRow[],
  at: number,
  { countryAt, chosen }: { readonly countryAt: number; readonly chosen: string },
): number {
  const fitting = rows.flatMap(({ cells }) => {
    const cell = cells[at] ?? '';
    return cell === '' ? [] : (fitOf(cell, cells[countryAt] ?? '', chosen) ?? []);
  });
  const fit = fitting.reduce((sum, one) => sum + one, 0) / Math.max(1, fitting.length);
  const isNamed = isNumberHeading(rows[0]?.cells[at] ?? '');
  if (!isNamed) return fit;
  const isPossible = fit > 0 || filledCells(rows.slice(1), at).some(isMeant);
  return isPossible ? fit + 1 : 0;
}

/** Whether a cell below the heading of a VAT number can be meant as one, of whatever country. */
function isMeant(cell: string): boolean {
  return /\d/.test(cell) && nameOther(cell) === undefined && canBeNumber(cell);
}

/**
 * How well a cell fits: letters of a country are a better sign than digits, which can be a telephone number. Undefined for a
 * number of a country that has no form here.
 */
function fitOf(cell: string, countryText: string, chosen: string): number | undefined {
  if (isNumber(cell, '')) return 1;
  const country = countryText === '' ? chosen : readCountryName(countryText);
  if (country === undefined) return /\d/.test(cell) ? undefined : 0;
  if (isNumber(cell, country)) return 0.5;
  const read = readNumberCell(cell, { country: countryText, chosen });
  // A number behind a label, or inside of a text.
  return read.kind === 'number' && read.vatNumber !== cell ? 0.5 : 0;
}

function filledCells(rows: readonly CsvRow[], at: number): readonly string[] {
  return rows.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '');
}
