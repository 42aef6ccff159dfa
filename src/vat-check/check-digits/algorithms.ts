import type { RegistryCode } from '../numbers/vat-number-formats.ts';
import {
  type CheckSigns,
  cypriotLetter,
  frenchKey,
  frenchLetterKey,
  irishLetter,
  irishOldLetter,
  spanishCif,
  spanishLetter,
} from './letters.ts';
import {
  digitSum,
  iso7064Digit,
  luhnDigit,
  mod97,
  oneDigit,
  solveDigit,
  twoDigits,
  weightedSum,
} from './sums.ts';

/** An algorithm for the numbers of one form. A number is right if one of its algorithms says so. */
type Algorithm = {
  /** By default every number of the registry. */
  readonly form?: RegExp;
  /** Null if numbers of this form have no check digit, or if none is known. */
  readonly check: Check | null;
};

type Check = (number: string) => CheckSigns;

/** Check signs behind the first `at` signs of the number. */
function after(at: number, expect: (body: string) => readonly string[]): Check {
  return (number) => ({ at, expected: expect(number.slice(0, at)) });
}

/** A last digit with which the weighted sum of all digits has no remainder; the check digit's weight is the last. */
function sumIsMultiple(
  at: number,
  weights: readonly number[],
  modulus: number,
  remainder = 0,
): Check {
  return after(at, (body) =>
    solveDigit((digit) => weightedSum(`${body}${digit}`, weights) % modulus === remainder),
  );
}

/** A last digit that is the remainder of a weighted sum; if that is 10, of the sum with the second weights. */
function twoRounds(at: number, first: readonly number[], second: readonly number[]) {
  return after(at, (body) => {
    const remainder = weightedSum(body, first) % 11;
    return [String((remainder === 10 ? weightedSum(body, second) % 11 : remainder) % 10)];
  });
}

/** Two digits with which the weighted sum of all has one of these remainders. */
function british(remainders: readonly number[]): Check {
  return after(7, (body) => {
    const sum = weightedSum(body, [8, 7, 6, 5, 4, 3, 2]);
    return remainders.map((rest) => twoDigits((rest + 97 * 3 - (sum % 97)) % 97));
  });
}

const birthNumber = after(9, (body) => [String((Number(body) % 11) % 10)]);
const czechSpecial = after(8, (body) => {
  const sum = weightedSum(body.slice(1), [8, 7, 6, 5, 4, 3, 2]);
  return [String((18 - ((10 - (sum % 11) + 11) % 11)) % 10)];
});
const luhn = (at: number) => after(at, (body) => [String(luhnDigit(body))]);
const iso7064 = (at: number) => after(at, (body) => [String(iso7064Digit(body))]);
const lithuanian = [
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2],
  [3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4],
] as const;

/**
 * The check digits of each registry, from the VIES construction rules (DG TAXUD, version 15.0) and python-stdnum.
 *
 * A number that has the form of its registry and none of these is one that the Member State does not issue: a Spanish one
 * that begins with I, O or T, an Irish one with the check letter X, Y or Z.
 */
