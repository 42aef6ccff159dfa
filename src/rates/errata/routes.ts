import type { CsvTable } from '../../platform/csv/csv.ts';
import { jsonNumber } from '../../platform/values/exact-json.ts';
import { createRepresentation } from '../../platform/http/responses/representation.ts';
import type { CachedRoutes, RouteInput } from '../../platform/http/routes/cached-routes.ts';
import { addWithCsv } from '../../platform/http/routes/csv-routes.ts';
import { readDate } from '../../platform/http/routes/date-parameters.ts';
import { readParameter } from '../../platform/http/routes/query-parameters.ts';
import { parseTwoLetters } from '../read-member-state.ts';
import type { ErrataQuery, FieldValue, KnownErratum } from './erratum.ts';
import type { KnownErrata } from './known-errata.ts';

/** Adds `/rates/errata`, the known errors of TEDB, and the same with `.csv` (rule X1). */
export function addErrataRoutes(cachedRoutes: CachedRoutes, errata: KnownErrata): void {
  addWithCsv(cachedRoutes, {
    url: '/rates/errata',
    operation: 'listErrata',
    query: ['country', 'date'],
    read: readQuery,
    find: (query) => ({ data: errata.find(query), policy: 'latest' }),
    toJson: (found) =>
      createRepresentation(JSON.stringify({ errata: found.map(toWire), count: found.length })),
    toCsv: (found) => ({ name: 'rates-errata', table: errataTable(found) }),
  });
}

function readQuery({ query }: RouteInput): ErrataQuery {
  const country = readParameter(query, 'country', parseTwoLetters, '2-letter ISO code');
  return { country, date: readDate(query, 'date') };
}

/** An erratum as in the API, also for `vatfx errata list --json`. */
export function toWire(erratum: KnownErratum): object {
  const { id, country, field, from, to, source, law, by } = erratum;
  const { legalBasis, reference, note, fixedInSource } = erratum;
  return {
    id,
    country,
    field,
    from,
    to,
    source: jsonValue(source),
    law: jsonValue(law),
    legalBasis,
    reference,
    note,
    fixedInSource,
    ...(by === null ? {} : { by }),
  };
}

function jsonValue(value: FieldValue): unknown {
  return value === null || typeof value === 'string' ? jsonNumber(value) : value.map(jsonNumber);
}

/** Errata as a table; the columns are the fields of the JSON, and a list of rates is separated by blanks. */
function errataTable(errata: readonly KnownErratum[]): CsvTable {
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
    ]),
  };
}
