import { date } from '../../platform/fields/dates.ts';
import { optional, text } from '../../platform/fields/field.ts';
import * as schema from '../../platform/fields/schema.ts';
import { defineRoute, type Parameter } from '../../platform/http/routes/define-route.ts';
import { countOf } from '../../platform/http/routes/list-parameters.ts';
import { changedRow } from '../categories/schemas.ts';
import { percentage, tag } from '../definitions.ts';
import { memberStateExpected } from '../read-member-state.ts';
import { parsePostcode } from './find-territories.ts';
import { readAddressCountry } from './territory.ts';

const { absentable, asWritten, boolean, describe, list, number, object, orNull, string } = schema;

const { properties: ofRow } = changedRow;
const country = string({ pattern: '^[A-Z]{2}$' });
/** The table of law has its rates as numbers. */
const rate = number({ description: percentage['description'] });

const rates = object(
  {
    tax: string({ description: 'The name of the tax; `none` if no VAT is levied.' }),
    standard: rate,
    reduced: orNull(
      list(rate),
      'All reduced rates that hold there, ascending: empty if there are none, null if they are not listed here.',
    ),
    parking: orNull(
      number(),
      'In percentage points: what holds there for goods at the parking rate of the state. Null if there is none or it is not known here.',
    ),
    since: orNull(
      date,
      'The first day on which all of these rates hold; null if it is not known. If `note` has the days of some of them, it is that of the standard rate alone, as for the Canary Islands.',
    ),
  },
  { $id: 'TerritoryRates', description: 'The rates of law in a territory.' },
);

const postcode = object(
  {
    prefix: absentable(string({ description: 'All postcodes that begin with it.' })),
    from: absentable(string({ description: 'The first postcode of a range.' })),
    to: absentable(string({ description: 'The last postcode of a range, included.' })),
    except: absentable(
      list(string(), { description: 'Beginnings of postcodes of other territories.' }),
    ),
    country: absentable(
      describe(country, 'The country whose post uses the code, if it is another one.'),
    ),
    place: absentable(string()),
    shared: absentable(boolean({ description: 'Whether other places have the postcode as well.' })),
  },
  { $id: 'TerritoryPostcode', description: 'A rule for postcodes.' },
);

const territory = object(
  {
    code: string({ description: 'The ISO 3166 code if there is one, otherwise our own.' }),
    name: string(),
    country: describe(country, 'The state that the territory belongs to.'),
    alsoKnownAs: list(string(), {
      description: 'Other codes that are used for it as a country or region.',
    }),
    vatTerritory: string({
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
      string(),
      'The suppliers that the rates are for. With `seller established there` the postcode of a customer does not decide.',
    ),
    note: string(),
    legalBasis: string({ description: 'The law that says so.' }),
    // The table writes the country of a rule first.
    postcodes: asWritten(list(postcode)),
    tedbRates: list(
      object({
        kind: ofRow.kind,
        treatment: ofRow.treatment,
        rate: ofRow.rate,
        territory: orNull(string(), 'The territory, in the words of TEDB.'),
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

const answer = {
  description: 'The territories; an empty list if there are none.',
  schema: object(
    {
      territories: list(territory),
      count: countOf('territories'),
      decided: absentable(
        boolean({
          description:
            'With a postcode, or with a country that is a territory itself: whether the answer is decided. False if several territories, or a territory and the rest of the country, can be meant, or if the postcode does not have the form of those of the country.',
        }),
      ),
    },
    { $id: 'TerritoryList' },
  ),
  caching: ['latest'],
} as const;

const countryParameter = {
  field: text(string({ pattern: '^[A-Za-z0-9-]{2,10}$' }), memberStateExpected, readAddressCountry),
  description:
    'Only territories of this country: a Member State (`EL` is read as `GR`), another state that has an entry (`GB`, `CH`), or the code of a territory (`IC`, `GP`, `ES-CN`), in any letter case. A code of a territory decides without a postcode.',
  example: 'ES',
  when: '`country` is neither a Member State nor a state or territory of the table.',
} satisfies Parameter;

/** The routes of territories with a VAT treatment of their own (rule G8). */
export const listTerritories = defineRoute({
  operation: 'listTerritories',
  tag,
  summary: 'Territories with their own VAT treatment',
  description:
    'The territories of the Member States that are outside the VAT area of the EU or have special rates, each with the law that says so, as of today: the table has no history. With `postcode`, the territories that contain it: the longest match counts, and an empty list means that no territory in the table does. Postcodes are facts of the posts, not of law. This is engineering, not tax advice.',
  query: {
    country: { ...countryParameter, field: optional(countryParameter.field) },
    postcode: {
      field: optional(
        text(string(), '2 to 10 letters and digits, with a country', (given, { country: of }) =>
          typeof of === 'string' ? parsePostcode(given, of) : undefined,
        ),
      ),
      description: 'A postcode of `country`, with or without blanks and hyphens.',
      example: '35001',
      when: '`postcode` is malformed, or `country` is missing.',
    },
  },
  answer,
  examples: [
    { path: '/territories?country=ES', summary: 'Spain' },
    {
      path: '/territories?country=ES&postcode=35001',
      summary: 'A postcode of the Canary Islands',
    },
  ],
});

export const listTerritoriesOfCountry = defineRoute({
  operation: 'listTerritoriesOfCountry',
  tag,
  summary: 'The territories of a country',
  description: 'As `/territories` with `country`.',
  path: { country: { ...countryParameter, description: 'The country.' } },
  answer,
  examples: [{ path: '/territories/PT', summary: 'Portugal' }],
});
