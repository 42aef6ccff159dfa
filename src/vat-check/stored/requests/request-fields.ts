import {
  type Field,
  nullable,
  objectOf,
  pathOf,
  type ReadBy,
  refined,
  refuse,
  text,
  whole,
} from '../../../platform/fields/field.ts';
import { oneOf, string } from '../../../platform/fields/schema.ts';
import { registriesInWords } from '../../registries/known.ts';
import { registryNames } from '../../registries/registry.ts';
import { type NameOf, readField } from '../../../platform/http/routes/read-request.ts';
import { hasAtMost } from '../../../platform/values/characters.ts';
import { vatNumberMax } from '../../numbers/impossible-number.ts';
import { registryCodes } from '../../numbers/registry-codes.ts';
import { parseRequester, type Requester } from '../../numbers/requester.ts';
import { isPrintable, parseTrader, type Trader, traderTextMax } from '../../numbers/trader.ts';

/** Country and number as the caller wrote them. */
export type WrittenNumber = { readonly countryCode: string; readonly vatNumber: string };

/** Characters of a country as the caller writes it (rule K4). */
export const countryCodeMax = 8;

/** Characters of `reference`. */
export const referenceMax = 100;

const printable = (max: number): string => `at most ${max} printable characters`;

/** The country as written; it may be one without a registry. NUL is left out: PostgreSQL stores no text that has it. */
export const countryCode = text(
  string({
    maxLength: countryCodeMax,
    description: 'ISO 3166-1 alpha-2, in any letter case. Greece is GR or EL, Northern Ireland XI.',
  }),
  '2-letter ISO code',
  withoutNul,
);

/** The number as written; it may be one that no registry can be queried for. */
export const vatNumber = text(
  string({
    maxLength: vatNumberMax,
    description: 'The number, in any spelling that `/vatcheck` reads.',
  }),
  'a VAT number',
  withoutNul,
);

/** On whose behalf the registry is queried; undefined if nobody is named. One that cannot be queried for is a 400 as well. */
export const requester: Field<Requester | undefined> = nullable(
  refined(objectOf({ countryCode, vatNumber }), (written, at) => {
    const known = isTooLong(written)
      ? undefined
      : // Whether the registry accepts it is judged with the registry.
        parseRequester(written.countryCode, written.vatNumber, registryCodes);
    return known ?? refuse(at, 'a possible VAT number');
  }),
  undefined,
  'The number on whose behalf the registry is queried; needed for a consultation number. By default that of your key, then that of the service. The country may also be `EU`, with the nine digits of a seller outside the Union in the one-stop shop.',
);

const companyTypeExpected = 'a company type such as DE-1';

/** A text of a trader, which `parseTrader` judges. */
function ofTrader(expected: string): Field<string | undefined> {
  const schema = string({ maxLength: traderTextMax });
  return nullable(
    text(schema, expected, (given) => given),
    undefined,
  );
}

const traderText = ofTrader(printable(traderTextMax));

/** `{}` if there is none. */
export const trader: Field<Trader> = nullable(
  refined(
    objectOf(
      {
        name: traderText,
        street: traderText,
        postcode: traderText,
        city: traderText,
        companyType: ofTrader(companyTypeExpected),
      },
      {
        description:
          'The data of your customer, which the registry compares with its own. `companyType` has the form of `DE-1`.',
      },
    ),
    (written, at) => {
      const read = parseTrader(written);
      if (read.kind === 'trader') return read.trader;
      const isType = read.field === 'companyType';
      const place = { ...at, path: pathOf(at, read.field) };
      return refuse(place, isType ? companyTypeExpected : printable(traderTextMax));
    },
  ),
  {},
);

/** The caller's own reference. Blanks are kept. */
export const referenceText = text(
  string({ maxLength: referenceMax }),
  printable(referenceMax),
  (given) => (isPrintable(given, referenceMax) ? given : undefined),
);

/** Null if there is none. */
export const reference: Field<string | null> = nullable(
  referenceText,
  null,
  'A text of your own, such as the number of an order.',
);

/** A number that may be left out or null, and is then the default. */
function wholeOr(
  byDefault: number,
  { min, max, description }: { readonly min: number; readonly max: number; description: string },
): Field<number> {
  return nullable(whole(min, max, { default: byDefault }), byDefault, description);
}

/** The registry that is asked (rule M3); undefined for the usual one of the country. */
export const registry: Field<string | undefined> = nullable(
  text(oneOf(registryNames), registriesInWords(registryNames), (given) => given),
  undefined,
  'The registry that is asked: by default `hmrc` for Great Britain and `vies` for all others. `bzst` is the confirmation of the Bundeszentralamt für Steuern for a German requester.',
);

/** Limits of rule K4. */
export const waitSecondsMax = 10;

/** The fields of a check in a batch (rule K12). Null counts as an absent field. */
export const batchedFields = {
  countryCode,
  vatNumber,
  registry,
  requester,
  trader,
  maxAgeSeconds: wholeOr(0, {
    min: 0,
    max: 7_776_000,
    description:
      'An answered check of your key with the same number, requester and trader that is at most this old is returned instead of a new one. A check that stays pending ends with such an answer as soon as there is one, instead of a further query.',
  }),
  expiresInHours: wholeOr(72, {
    min: 1,
    max: 720,
    description: 'How long the check may stay pending.',
  }),
  reference,
};

export const batchedCheck = objectOf(batchedFields, {
  $id: 'BatchedCheck',
  description: 'A check that you want, as one of a batch.',
});

/** A check that a request creates alone (rule K4). */
export const newCheck = objectOf(
  {
    ...batchedFields,
    waitSeconds: wholeOr(2, {
      min: 0,
      max: waitSecondsMax,
      description: 'How long this request may wait for the registry.',
    }),
  },
  { $id: 'NewStoredCheck' },
);

/** A check as its caller wrote it. */
export type WrittenCheck = ReadBy<typeof batchedCheck>;

/** Reads a check of a batch or of a file, or throws the 400. */
export function readBatchedCheck(
  fields: Readonly<Record<string, unknown>>,
  nameOf: NameOf,
): WrittenCheck {
  return readField(batchedCheck, fields, { nameOf });
}

/** Reads `countryCode` and `vatNumber` alone, or throws the 400. */
export function readWrittenNumber(
  fields: Readonly<Record<string, unknown>>,
  nameOf: NameOf,
): WrittenNumber {
  return {
    countryCode: readField(countryCode, fields['countryCode'], { path: 'countryCode', nameOf }),
    vatNumber: readField(vatNumber, fields['vatNumber'], { path: 'vatNumber', nameOf }),
  };
}

export function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}

/** Whether a country or a number has more characters than are stored (422, rule K4). */
export function isTooLong({ countryCode, vatNumber }: WrittenNumber): boolean {
  return !hasAtMost(countryCode, countryCodeMax) || !hasAtMost(vatNumber, vatNumberMax);
}

/** The reason why a row of a batch is skipped whose country or number is too long. */
export function describeTooLong({ countryCode }: WrittenNumber): string {
  return isTooLong({ countryCode, vatNumber: '' })
    ? `countryCode has more than ${countryCodeMax} characters`
    : `vatNumber has more than ${vatNumberMax} characters`;
}
