import { dateField } from '../../platform/fields/dates.ts';
import { choice, optional, text, value } from '../../platform/fields/field.ts';
import { oneOf, string, union } from '../../platform/fields/schema.ts';
import { columnsInWords } from '../../platform/http/routes/csv-routes.ts';
import { defineRoute, refusal, type RouteError } from '../../platform/http/routes/define-route.ts';
import { bankColumns } from '../banks/body.ts';
import { notEnabled } from '../banks/definitions.ts';
import { fxTag as tag } from '../definitions.ts';
import {
  bankExpected,
  bankExpectedFor,
  countries,
  countriesOf,
  countriesWithBank,
  countryExpected,
  lawBanks,
} from './national-rules.ts';
import { monthExpected, parseMonth, parseQuarter, quarterExpected } from './periods.ts';
import {
  bankFxOfTaxPoint,
  fxOfCustoms,
  fxOfTaxPoint,
  month,
  quarter,
  returnSchema,
} from './schemas.ts';
import { parseTaxPoint, taxPointExpected } from './tax-points.ts';
import { lawColumns } from './wire.ts';

const notAdvice = 'This is engineering, not tax advice.';
const certain =
  'A rate is returned only if no publication can lie between the day that the law names and the one that is used. Until that is certain the answer is 404 `fx rate not published yet`, and `Retry-After` says when the rate can be available.';
const conversion =
  'To convert an amount to euros, divide it by the value of its currency. This API does not convert or round: amounts in the returns of special schemes are not rounded to the whole unit (Implementing Regulation (EU) 282/2011, art. 60).';
const csv = `One row for each currency, first the published ones, then those of currencies that only have a fixed rate. A fixed rate replaces a published one. Columns: ${columnsInWords(lawColumns, { rate: '(units for 1 EUR)' })}; with the rates of a national bank ${columnsInWords(bankColumns)}.`;

const notPublished: RouteError = {
  error: 'fxRateNotPublished',
  when: 'The publication that the law means is not available yet, the period has not ended, or the stored data may be incomplete.',
  hasRetryAfter: true,
};
const beforeData: RouteError = {
  error: 'fxSnapshotNotFound',
  when: 'The day that the law names is before the first stored publication.',
};
const immutable = {
  description: 'The rates. They never change, so caches may keep them.',
  caching: ['immutable'],
} as const;

const quarterInPath = {
  period: {
    field: text(quarter, quarterExpected, parseQuarter),
    description: 'A quarter, YYYY-Qn.',
    example: '2022-Q4',
    when: 'The period is malformed.',
  },
};

function monthInPath(example: string) {
  const field = text(month, monthExpected, parseMonth);
  const words = { description: 'A month, YYYY-MM.', when: 'The period is malformed.' };
  return { period: { ...words, field, example } };
}

export const getOssFx = defineRoute({
  operation: 'getOssFx',
  tag,
  summary: 'The rates for an OSS return',
  description: `The publication of the last day of the quarter, and without one on that day, the next one after it (Directive 2006/112/EC, art. 369h(2); the same for the non-Union scheme, art. 366(2)). ${certain}\n\n${conversion} ${notAdvice}`,
  path: quarterInPath,
  answer: { ...immutable, schema: returnSchema('FxOfOss', 'oss', quarter) },
  errors: [notPublished, beforeData],
  csv,
  examples: [
    {
      path: '/fx/oss/2022-Q4',
      summary: 'The quarter ended on a Saturday, and Croatia adopted the euro',
    },
    { path: '/fx/oss/2022-Q4.csv', summary: 'All currencies, a fixed one included' },
  ],
});

export const getIossFx = defineRoute({
  operation: 'getIossFx',
  tag,
  summary: 'The rates for an IOSS return',
  description: `The publication of the last day of the month, and without one on that day, the next one after it (Directive 2006/112/EC, art. 369u(2)). The limit of 150 EUR for a consignment has another rate: that of art. 91(2), \`/fx/vat/{taxPoint}\`, of the day on which the payment was accepted. ${certain}\n\n${conversion} ${notAdvice}`,
  path: monthInPath('2026-10'),
  answer: { ...immutable, schema: returnSchema('FxOfIoss', 'ioss', month) },
  errors: [notPublished, beforeData],
  csv,
  examples: [
    { path: '/fx/ioss/2026-10', summary: 'The month ended on a Saturday' },
    { path: '/fx/ioss/2026-10.csv', summary: 'All currencies' },
  ],
});

