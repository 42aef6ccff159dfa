import { memberStates } from '../src/rates/member-states.ts';
import { type ErratumProof, type FieldValue, programErrata } from '../src/rates/errata/erratum.ts';
import { programGoodsErrata, type Taxation } from '../src/rates/errata/goods-erratum.ts';

/**
 * Returns the text of `docs/accuracy.md` with the tables of the errata of the program.
 *
 * @throws If the page has no place for a table.
 */
export function writeErrata(page: string): string {
  return writeTable(
    writeTable(page, 'national errata', printNational()),
    'goods errata',
    printGoods(),
  );
}

function writeTable(page: string, name: string, table: readonly string[]): string {
  const [begin, end] = [`<!-- ${name}: by npm run generate -->\n`, `<!-- ${name} end -->`];
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`accuracy.md has no ${begin}`);
  return `${before}${begin}${table.join('\n')}\n${end}${after}`;
}

function printNational(): readonly string[] {
  const rows = programErrata.map((one) => {
    const { country, field, from, to, source, law } = one;
    const days = `${from} to ${to ?? 'today'}`;
    return [nameOf(country), days, `${field} ${inWords(source)}`, inWords(law), proofOf(one)];
  });
  return toTable(['Member State', 'days', 'TEDB', 'law', 'legal basis'], rows);
}

function printGoods(): readonly string[] {
  const rows = programGoodsErrata.map((one) => {
    const { country, category, codeKind, codes, from, to, source, law, condition } = one;
    const days = [from === null ? '' : `from ${from}`, to === null ? '' : `to ${to}`];
    return [
      `${nameOf(country)} ${days.filter(Boolean).join(' ')}`.trim(),
      `${category} ${codeKind.toUpperCase()} ${codes.join(', ')}`,
      source === null ? 'no row' : taxationInWords(source),
      `${taxationInWords(law)}${condition === null ? '' : `: ${condition}`}`,
      proofOf(one),
    ];
  });
  return toTable(['Member State', 'category and codes', 'TEDB', 'law', 'legal basis'], rows);
}

/** The law, and a mark if only a publication that quotes it was read. */
function proofOf({ legalBasis, seen }: ErratumProof): string {
  return seen === 'secondary' ? `${legalBasis} (as quoted)` : legalBasis;
}

function inWords(value: FieldValue): string {
  const values = typeof value === 'string' ? [value] : (value ?? []);
  return values.length === 0 ? 'none' : values.join(', ');
}

function taxationInWords({ treatment, rate }: Taxation): string {
  return treatment === 'rate' ? String(rate) : treatment.replaceAll('_', ' ');
}

function nameOf(code: string): string {
  return memberStates.find(({ country }) => country === code)?.name ?? code;
}

function toTable(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}
