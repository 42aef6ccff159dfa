import { Type } from 'typebox';
import { banks } from '../../src/fx/banks/banks.ts';
import { operationsOf } from '../../src/fx/banks/data-sets.ts';
import { cachePolicies } from '../../src/platform/http/responses/representation.ts';
import { type BankName, bankNames } from '../../src/platform/publication/data-set-kinds.ts';
import {
  dateParameter,
  dateSchema,
  malformedDate,
  malformedSpan,
  orNull,
  spanParameters,
  withDescription,
} from './common.ts';
import { currency, datesAnswer, fxTag } from './fx.ts';
import type { ErrorDescription, Reference } from './route-description.ts';

/** The fields of a publication of a bank. */
export const bankFields = {
  bank: Type.Enum([...bankNames], { description: 'The bank.' }),
  date: withDescription(dateSchema, 'The date of the publication.'),
  table: orNull(
    Type.String(),
    'The number of the table, which stands on a Polish invoice; null for a bank without numbers.',
  ),
  quote: Type.Enum(
    bankNames.map((name) => banks[name].quote),
    { description: 'The currency of the rates.' },
  ),
  rates: Type.Record(
    currency,
    Type.Object({
      units: Type.Integer({
        minimum: 1,
        description: 'The units of the currency that the rate is for. They can change.',
      }),
      rate: Type.Number({ description: 'Units of `quote` for that many units of the currency.' }),
    }),
    {
      description:
        'By currency, in alphabetical order, as they were published: nothing is divided.',
    },
  ),
} as const;

const publication = Type.Object(bankFields, {
  $id: 'BankPublication',
  description: 'A publication of a national bank.',
});

export const notEnabled: ErrorDescription = {
  error: 'fxBankNotEnabled',
  when: 'The operator of the service has not enabled the bank.',
};

const what: Readonly<Record<BankName, string>> = {
  nbp: 'table A of Narodowy Bank Polski',
  cnb: 'the fixing of Česká národní banka',
};
const whenPublished: Readonly<Record<BankName, string>> = {
  nbp: 'between 11:45 and 12:15 in Warsaw',
  cnb: 'after 14:30 in Prague',
};

/** The routes of the national banks (rule N2). */
export const fxBanksReference: Reference = Object.fromEntries(
  bankNames.flatMap((name) => Object.entries(describeBank(name))),
);

function describeBank(name: BankName): Reference {
  const { latest, dates, dated } = operationsOf(name);
  const answer = { status: 200, schema: publication, hasValidator: true } as const;
  return {
    [latest]: {
      tag: fxTag,
      summary: `The latest rates of ${banks[name].title}`,
      description: `${what[name][0]?.toUpperCase()}${what[name].slice(1)}, published on working days ${whenPublished[name]}. The service has it only if its operator has enabled the bank.`,
      answer: {
        ...answer,
        description: 'The latest publication.',
        cacheControl: [cachePolicies.latest],
      },
      errors: [notEnabled, { error: 'noFxYet', when: 'No publication is available yet.' }],
    },
    [dates]: {
      tag: fxTag,
      summary: `The dates with rates of ${banks[name].title}`,
      description: `The dates for which \`/fx/${name}/{date}\` has a publication: all of them, or those from \`from\` to \`to\`.`,
      parameters: spanParameters(false),
      answer: datesAnswer,
      errors: [...malformedSpan, notEnabled],
    },
    [dated]: {
      tag: fxTag,
      summary: `The rates of ${banks[name].title} of a date`,
      description: `${what[name][0]?.toUpperCase()}${what[name].slice(1)} of a date. A 404 links to the publications before and after it.`,
      parameters: [dateParameter],
      answer: {
        ...answer,
        description: 'The publication of the date.',
        cacheControl: [cachePolicies.immutable],
      },
      errors: [
        malformedDate,
        notEnabled,
        {
          error: 'fxSnapshotNotFound',
          when: 'The date has no publication, usually because it is a weekend or a holiday.',
          hasLink: true,
        },
      ],
    },
  };
}
