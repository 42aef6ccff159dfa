import { luhnDigit, twoDigits, weightedSum } from './sums.ts';

/** The check signs of an algorithm: those that would be right, and the place of the first one in the number. */
export type CheckSigns = { readonly at: number; readonly expected: readonly string[] };

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';
const irishLetters = 'WABCDEFGHIJKLMNOPQRSTUV';
const irishWeights = [8, 7, 6, 5, 4, 3, 2];
/** Letters of a French key; I and O are missing, because they look like digits. */
const frenchLetters = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const cypriotOddPlaces = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];

/** Cyprus: 8 digits and a letter. */
export function cypriotLetter(number: string): CheckSigns {
  const sum = Array.from(number.slice(0, 8), Number).reduce(
    (sum, digit, at) => sum + (at % 2 === 0 ? (cypriotOddPlaces[digit] ?? 0) : digit),
    0,
  );
  return { at: 8, expected: [String.fromCodePoint(65 + (sum % 26))] };
}

/**
 * Spain: the CIF of companies ends in a digit or in a letter. Letters are usual after P, Q, R, S, N and W, digits after
 * A, B, E and H. Sources disagree, so both are right; the expected one is the usual one, or else of the kind that was
 * written.
 */
export function spanishCif(number: string): CheckSigns {
  const digit = luhnDigit(number.slice(1, 8));
  const letter = 'JABCDEFGHI'[digit] ?? '';
  const written = number.slice(8);
  const isLetter = /^[PQRSNW]/.test(number) || (/^[^ABEH]/.test(number) && /[A-J]/.test(written));
  const usual = isLetter ? letter : String(digit);
  return { at: 8, expected: [written === letter || written === String(digit) ? written : usual] };
}

/** Spain: DNI (8 digits), NIE (X, Y or Z, which stand for 0, 1 and 2) and K, L or M (7 digits), each with a letter. */
export function spanishLetter(number: string): CheckSigns {
  const digits = number
    .slice(0, 8)
    .replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)))
    .replace(/^[KLM]/, '');
  return { at: 8, expected: [dniLetters[Number(digits) % 23] ?? ''] };
}

/** Ireland: 7 digits, the check letter, and since 2013 a further letter. */
export function irishLetter(number: string): CheckSigns {
  const further = number.length === 9 ? irishLetters.indexOf(number.slice(8)) : 0;
  const sum = weightedSum(number, irishWeights) + 9 * further;
  return { at: 7, expected: [irishLetters[sum % 23] ?? ''] };
}

/** Ireland, old style: a digit, a letter or sign, 5 digits and the check letter. */
export function irishOldLetter(number: string): CheckSigns {
  return irishLetter(`0${number.slice(2, 7)}${number.slice(0, 1)}`);
}

/** France: a key of two digits, then the SIREN, which has a check digit of its own (rule of Luhn, not in Monaco). */
export function frenchKey(number: string): CheckSigns {
  const key = twoDigits((12 + 3 * (Number(number.slice(2)) % 97)) % 97);
  return number.startsWith(key) ? sirenDigit(number) : { at: 0, expected: [key] };
}

/** France: a key with letters. Many such keys are right for one SIREN, so no key is expected. */
export function frenchLetterKey(number: string): CheckSigns {
  const [a = 0, b = 0] = Array.from(number.slice(0, 2), (sign) => frenchLetters.indexOf(sign));
  const key = a < 10 ? 24 * a + b - 10 : 34 * a + b - 100;
  const siren = Number(number.slice(2));
  const isRight = (siren + 1 + Math.floor(key / 11)) % 11 === key % 11;
  return isRight ? sirenDigit(number) : { at: 0, expected: [] };
}

function sirenDigit(number: string): CheckSigns {
  const isOfMonaco = number.slice(2, 5) === '000';
  const digit = isOfMonaco ? number.slice(10) : String(luhnDigit(number.slice(2, 10)));
  return { at: 10, expected: [digit] };
}
