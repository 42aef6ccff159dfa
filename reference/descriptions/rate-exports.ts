import { Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import { dateSchema, malformedDateOf, withDescription } from './common.ts';
import type { Reference, RouteDescription } from './route-description.ts';

const percentage = Type.Number({ description: 'In percentage points: 25 means 25 %.' });
const level = '^(standard|reduced\\d?|super_reduced|parking)$';

const exception = Type.Object({
  name: Type.String({ description: 'The name of the territory.' }),
  postcode: Type.String({
    description:
      'A regular expression for the whole postcode, with `^` and `$`: in Greece and Portugal also with the blank or hyphen that is written there.',
  }),
  standard: percentage,
  reduced: Type.Optional(percentage),
  reduced1: Type.Optional(percentage),
  reduced2: Type.Optional(percentage),
  reduced3: Type.Optional(percentage),
  reduced4: Type.Optional(percentage),
  reduced5: Type.Optional(percentage),
  super_reduced: Type.Optional(percentage),
  parking: Type.Optional(percentage),
});

const period = Type.Object({
  effective_from: withDescription(
    dateSchema,
    'The first day of the rates. The oldest period of a country begins with the first stored day; its rates may have held before.',
  ),
  rates: Type.Record(Type.String({ pattern: level }), percentage, {
    description:
      '`standard`, `super_reduced` and `parking`; `reduced`, or `reduced1` and `reduced2` (ascending) if there are several.',
  }),
  exceptions: Type.Optional(
    Type.Array(exception, {
      description:
        'Territories whose rates the postcode decides, each with every kind of rate of its country.',
    }),
  ),
});

const list = Type.Object(
  {
    details: Type.String({
      description: 'The days of the list, its source, and territories that some periods leave out.',
    }),
    version: Type.Null(),
    items: Type.Record(Type.String({ pattern: '^[A-Z]{2}$' }), Type.Array(period), {
      description: 'The periods of each country, the newest first. Greece is GR.',
    }),
  },
  { $id: 'VatRatesList' },
);

const tag = 'VAT rates';

/** A file of tax rates for a shop; `form` has its columns and what is special about it. */
function describeFile(shop: string, form: string): RouteDescription {
  return {
    tag,
    summary: `The VAT rates as ${shop} imports them`,
    description: `The latest rates, or those of \`date\`, with rows for territories whose rates the postcode of the customer decides. ${form} The guide is \`docs/shops.md\` in the repository of vatfx.`,
    parameters: [
      {
        name: 'date',
        in: 'query',
        description: 'A date with a snapshot (`/rates/dates`); without it the latest rates.',
        schema: dateSchema,
        example: '2026-11-20',
      },
    ],
    answer: {
      status: 200,
      description: 'The file.',
      schema: 'csv',
      cacheControl: [cachePolicies.latest, cachePolicies.immutable],
      hasValidator: true,
      hasErrataLink: true,
    },
    errors: [
      malformedDateOf('date'),
      { error: 'noRatesYet', when: 'No snapshot has been published yet.' },
      { error: 'snapshotNotFound', when: 'The date has no snapshot.', hasLink: true },
    ],
  };
}

/** The VAT rates in forms that shops and programs import. */
export const rateExportsReference: Reference = {
  exportWooCommerceCsv: describeFile(
    'WooCommerce',
    'A tax class is a place in the ascending list of reduced rates (`reduced-rate`, `second-reduced-rate`), or `super-reduced-rate` or `parking-rate`; the standard rate has none.',
  ),
  exportMagentoCsv: describeFile(
    'Magento 2',
    'The code of a row has the country or territory, the rate kind and the postcode, so a later import replaces it.',
  ),
  exportVatRates: {
    tag,
    summary: 'The VAT rates as periods',
    description:
      'All stored days without a gap up to the newest, in the form of `vat-rates.json` of ibericode/vat-rates, which many programs read.',
    answer: {
      status: 200,
      description: 'The list.',
      schema: list,
      cacheControl: [cachePolicies.latest],
      hasValidator: true,
    },
    errors: [{ error: 'noRatesYet', when: 'No snapshot has been published yet.' }],
  },
};
