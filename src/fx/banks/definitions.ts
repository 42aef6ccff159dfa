import { date } from '../../platform/fields/dates.ts';
import * as schema from '../../platform/fields/schema.ts';
import { columnsInWords } from '../../platform/http/routes/csv-routes.ts';
import { dateInPath, spanParameters } from '../../platform/http/routes/date-parameters.ts';
import { defineRoute, type RouteError } from '../../platform/http/routes/define-route.ts';
import { type BankName, bankNames } from '../../platform/publication/data-set-kinds.ts';
import { currency, datesAnswer, fxTag, noneYet, noPublication } from '../definitions.ts';
import { banks } from './banks.ts';
import { bankColumns } from './body.ts';

const { decimal, describe, integer, object, oneOf, orNull, record, string } = schema;

/** The fields of a publication of a bank. */
export const bankFields = {
  bank: oneOf(bankNames, { description: 'The bank.' }),
  date: describe(date, 'The date of the publication.'),
  table: orNull(
    string(),
    'The number of the table, which stands on a Polish invoice; null for a bank without numbers.',
  ),
  quote: oneOf(
    bankNames.map((name) => banks[name].quote),
    { description: 'The currency of the rates.' },
  ),
  rates: record(
    currency,
    object({
      units: integer({
        minimum: 1,
        description: 'The units of the currency that the rate is for. They can change.',
      }),
      rate: decimal({ description: 'Units of `quote` for that many units of the currency.' }),
    }),
    {
      description:
        'By currency, in alphabetical order, as they were published: nothing is divided. Other currencies are not in this list of the bank: if the NBP publishes a rate of one, it is in its table B, once a week; if the CNB does, in its rates of other currencies, once a month. The service has neither.',
    },
  ),
} as const;

const publication = object(bankFields, {
  $id: 'BankPublication',
  description: 'A publication of a national bank.',
});

export const notEnabled: RouteError = {
  error: 'fxBankNotEnabled',
  when: 'The operator of the service has not enabled the bank.',
};

const words: Readonly<Record<BankName, { readonly what: string; readonly published: string }>> = {
  nbp: { what: 'table A of Narodowy Bank Polski', published: 'between 11:45 and 12:15 in Warsaw' },
  cnb: { what: 'the fixing of Česká národní banka', published: 'after 14:30 in Prague' },
};

const csv = `One row for each currency. Columns: ${columnsInWords(bankColumns, {
  rate: '(units of the currency of the bank for as many units)',
})}.`;

/** The ids of the operations of a bank: `getNbpFx`. */
export function operationsOf(name: BankName) {
  const word = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Fx`;
  return { latest: `getLatest${word}`, dates: `list${word}Dates`, dated: `get${word}` };
}

/** The routes of a bank (rule N2). */
export function bankRoutes(name: BankName) {
  const operations = operationsOf(name);
  const { title } = banks[name];
  const { what, published } = words[name];
  const about = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
  return {
    latest: defineRoute({
      operation: operations.latest,
      tag: fxTag,
      summary: `The latest rates of ${title}`,
      description: `${about}, published on working days ${published}. The service has it only if its operator has enabled the bank.`,
      answer: { description: 'The latest publication.', schema: publication, caching: ['latest'] },
      errors: [notEnabled, noneYet],
      csv,
      examples: [
        { path: `/fx/${name}`, summary: 'All currencies' },
        { path: `/fx/${name}.csv`, summary: 'All currencies' },
      ],
    }),
    dates: defineRoute({
      operation: operations.dates,
      tag: fxTag,
      summary: `The dates with rates of ${title}`,
      description: `The dates for which \`/fx/${name}/{date}\` has a publication: all of them, or those from \`from\` to \`to\`.`,
      query: spanParameters,
      answer: datesAnswer,
      errors: [notEnabled],
      examples: [{ path: `/fx/${name}/dates?from=2026-11-16&to=2026-11-20`, summary: 'A week' }],
    }),
    dated: defineRoute({
      operation: operations.dated,
      tag: fxTag,
      summary: `The rates of ${title} of a date`,
      description: `${about} of a date. A 404 links to the publications before and after it.`,
      path: dateInPath,
      answer: {
        description: 'The publication of the date.',
        schema: publication,
        caching: ['immutable'],
      },
      errors: [notEnabled, noPublication],
      csv,
      examples: [
        { path: `/fx/${name}/2026-11-13`, summary: 'All currencies' },
        { path: `/fx/${name}/2026-11-13.csv`, summary: 'All currencies' },
      ],
    }),
  };
}
