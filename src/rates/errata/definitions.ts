import { date, dateField } from '../../platform/fields/dates.ts';
import { choice, optional } from '../../platform/fields/field.ts';
import * as schema from '../../platform/fields/schema.ts';
import { columnsInWords } from '../../platform/http/routes/csv-routes.ts';
import { defineRoute, type QueryOf } from '../../platform/http/routes/define-route.ts';
import { countOf } from '../../platform/http/routes/list-parameters.ts';
import { treatments } from '../categories/category-row.ts';
import { country, percentage, tag } from '../definitions.ts';
import { countryField } from '../read-member-state.ts';
import { goodsColumns, nationalColumns } from './csv.ts';
import { listKinds } from './erratum.ts';
import { codeKinds } from './goods-erratum.ts';

const { absentable, describe, list, literal, nothing, object, oneOf, orNull, string, union } =
  schema;

const value = union([percentage, list(percentage), nothing]);
const id = string({
  pattern: '^err_[0-9a-f]{24}$',
  description: 'The id of the entry, the same on each service.',
});
const to = orNull(date, 'The last such day, included; null if it is not known yet.');

/** The last fields of both kinds. */
const proof = {
  legalBasis: string({ description: 'The law, with its article.' }),
  reference: orNull(string(), 'Where it is published.'),
  seen: orNull(
    oneOf(['primary', 'secondary']),
    '`primary` if the text of the law, of the gazette or of the tax office was read, `secondary` if a named publication that quotes it was; null for an entry of the operator.',
  ),
  note: orNull(string(), 'What else is to be known about these days.'),
  fixedInSource: orNull(
    date,
    'The version of the first answer of the source that agreed with the law; null if there was none. Published snapshots stay as they are.',
  ),
  by: absentable(
    literal('operator', {
      description:
        'Present if the operator of the service added the entry; others are part of vatfx.',
    }),
  ),
};

/** An erratum of a national rate in an answer (rule X1). */
export const nationalErratum = object(
  {
    id,
    kind: literal('national'),
    country,
    field: string({
      pattern: '^(standard|super_reduced|parking|reduced(\\[\\d+\\])?)$',
      description:
        'The rate, as in a change row. `reduced` is the whole list; both values are then lists.',
    }),
    from: describe(date, 'The first day on which the source is wrong.'),
    to,
    source: describe(value, 'The value that the source reports; null if it reports no such rate.'),
    law: describe(value, 'The value of the law, in the same form.'),
    ...proof,
  },
  { $id: 'Erratum', description: 'A rate that the source reports and the law contradicts.' },
);

const taxation = object(
  {
    treatment: oneOf(treatments),
    rate: orNull(percentage, 'The rate, 0 for `zero`; null for a treatment without one.'),
  },
  { $id: 'Taxation', description: 'The treatment of a supply, as in rows by goods category.' },
);

/** An erratum of goods in an answer (rule X7). */
export const goodsErratum = object(
  {
    id,
    kind: literal('goods'),
    country,
    category: string({ description: 'The identifier of the category in TEDB.' }),
    codeKind: oneOf(codeKinds, { description: 'The kind of the codes.' }),
    codes: list(string(), {
      description: 'The beginnings of the codes that are meant, as TEDB writes them.',
    }),
    commentBegins: orNull(
      string(),
      'How the comment of the row begins that is meant, if category, codes and rate do not suffice.',
    ),
    from: orNull(date, 'The first day; null for as long as it is known.'),
    to,
    source: orNull(
      taxation,
      'The taxation that the source reports; null if it has no row with the taxation of the law whose codes meet these.',
    ),
    law: taxation,
    condition: orNull(string(), 'For which supplies the law says so; null for all.'),
    ...proof,
  },
  {
    $id: 'GoodsErratum',
    description:
      'A row by goods category that the source reports otherwise than the law, or not at all. It concerns rows only as long as they read as `source` says.',
  },
);

/** The expectation in the 400 for another `kind`, and for `all` as CSV. */
export const expectedKind = 'national, goods, or all (JSON only)';

/** The known errors of the source (rule X1). */
export const listErrata = defineRoute({
  operation: 'listErrata',
  tag,
  summary: 'Known errors of the source',
  description:
    'Rates that TEDB reports and the law of the Member State contradicts: those of countries, by country, first day and field, or those of goods and services, by country, category and codes; all, those of a country, or those whose days contain a date. Rows of `/rates/categories` name theirs. `/rates` and `/rates/{date}` keep what TEDB reports; if an entry of a national rate holds on their date, they have the header `Link: </rates/errata?date=…>; rel="describedby"`.',
  query: {
    country: {
      field: optional(countryField),
      description: 'Only entries of this country, in any letter case; EL is read as GR.',
      example: 'DE',
      when: '`country` is not two letters.',
    },
    date: {
      field: optional(dateField),
      description: 'Only entries that hold on this date.',
      example: '2020-09-15',
      when: '`date` is malformed or not a calendar date.',
    },
    kind: {
      field: optional(
        choice(listKinds, expectedKind, oneOf(listKinds, { default: 'national' })),
        'national' as const,
      ),
      description:
        'Entries of national rates, of goods, or both. A CSV file has one kind, because their columns differ.',
      example: 'goods',
      when: '`kind` has another value, or it is `all` and the path ends in `.csv`.',
    },
  },
  answer: {
    description: 'The entries; an empty list if none is known.',
    schema: object(
      { errata: list(union([nationalErratum, goodsErratum])), count: countOf('entries') },
      { $id: 'ErrataList' },
    ),
    caching: ['latest'],
  },
  csv: `Columns: ${columnsInWords(nationalColumns)}, as in the JSON. With \`kind=goods\`: ${columnsInWords(goodsColumns)}. A list of rates or codes is separated by blanks; null is an empty cell.`,
  examples: [
    { path: '/rates/errata?date=2020-09-15', summary: 'A day on which German law had lower rates' },
    { path: '/rates/errata?kind=goods&country=DE', summary: 'Goods in Germany' },
    { path: '/rates/errata.csv?country=ES', summary: 'Spain' },
  ],
});

/** The parameters of `/rates/errata`. */
export type ErrataRequest = QueryOf<typeof listErrata>;
