import type { CheckRequest } from '../../../src/vat-check/stored/requests/check-request.ts';
import type { Trader } from '../../../src/vat-check/numbers/trader.ts';
import type { VatNumber } from '../../../src/vat-check/numbers/vat-number.ts';
import type { Dice } from '../../support/dice.ts';

export const keys = ['key_a', 'key_b', 'key_c'] as const;

/** A check as a caller with this key wants it. */
export type Wanted = { readonly keyId: string; readonly request: CheckRequest };

/** Few, so that several keys and requesters check the same number. */
const numbers: readonly VatNumber[] = [
  { registryCode: 'DE', number: '811115368' },
  { registryCode: 'DE', number: '129273398' },
  { registryCode: 'FR', number: '40303265045' },
];
const requesters: readonly (VatNumber | undefined)[] = [
  undefined,
  { registryCode: 'NL', number: '854265259B01' },
  { registryCode: 'AT', number: 'U99999901' },
];
const traders: readonly Trader[] = [{}, {}, { name: 'Example Ltd' }];

/** A random check of a random key. */
export function wantedCheck(dice: Dice): Wanted {
  const vatNumber = dice.pick(numbers);
  const { registryCode, number } = vatNumber;
  const request = {
    echo: { countryCode: registryCode, vatNumber: number },
    vatNumber,
    hint: null,
    requester: dice.pick(requesters),
    trader: dice.pick(traders),
    maxAgeSeconds: dice.pick([0, 0, 600, 7_776_000]),
    expiresInHours: 1 + dice.below(3),
    reference: null,
    waitSeconds: 0,
  };
  return { keyId: dice.pick(keys), request };
}
