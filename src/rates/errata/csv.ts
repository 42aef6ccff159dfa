import type { CsvTable } from '../../platform/csv/csv.ts';
import type { FieldValue, KnownErratum } from './erratum.ts';
import type { KnownGoodsErratum } from './goods-erratum.ts';

/** The columns of errata of national rates, which are fields of the JSON. New columns follow the others. */
export const nationalColumns = [
  'id',
  'country',
  'field',
  'from',
  'to',
  'source',
  'law',
  'legalBasis',
  'reference',
  'note',
  'fixedInSource',
  'by',
  'seen',
] as const satisfies readonly (keyof KnownErratum)[];

/** The columns of errata of goods; treatment and rate are columns of their own. New columns follow the others. */
export const goodsColumns = [
  'id',
  'country',
  'category',
  'codeKind',
  'codes',
  'commentBegins',
  'from',
  'to',
  'sourceTreatment',
  'sourceRate',
  'lawTreatment',
  'lawRate',
  'condition',
  'legalBasis',
  'reference',
  'seen',
  'note',
  'fixedInSource',
  'by',
] as const;

/** Errata of national rates as a table; a list of rates is separated by blanks. */
export function nationalErrataTable(errata: readonly KnownErratum[]): CsvTable {
  return {
    columns: nationalColumns,
    rows: errata.map((one) => nationalColumns.map((name) => cellOf(one[name]))),
  };
}

/** Errata of goods as a table; codes are separated by blanks. */
export function goodsErrataTable(errata: readonly KnownGoodsErratum[]): CsvTable {
  return {
    columns: goodsColumns,
    rows: errata.map((one) => {
      const cells = {
        ...one,
        sourceTreatment: one.source?.treatment ?? null,
        sourceRate: one.source?.rate ?? null,
        lawTreatment: one.law.treatment,
        lawRate: one.law.rate,
      };
      return goodsColumns.map((name) => cellOf(cells[name]));
    }),
  };
}

function cellOf(value: FieldValue): string | null {
  return value === null || typeof value === 'string' ? value : value.join(' ');
}
