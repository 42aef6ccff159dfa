import { Type } from 'typebox';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import { memberStateExpected } from '../../src/rates/read-member-state.ts';
import { postcodeExpected } from '../../src/rates/territories/routes.ts';
import { changedRow } from './category-schemas.ts';
import { dateSchema, malformed, orNull, withDescription } from './common.ts';
import type { ParameterDescription, Reference } from './route-description.ts';

const percentage = Type.Number({ description: 'In percentage points: 25 means 25 %.' });
const { properties: ofRow } = changedRow;
const country = Type.String({ pattern: '^[A-Z]{2}$' });

const rates = Type.Object(
  {
    tax: Type.String({ description: 'The name of the tax; `none` if no VAT is levied.' }),
    standard: percentage,
    reduced: orNull(
      Type.Array(percentage),
      'All reduced rates that hold there, ascending: empty if there are none, null if they are not listed here.',
    ),
    parking: orNull(
      Type.Number(),
      'In percentage points: what holds there for goods at the parking rate of the state. Null if there is none or it is not known here.',
    ),
    since: orNull(
      dateSchema,
      'The first day on which all of these rates hold; null if it is not known. If `note` has the days of some of them, it is that of the standard rate alone, as for the Canary Islands.',
    ),
  },
  { $id: 'TerritoryRates', description: 'The rates of law in a territory.' },
);

const postcode = Type.Object(
  {
    prefix: Type.Optional(Type.String({ description: 'All postcodes that begin with it.' })),
    from: Type.Optional(Type.String({ description: 'The first postcode of a range.' })),
    to: Type.Optional(Type.String({ description: 'The last postcode of a range, included.' })),
    except: Type.Optional(
      Type.Array(Type.String(), { description: 'Beginnings of postcodes of other territories.' }),
    ),
    country: Type.Optional(
      withDescription(country, 'The country whose post uses the code, if it is another one.'),
    ),
    place: Type.Optional(Type.String()),
    shared: Type.Optional(
      Type.Boolean({ description: 'Whether other places have the postcode as well.' }),
    ),
  },
  { $id: 'TerritoryPostcode', description: 'A rule for postcodes.' },
);

const territory = Type.Object(
  {
    code: Type.String({ description: 'The ISO 3166 code if there is one, otherwise our own.' }),
    name: Type.String(),
    country: withDescription(country, 'The state that the territory belongs to.'),
    alsoKnownAs: Type.Array(Type.String(), {
      description: 'Other codes that are used for it as a country or region.',
    }),
    vatTerritory: Type.String({
      pattern: '^(outside|special rates|part of another state|goods only)$',
      description:
        'Its relation to the VAT area of the EU: `outside`, `special rates`, `part of another state` or `goods only`.',
    }),
    treatAs: orNull(country, 'The country that it counts as; null for none.'),
    rates: orNull(
      rates,
      'The rates of law; null if it has none of its own or they are not listed.',
    ),
    appliesTo: orNull(
      Type.String(),
      'The suppliers that the rates are for. With `seller established there` the postcode of a customer does not decide.',
    ),
    note: Type.String(),
    legalBasis: Type.String({ description: 'The law that says so.' }),
    postcodes: Type.Array(postcode),
    tedbRates: Type.Array(
      Type.Object({
        kind: ofRow.kind,
        treatment: ofRow.treatment,
        rate: ofRow.rate,
        territory: orNull(Type.String(), 'The territory, in the words of TEDB.'),
        situation_on: ofRow.situation_on,
      }),
      {
        description:
          'The statements of the latest snapshot of TEDB about it, its standard rate without a category included, beside the rates of law. They may be out of date or incomplete.',
      },
    ),
  },
  { $id: 'Territory', description: 'A territory with a VAT treatment of its own.' },
);

const list = Type.Object(
  {
    territories: Type.Array(territory),
    count: Type.Integer({ minimum: 0, description: 'The number of territories.' }),
    decided: Type.Optional(
      Type.Boolean({
        description:
          'With a postcode, or with a country that is a territory itself: whether the answer is decided. False if several territories, or a territory and the rest of the country, can be meant, or if the postcode does not have the form of those of the country.',
      }),
    ),
  },
  { $id: 'TerritoryList' },
);

const countryParameter: ParameterDescription = {
  name: 'country',
  in: 'query',
  description:
    'Only territories of this country: a Member State (`EL` is read as `GR`), another state that has an entry (`GB`, `CH`), or the code of a territory (`IC`, `GP`, `ES-CN`), in any letter case. A code of a territory decides without a postcode.',
  schema: Type.String({ pattern: '^[A-Za-z0-9-]{2,10}$' }),
  example: 'ES',
};
const malformedCountry = malformed(
  'country',
  memberStateExpected,
  '`country` is neither a Member State nor a state or territory of the table.',
);
const answer = {
  status: 200,
  description: 'The territories; an empty list if there are none.',
  schema: list,
  cacheControl: [cachePolicies.latest],
  hasValidator: true,
} as const;
const tag = 'VAT rates';

/** The routes of territories with a VAT treatment of their own (rule G8). */
export const territoriesReference: Reference = {
  listTerritories: {
    tag,
    summary: 'Territories with their own VAT treatment',
    description:
      'The territories of the Member States that are outside the VAT area of the EU or have special rates, each with the law that says so, as of today: the table has no history. With `postcode`, the territories that contain it: the longest match counts, and an empty list means that no territory in the table does. Postcodes are facts of the posts, not of law. This is engineering, not tax advice.',
    parameters: [
      countryParameter,
      {
        name: 'postcode',
        in: 'query',
        description: 'A postcode of `country`, with or without blanks and hyphens.',
        schema: Type.String(),
        example: '35001',
      },
    ],
    answer,
    errors: [
      malformedCountry,
      malformed('postcode', postcodeExpected, '`postcode` is malformed, or `country` is missing.'),
    ],
  },
  listTerritoriesOfCountry: {
    tag,
    summary: 'The territories of a country',
    description: 'As `/territories` with `country`.',
    parameters: [{ ...countryParameter, in: 'path', description: 'The country.' }],
    answer,
    errors: [malformedCountry],
  },
};