export const algorithms: Readonly<Record<RegistryCode, readonly Algorithm[]>> = {
  AT: [
    {
      form: /^U/,
      check: after(8, (body) => {
        const sum = Array.from(body.slice(1), Number).reduce(
          (sum, digit, at) => sum + digitSum(digit * (1 + (at % 2))),
          0,
        );
        return [String((10 - ((sum + 4) % 10)) % 10)];
      }),
    },
  ],
  BE: [{ check: after(8, (body) => [twoDigits(97 - (Number(body) % 97))]) }],
  BG: [
    {
      form: /^.{9}$/,
      check: twoRounds(8, [1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 10]),
    },
    {
      form: /^.{10}$/,
      check: after(9, (body) => [
        String((weightedSum(body, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10),
      ]),
    },
    {
      form: /^.{10}$/,
      check: after(9, (body) => [String(weightedSum(body, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10)]),
    },
    {
      form: /^.{10}$/,
      check: after(9, (body) =>
        oneDigit((11 - (weightedSum(body, [4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11),
      ),
    },
  ],
  CY: [{ check: cypriotLetter }],
  CZ: [
    {
      form: /^[0-8].{7}$/,
      check: after(7, (body) => [
        String((11 - (weightedSum(body, [8, 7, 6, 5, 4, 3, 2]) % 11)) % 10),
      ]),
    },
    { form: /^6.{8}$/, check: czechSpecial },
    // The day of birth of a person, in the month of a woman with 50; until 1953 without a check digit.
    {
      form: /^[0-5][0-9](?:[05][1-9]|[16][0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}$/,
      check: null,
    },
    { form: /^.{10}$/, check: birthNumber },
  ],
  DE: [{ check: iso7064(8) }],
  DK: [{ check: sumIsMultiple(7, [2, 7, 6, 5, 4, 3, 2, 1], 11) }],
  EE: [{ check: sumIsMultiple(8, [3, 7, 1, 3, 7, 1, 3, 7, 1], 10) }],
  EL: [
    {
      check: after(8, (body) => [
        String((weightedSum(body, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10),
      ]),
    },
  ],
  ES: [
    { form: /^[A-HJNP-SU-W].{7}[0-9A-J]$/, check: spanishCif },
    { form: /^[0-9KLMXYZ].{7}[A-Z]$/, check: spanishLetter },
  ],
  FI: [{ check: sumIsMultiple(7, [7, 9, 10, 5, 8, 4, 2, 1], 11) }],
  FR: [
    { form: /^[0-9]{2}/, check: frenchKey },
    { form: /^(?:[A-Z].|.[A-Z])/, check: frenchLetterKey },
  ],
  GB: [{ check: british([0, 55]) }],
  HR: [{ check: iso7064(10) }],
  HU: [{ check: sumIsMultiple(7, [9, 7, 3, 1, 9, 7, 3, 1], 10) }],
  IE: [
    { form: /^[0-9]{7}[A-W][A-ITWX]?$/, check: irishLetter },
    { form: /^[0-9][A-Z+*][0-9]{5}[A-W]$/, check: irishOldLetter },
  ],
  IT: [{ check: luhn(10) }],
  LT: [
    {
      form: /^.{9}$/,
      check: twoRounds(8, lithuanian[0].slice(0, 8), lithuanian[1].slice(0, 8)),
    },
    { form: /^.{12}$/, check: twoRounds(11, ...lithuanian) },
  ],
  LU: [{ check: after(6, (body) => [twoDigits(Number(body) % 89)]) }],
  LV: [
    { form: /^[4-9]/, check: sumIsMultiple(10, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1], 11, 3) },
    {
      form: /^(?:[0-2]|3[01])/,
      check: after(10, (body) => [
        String(((1 + weightedSum(body, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10),
      ]),
    },
    // Persons since 2017.
    { form: /^3[2-9]/, check: null },
  ],
  MT: [
    {
      check: after(6, (body) => [twoDigits(37 - (weightedSum(body, [3, 4, 6, 7, 8, 9]) % 37))]),
    },
  ],
  NL: [
    {
      form: /^[0-9]{9}/,
      check: after(8, (body) => oneDigit(weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)),
    },
    {
      // MOD 97-10 never makes 00 and 01. Those are the first numbers of companies, whose digit is the one above.
      form: /B(?!0[01]$)[0-9]{2}$/,
      check: after(10, (body) => [twoDigits(98 - mod97(`NL${body}00`))]),
    },
  ],
  PL: [
    {
      check: after(9, (body) => oneDigit(weightedSum(body, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11)),
    },
  ],
  PT: [
    {
      check: after(8, (body) => [
        String(((11 - (weightedSum(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10),
      ]),
    },
  ],
  RO: [
    {
      check: (number) => {
        const sum = weightedSum(number.slice(0, -1).padStart(9, '0'), [7, 5, 3, 2, 1, 7, 5, 3, 2]);
        return { at: number.length - 1, expected: [String(((10 * sum) % 11) % 10)] };
      },
    },
  ],
  SE: [{ check: luhn(9) }],
  SI: [
    {
      check: after(7, (body) => {
        const remainder = weightedSum(body, [8, 7, 6, 5, 4, 3, 2]) % 11;
        return remainder === 0 ? [] : [String((11 - remainder) % 10)];
      }),
    },
  ],
  // The whole number is a multiple of 11. Birth numbers have the same digit, and 0 if it would be 10.
  SK: [{ check: birthNumber }],
  XI: [
    { form: /^[0-9]/, check: british([0, 42, 55]) },
    // Departments of the government, and health authorities.
    { form: /^(?:GD(?:8888)?[0-4]|HA(?:8888)?[5-9])/, check: null },
  ],
};
