import { type TSchema, Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import { monthExpected, quarterExpected } from '../../src/fx/law/periods.ts';
import {
  bankExpected,
  bankExpectedFor,
  countries,
  countriesOf,
  countriesWithBank,
  countryExpected,
  lawBanks,
} from '../../src/fx/law/national-rules.ts';
import { taxPointExpected } from '../../src/fx/law/tax-points.ts';
import { dateSchema, malformed, malformedDateOf, orNull, withDescription } from './common.ts';
import { bankFields, notEnabled } from '../../src/fx/banks/definitions.ts';
import { base, fxRates as ratesSchema, fxTag, value } from '../../src/fx/definitions.ts';
import type { ErrorDescription, ParameterDescription, Reference } from './route-description.ts';

const published = withDescription(dateSchema, 'The date of the publication that the law means.');
const legalBasis = Type.String({ description: 'The law that the rule comes from.' });
const inForceSince = withDescription(
  dateSchema,
  'The first day on which that law holds. A period or tax point before it is answered as if it held then.',
);
const orNullSince = orNull(
  dateSchema,
  'The first day on which that law holds; null if it is not known. A tax point before it is answered as if it held then.',
);
const quarter = Type.String({ pattern: '^\\d{4}-Q[1-4]$' });
const month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });

function fixedOf(description: string): TSchema {
  return Type.Record(
    Type.String({ pattern: '^[A-Z]{3}$' }),
    Type.Object({
      rate: withDescription(value, 'The irrevocable rate: units of the currency for 1 EUR.'),
      since: withDescription(dateSchema, 'The first day of the euro.'),
    }),
    { description },
  );
}

const fixedOfReturn = fixedOf(
  'The currencies that became the euro after the first day of the period and by the date of the publication, which therefore has no rate of them. Amounts in them are converted at this fixed rate.',
);
const fixedOfDay = fixedOf(
  'The currencies whose first day of the euro is not after the first day of the month, or the day of the tax point. From that day on only the fixed rate is lawful (Regulation (EC) No 1103/97, art. 4), so it goes before a rate that `rates` may still have. The founding currencies of 1999 are not listed.',
);

function returnSchema(id: string, rule: string, period: TSchema): TSchema {
  return Type.Object(
    {
      rule: Type.Literal(rule),
      period,
      periodEnd: withDescription(dateSchema, 'The last day of the period.'),
      date: published,
      base,
      rates: ratesSchema,
      fixed: fixedOfReturn,
      legalBasis,
      inForceSince,
    },
    { $id: id },
  );
}

const customsSchema = Type.Object(
  {
    rule: Type.Literal('customs'),
    period: month,
    decidedOn: withDescription(dateSchema, 'The penultimate Wednesday of the month before.'),
    date: published,
    base,
    rates: ratesSchema,
    fixed: fixedOfDay,
    legalBasis,
    inForceSince,
  },
  { $id: 'FxOfCustoms' },
);

const taxPointSchema = Type.Object(
  {
    rule: Type.Literal('vat'),
    taxPoint: Type.String({ description: 'The tax point as it was requested.' }),
    issued: Type.Optional(
      withDescription(dateSchema, 'The day of issue of the invoice, if it was given.'),
    ),
    basis: Type.Union([Type.Literal('day'), Type.Literal('instant')], {
      description: 'Whether the tax point was given as a day or as an instant.',
    }),
    country: orNull(
      Type.String({ enum: countries }),
      'The country whose own rule was requested; null if none was.',
    ),
    date: published,
    base,
    rates: ratesSchema,
    fixed: fixedOfDay,
    legalBasis,
    inForceSince: orNullSince,
  },
  { $id: 'FxOfTaxPoint', description: 'With the rates of the ECB.' },
);

const bankTaxPointSchema = Type.Object(
  {
    rule: Type.Literal('vat'),
    taxPoint: Type.String({ description: 'The tax point as it was requested.' }),
    issued: orNull(dateSchema, 'The day of issue of the invoice; null if it was not given.'),
    basis: Type.Union([Type.Literal('day'), Type.Literal('instant')], {
      description: 'Whether the tax point was given as a day or as an instant.',
    }),
    country: Type.Enum([...countries], { description: 'The country whose law decides.' }),
    ...bankFields,
    legalBasis,
    inForceSince: orNullSince,
  },
  { $id: 'BankFxOfTaxPoint', description: 'With the rates of a national bank.' },
);

const notAdvice = 'This is engineering, not tax advice.';
const certain =
  'A rate is returned only if no publication can lie between the day that the law names and the one that is used. Until that is certain the answer is 404 `fx rate not published yet`, and `Retry-After` says when the rate can be available.';
const conversion =
  'To convert an amount to euros, divide it by the value of its currency. This API does not convert or round: amounts in the returns of special schemes are not rounded to the whole unit (Implementing Regulation (EU) 282/2011, art. 60).';

const notPublished: ErrorDescription = {
  error: 'fxRateNotPublished',
  when: 'The publication that the law means is not available yet, the period has not ended, or the stored data may be incomplete.',
  hasRetryAfter: true,
};
const beforeData: ErrorDescription = {
  error: 'fxSnapshotNotFound',
  when: 'The day that the law names is before the first stored publication.',
};

function periodParameter(schema: TSchema, example: string): ParameterDescription {
  const form = example.includes('Q') ? 'A quarter, YYYY-Qn.' : 'A month, YYYY-MM.';
  return { name: 'period', in: 'path', description: form, schema, example };
}

function malformedPeriod(expected: string): ErrorDescription {
  return malformed('period', expected, 'The period is malformed.');
}