export const getCustomsFx = defineRoute({
  operation: 'getCustomsFx',
  tag,
  summary: 'The rates for the customs value in a month',
  description: `The publication of the penultimate Wednesday of the month before, in the Member States with the euro; without one on that day, the newest one before it (Implementing Regulation (EU) 2015/2447, art. 146). A month is answered as soon as the publication of that Wednesday is stored, before the month begins. ${certain}\n\n${conversion} ${notAdvice}`,
  path: monthInPath('2026-12'),
  answer: { ...immutable, schema: fxOfCustoms },
  errors: [notPublished, beforeData],
  csv,
  examples: [
    { path: '/fx/customs/2026-12', summary: 'Decided on 18 November 2026' },
    { path: '/fx/customs/2026-12.csv', summary: 'All currencies' },
  ],
});

export const getVatFx = defineRoute({
  operation: 'getVatFx',
  tag,
  summary: 'The rates for a tax point',
  description: `For a day: the newest publication of that day or before it. For an instant: the newest publication that was available then; that of a day is available from 16:00 Frankfurt time. Both are readings of Directive 2006/112/EC, art. 91(2), as amended by Directive 2010/45/EU. With \`country=PL\`: the newest publication before the day of the tax point, which for an instant is its day in Poland (Polish VAT act, art. 31a(1), second sentence); if \`issued\` is before that day, the newest one before the day of issue (art. 31a(2)). With \`country\` and \`bank\`: the publication of that bank which the law of the country means. \`PL\` with \`nbp\`: the newest table A before the day of the tax point, or before an earlier day of issue (art. 31a(1) and (2)). \`CZ\` with \`cnb\`: the fixing that is valid on the day, the newest one on or before it (Act No 235/2004 Coll., § 4). ${certain}\n\n${conversion} ${notAdvice}`,
  path: {
    taxPoint: {
      // With its text, which the answer repeats.
      field: text(
        string({
          pattern:
            '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d))?$',
        }),
        taxPointExpected,
        (asked) => {
          const read = parseTaxPoint(asked);
          return read && { asked, taxPoint: read };
        },
      ),
      description:
        'A day, YYYY-MM-DD, or an instant with `Z` or an offset, such as 2026-11-20T10:00:00+01:00. Fractions of a second are accepted.',
      example: '2026-11-20',
      when: 'The tax point is malformed, not in the calendar, or an instant without an offset.',
    },
  },
  query: {
    country: {
      // As it was sent: the bank, which is read after it, decides what is expected.
      field: optional(value(oneOf(countries), '', (given) => given)),
      description:
        'A country whose law has a rule of its own. Without it the answer is that of art. 91(2) of the Directive, which every Member State accepts. `CZ` needs `bank`.',
      example: 'PL',
    },
    bank: {
      field: optional(choice(lawBanks, bankExpected)),
      description:
        'The bank whose publication is used, with `country` only. `nbp` and `cnb` need an operator who has enabled them.',
      example: 'nbp',
      when: 'The bank is not known.',
    },
    issued: {
      field: optional(dateField),
      description:
        'The day of issue of the invoice, YYYY-MM-DD, with `country=PL` only. It decides if it is before the day of the tax point, otherwise it changes nothing.',
      example: '2026-11-18',
      when: '`issued` is malformed or not a calendar date.',
    },
  },
  answer: {
    ...immutable,
    schema: union([fxOfTaxPoint, bankFxOfTaxPoint]),
    // Of a national bank, while a proof of version 0.3 is repeated.
    caching: ['immutable', 'changes'],
  },
  errors: [
    refusal(
      'country',
      countryExpected,
      'No rule of the country is known here, and no bank is named.',
    ),
    ...countriesWithBank.map((country) =>
      refusal('bank', bankExpectedFor(country), `\`country=${country}\` stands without a bank.`),
    ),
    ...lawBanks.map((bank) =>
      refusal(
        'country',
        `${countriesOf(bank)} for bank ${bank}`,
        `\`bank=${bank}\` stands without a country.`,
      ),
    ),
    'bank',
    refusal('bank', 'a bank of that country', 'The law of the country does not name the bank.'),
    notEnabled,
    {
      error: 'fxNotDecidable',
      when: 'The law does not say which of two publications is used, because the bank published on a day that was declared a holiday. `Link` names both.',
      hasLink: true,
    },
    'issued',
    notPublished,
    beforeData,
  ],
  csv,
  examples: [
    { path: '/fx/vat/2026-11-15', summary: 'A Sunday' },
    {
      path: '/fx/vat/2026-11-20T10:00:00+01:00',
      summary: 'Before the publication of that day',
    },
    { path: '/fx/vat/2026-11-20?country=PL', summary: 'The rule of Poland' },
    {
      path: '/fx/vat/2026-11-20?country=PL&issued=2026-11-18',
      summary: 'Poland, with an invoice that is issued before the tax point',
    },
    {
      path: '/fx/vat/2026-11-20?country=PL&bank=nbp',
      summary: 'A Polish invoice, with the table of the Polish national bank',
    },
    { path: '/fx/vat/2026-11-15.csv', summary: 'All currencies' },
  ],
});
