import { date, dateField } from '../../platform/fields/dates.ts';
import { optional } from '../../platform/fields/field.ts';
import * as schema from '../../platform/fields/schema.ts';
import { defineRoute } from '../../platform/http/routes/define-route.ts';
import { noneYet, noSnapshot, percentage, tag } from '../definitions.ts';

const { absentable, describe, list, nothing, object, record, string } = schema;

const exception = object({
  name: string({ description: 'The name of the territory.' }),
  postcode: string({
    description:
      'A regular expression for the whole postcode, with `^` and `$`: in Greece and Portugal also with the blank or hyphen that is written there.',
  }),
  standard: percentage,
  reduced: absentable(percentage),
  reduced1: absentable(percentage),
  reduced2: absentable(percentage),
  reduced3: absentable(percentage),
  reduced4: absentable(percentage),
  reduced5: absentable(percentage),
  super_reduced: absentable(percentage),
  parking: absentable(percentage),
});

const period = object({
  effective_from: describe(
    date,
    'The first day of the rates. The oldest period of a country begins with the first stored day; its rates may have held before.',
  ),
  rates: record(string({ pattern: '^(standard|reduced\\d?|super_reduced|parking)$' }), percentage, {
    description:
      '`standard`, `super_reduced` and `parking`; `reduced`, or `reduced1` and `reduced2` (ascending) if there are several.',
  }),
  exceptions: absentable(
    list(exception, {
      description:
        'Territories whose rates the postcode decides, each with every kind of rate of its country.',
    }),
  ),
});

/** A file of tax rates for a shop; `form` has its columns and what is special about it. */
function defineFile(operation: string, shop: string, form: string) {
  return defineRoute({
    operation,
    tag,
    summary: `The VAT rates as ${shop} imports them`,
    description: `The latest rates, or those of \`date\`, with rows for territories whose rates the postcode of the customer decides. ${form} The guide is \`docs/shops.md\` in the repository of vatfx.`,
    query: {
      date: {
        field: optional(dateField),
        description: 'A date with a snapshot (`/rates/dates`); without it the latest rates.',
        example: '2026-11-20',
        when: '`date` is malformed or not a calendar date.',
      },
    },
    answer: {
      description: 'The file.',
      schema: 'csv',
      caching: ['latest', 'immutable'],
      hasErrataLink: true,
    },
    errors: [noneYet, noSnapshot],
  });
}

/** The VAT rates in the forms that shops import. */
export const shopRoutes = {
  woocommerce: defineFile(
    'exportWooCommerceCsv',
    'WooCommerce',
    'A tax class is a place in the ascending list of reduced rates (`reduced-rate`, `second-reduced-rate`), or `super-reduced-rate` or `parking-rate`; the standard rate has none.',
  ),
  magento: defineFile(
    'exportMagentoCsv',
    'Magento 2',
    'The code of a row has the country or territory, the rate kind and the postcode, so a later import replaces it.',
  ),
};

/** The VAT rates in a form that programs read. */
export const exportVatRates = defineRoute({
  operation: 'exportVatRates',
  tag,
  summary: 'The VAT rates as periods',
  description:
    'All stored days without a gap up to the newest, in the form of `vat-rates.json` of ibericode/vat-rates, which many programs read.',
  answer: {
    description: 'The list.',
    schema: object(
      {
        details: string({
          description:
            'The days of the list, its source, and territories that some periods leave out.',
        }),
        version: nothing,
        items: record(string({ pattern: '^[A-Z]{2}$' }), list(period), {
          description: 'The periods of each country, the newest first. Greece is GR.',
        }),
      },
      { $id: 'VatRatesList' },
    ),
    caching: ['latest'],
  },
  errors: [noneYet],
});
