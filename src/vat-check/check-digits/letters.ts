import { luhnDigit, twoDigits, weightedSum } from './sums.ts';

/** The check signs of an algorithm: those that would be right, and the place of the first one in the number. */
export type CheckSigns = { readonly at: number; readonly expected: readonly string[] };

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';
const irishLetters = 'WABCDEFGHIJKLMNOPQRSTUV';
const frenchSigns = '0123456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const irishWeights = [8, 7, 6, 5, 4, 3, 2];
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

/** Ireland: 7 digits, the check letter, and a further letter, which has no weight if it was issued before 2013: T, W or X. */
export function irishLetter(number: string): CheckSigns {
  const further = /[A-I]$/.test(number.slice(8)) ? irishLetters.indexOf(number.slice(8)) : 0;
  const sum = weightedSum(number, irishWeights) + 9 * further;
  return { at: 7, expected: [irishLetters[sum % 23] ?? ''] };
}

/** Ireland, old style: a digit, a letter or sign, 5 digits and the check letter. */
export function irishOldLetter(number: string): CheckSigns {
  return irishLetter(`0${number.slice(2, 7)}${number.slice(0, 1)}`);
}

/**
 * France: two digits of a key in front of the SIREN, whose last digit is a check digit of its own, except in Monaco. The key
 * depends on it, so no sign is expected if it is wrong: another one would make the key wrong.
 */
export function frenchKey(number: string): CheckSigns {
  const siren = number.slice(2);
  const key = twoDigits((12 + 3 * (Number(siren) % 97)) % 97);
  return { at: 0, expected: isSiren(siren) ? [key] : [] };
}

/** France: a key with letters. Many are right for one SIREN, so none is expected in place of a wrong one. */
export function frenchLetterKey(number: string): CheckSigns {
  const [key, siren] = [number.slice(0, 2), number.slice(2)];
  const [first = 0, second = 0] = Array.from(key, (sign) => frenchSigns.indexOf(sign));
  const value = first < 10 ? 24 * first + second - 10 : 34 * first + second - 100;
  const isRight = (Number(siren) + 1 + Math.floor(value / 11)) % 11 === value % 11;
  return { at: 0, expected: isRight && isSiren(siren) ? [key] : [] };
}

/** Whether nine digits have the check digit of a SIREN; those of Monaco have none. */
function isSiren(digits: string): boolean {
  return digits.startsWith('000') || digits.endsWith(String(luhnDigit(digits.slice(0, 8))));
}
