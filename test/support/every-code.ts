import type { CurrencyCode } from '../../src/fx/snapshot.ts';

const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));

/** Every text of three capital letters, 17,576 of them. */
export const everyCode = letters.flatMap((a) =>
  letters.flatMap((b) => letters.map((c) => `${a}${b}${c}` as CurrencyCode)),
);
