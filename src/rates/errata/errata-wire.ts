import type { CsvTable } from '../../platform/csv/csv.ts';
import { jsonNumber } from '../../platform/values/exact-json.ts';
import type { ErratumProof, FieldValue, KnownErratum } from './erratum.ts';
import type { KnownGoodsErratum, Taxation } from './goods-erratum.ts';

/** An erratum of a national rate as in the API, also for `vatfx errata list --json` (rule X1). */
export function toWire(erratum: KnownErratum): object {
  const { id, country, field, from, to, source, law } = erratum;
  const { legalBasis, reference, seen, note, fixedInSource } = erratum;
  return {
    id,
    kind: 'national',
    country,
    field,
    from,
    to,
    source: jsonValue(source),
    law: jsonValue(law),
    legalBasis,
    reference,
    seen,
    note,
    fixedInSource,
    ...toBy(erratum),
  };
}

/** An erratum of goods, in the same way (rule X7). */
export function toWireGoods(erratum: KnownGoodsErratum): object {
  const { id, country, category, codeKind, codes, commentBegins, from, to } = erratum;
  const { condition, legalBasis, reference, seen, note, fixedInSource } = erratum;
  const { source, law } = erratum;
  return {
    id,
    kind: 'goods',
    country,
    category,
    codeKind,
    codes,
    commentBegins,
    from,
    to,
    source: source === null ? null : toWireTaxation(source),
    law: toWireTaxation(law),
    condition,
    legalBasis,
    reference,
    seen,
    note,
    fixedInSource,
    ...toBy(erratum),
  };
}

function toBy({ by }: ErratumProof): object {
  return by === null ? {} : { by };
}

function jsonValue(value: FieldValue): unknown {
  return value === null || typeof value === 'string' ? jsonNumber(value) : value.map(jsonNumber);
}

function toWireTaxation({ treatment, rate }: Taxation): object {
  return { treatment, rate: jsonNumber(rate) };
}

/**
 * Errata of national rates as a table; the columns are the fields of the JSON, and a list of rates is separated by blanks.
 * New columns follow the others.
 */
export function nationalErrataTable(errata: readonly KnownErratum[]): CsvTable {
  const cellOf = (value: FieldValue): string | null =>
    value === null || typeof value === 'string' ? value : value.join(' ');
  return {
    columns: [
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
    ],
    rows: errata.map((one) => [
      one.id,
      one.country,
      one.field,
      one.from,
      one.to,
      cellOf(one.source),
      cellOf(one.law),
      one.legalBasis,
      one.reference,
      one.note,
      one.fixedInSource,
      one.by,
      one.seen,
    ]),
  };
}

/** Errata of goods as a table; codes are separated by blanks, and treatment and rate are columns of their own. */
export function goodsErrataTable(errata: readonly KnownGoodsErratum[]): CsvTable {
  return {
    columns: [
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
    ],
    rows: errata.map((one) => [
      one.id,
      one.country,
      one.category,
      one.codeKind,
      one.codes.join(' '),
      one.commentBegins,
      one.from,
      one.to,
      one.source?.treatment ?? null,
      one.source?.rate ?? null,
      one.law.treatment,
      one.law.rate,
      one.condition,
      one.legalBasis,
      one.reference,
      one.seen,
      one.note,
      one.fixedInSource,
      one.by,
    ]),
  };
}