function answerOf(schema: TSchema) {
  return {
    status: 200,
    description: 'The rates. They never change, so caches may keep them.',
    schema,
    cacheControl: [cachePolicies.immutable],
    hasValidator: true,
  } as const;
}

/** The routes of the exchange rates that laws mean (legal-fx L1). */
export const fxLawReference: Reference = {
  getOssFx: {
    tag: fxTag,
    summary: 'The rates for an OSS return',
    description: `The publication of the last day of the quarter, and without one on that day, the next one after it (Directive 2006/112/EC, art. 369h(2); the same for the non-Union scheme, art. 366(2)). ${certain}\n\n${conversion} ${notAdvice}`,
    parameters: [periodParameter(quarter, '2022-Q4')],
    answer: answerOf(returnSchema('FxOfOss', 'oss', quarter)),
    errors: [malformedPeriod(quarterExpected), notPublished, beforeData],
  },
  getIossFx: {
    tag: fxTag,
    summary: 'The rates for an IOSS return',
    description: `The publication of the last day of the month, and without one on that day, the next one after it (Directive 2006/112/EC, art. 369u(2)). The limit of 150 EUR for a consignment has another rate: that of art. 91(2), \`/fx/vat/{taxPoint}\`, of the day on which the payment was accepted. ${certain}\n\n${conversion} ${notAdvice}`,
    parameters: [periodParameter(month, '2026-10')],
    answer: answerOf(returnSchema('FxOfIoss', 'ioss', month)),
    errors: [malformedPeriod(monthExpected), notPublished, beforeData],
  },
  getCustomsFx: {
    tag: fxTag,
    summary: 'The rates for the customs value in a month',
    description: `The publication of the penultimate Wednesday of the month before, in the Member States with the euro; without one on that day, the newest one before it (Implementing Regulation (EU) 2015/2447, art. 146). A month is answered as soon as the publication of that Wednesday is stored, before the month begins. ${certain}\n\n${conversion} ${notAdvice}`,
    parameters: [periodParameter(month, '2026-12')],
    answer: answerOf(customsSchema),
    errors: [malformedPeriod(monthExpected), notPublished, beforeData],
  },
  getVatFx: {
    tag: fxTag,
    summary: 'The rates for a tax point',
    description: `For a day: the newest publication of that day or before it. For an instant: the newest publication that was available then; that of a day is available from 16:00 Frankfurt time. Both are readings of Directive 2006/112/EC, art. 91(2), as amended by Directive 2010/45/EU. With \`country=PL\`: the newest publication before the day of the tax point, which for an instant is its day in Poland (Polish VAT act, art. 31a(1), second sentence); if \`issued\` is before that day, the newest one before the day of issue (art. 31a(2)). With \`country\` and \`bank\`: the publication of that bank which the law of the country means. \`PL\` with \`nbp\`: the newest table A before the day of the tax point, or before an earlier day of issue (art. 31a(1) and (2)). \`CZ\` with \`cnb\`: the fixing that is valid on the day, the newest one on or before it (Act No 235/2004 Coll., § 4). ${certain}\n\n${conversion} ${notAdvice}`,
    parameters: [
      {
        name: 'taxPoint',
        in: 'path',
        description:
          'A day, YYYY-MM-DD, or an instant with `Z` or an offset, such as 2026-11-20T10:00:00+01:00. Fractions of a second are accepted.',
        schema: Type.String({
          pattern:
            '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d))?$',
        }),
        example: '2026-11-20',
      },
      {
        name: 'country',
        in: 'query',
        description:
          'A country whose law has a rule of its own. Without it the answer is that of art. 91(2) of the Directive, which every Member State accepts. `CZ` needs `bank`.',
        schema: Type.String({ enum: countries }),
        example: 'PL',
      },
      {
        name: 'bank',
        in: 'query',
        description:
          'The bank whose publication is used, with `country` only. `nbp` and `cnb` need an operator who has enabled them.',
        schema: Type.String({ enum: lawBanks }),
        example: 'nbp',
      },
      {
        name: 'issued',
        in: 'query',
        description:
          'The day of issue of the invoice, YYYY-MM-DD, with `country=PL` only. It decides if it is before the day of the tax point, otherwise it changes nothing.',
        schema: dateSchema,
        example: '2026-11-18',
      },
    ],
    answer: {
      ...answerOf(Type.Union([taxPointSchema, bankTaxPointSchema])),
      // Of a national bank, while a proof of version 0.3 is repeated.
      cacheControl: [cachePolicies.immutable, cachePolicies.changes],
    },
    errors: [
      malformed(
        'taxPoint',
        taxPointExpected,
        'The tax point is malformed, not in the calendar, or an instant without an offset.',
      ),
      malformed(
        'country',
        countryExpected,
        'No rule of the country is known here, and no bank is named.',
      ),
      ...countriesWithBank.map((country) =>
        malformed(
          'bank',
          bankExpectedFor(country),
          `\`country=${country}\` stands without a bank.`,
        ),
      ),
      ...lawBanks.map((bank) =>
        malformed(
          'country',
          `${countriesOf(bank)} for bank ${bank}`,
          `\`bank=${bank}\` stands without a country.`,
        ),
      ),
      malformed('bank', bankExpected, 'The bank is not known.'),
      malformed('bank', 'a bank of that country', 'The law of the country does not name the bank.'),
      notEnabled,
      {
        error: 'fxNotDecidable',
        when: 'The law does not say which of two publications is used, because the bank published on a day that was declared a holiday. `Link` names both.',
        hasLink: true,
      },
      malformedDateOf('issued'),
      notPublished,
      beforeData,
    ],
  },
};
