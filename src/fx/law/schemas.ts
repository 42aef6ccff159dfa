import { date } from '../../platform/fields/dates.ts';
import * as schema from '../../platform/fields/schema.ts';
import { bankFields } from '../banks/definitions.ts';
import { base, currency, fxRates as rates, value as units } from '../definitions.ts';
import { countries } from './national-rules.ts';

const { absentable, describe, literal, object, oneOf, orNull, record, string, union } = schema;

const published = describe(date, 'The date of the publication that the law means.');
const legalBasis = string({ description: 'The law that the rule comes from.' });
const inForceSince = describe(
  date,
  'The first day on which that law holds. A period or tax point before it is answered as if it held then.',
);
const orNullSince = orNull(
  date,
  'The first day on which that law holds; null if it is not known. A tax point before it is answered as if it held then.',
);
/** A quarter, and a month, as callers write them and answers repeat them. */
export const quarter = string({ pattern: '^\\d{4}-Q[1-4]$' });
export const month = string({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });

function fixedOf(description: string) {
  const fixed = object({
    rate: describe(units, 'The irrevocable rate: units of the currency for 1 EUR.'),
    since: describe(date, 'The first day of the euro.'),
  });
  return record(currency, fixed, { description });
}

const fixedOfReturn = fixedOf(
  'The currencies that became the euro after the first day of the period and by the date of the publication, which therefore has no rate of them. Amounts in them are converted at this fixed rate.',
);
const fixedOfDay = fixedOf(
  'The currencies whose first day of the euro is not after the first day of the month, or the day of the tax point. From that day on only the fixed rate is lawful (Regulation (EC) No 1103/97, art. 4), so it goes before a rate that `rates` may still have. The founding currencies of 1999 are not listed.',
);

/** The answer of a rule whose periods are declared in one return. */
export function returnSchema($id: string, rule: string, period: typeof quarter | typeof month) {
  return object(
    {
      rule: literal(rule),
      period,
      periodEnd: describe(date, 'The last day of the period.'),
      date: published,
      base,
      rates,
      fixed: fixedOfReturn,
      legalBasis,
      inForceSince,
    },
    { $id },
  );
}

export const fxOfCustoms = object(
  {
    rule: literal('customs'),
    period: month,
    decidedOn: describe(date, 'The penultimate Wednesday of the month before.'),
    date: published,
    base,
    rates,
    fixed: fixedOfDay,
    legalBasis,
    inForceSince,
  },
  { $id: 'FxOfCustoms' },
);

const taxPoint = string({ description: 'The tax point as it was requested.' });
const basis = union([literal('day'), literal('instant')], {
  description: 'Whether the tax point was given as a day or as an instant.',
});

export const fxOfTaxPoint = object(
  {
    rule: literal('vat'),
    taxPoint,
    issued: absentable(describe(date, 'The day of issue of the invoice, if it was given.')),
    basis,
    country: orNull(
      oneOf(countries),
      'The country whose own rule was requested; null if none was.',
    ),
    date: published,
    base,
    rates,
    fixed: fixedOfDay,
    legalBasis,
    inForceSince: orNullSince,
  },
  { $id: 'FxOfTaxPoint', description: 'With the rates of the ECB.' },
);

export const bankFxOfTaxPoint = object(
  {
    rule: literal('vat'),
    taxPoint,
    issued: orNull(date, 'The day of issue of the invoice; null if it was not given.'),
    basis,
    country: oneOf(countries, { description: 'The country whose law decides.' }),
    ...bankFields,
    legalBasis,
    inForceSince: orNullSince,
  },
  { $id: 'BankFxOfTaxPoint', description: 'With the rates of a national bank.' },
);
