import type { Dice } from '../../support/dice.ts';
import type { Served } from './between.ts';
import { mutate } from './xml-mutants.ts';

/** A change to a document. */
export type Way = {
  readonly how: string;
  /** Whether no part of it may ever be published; else that depends on the remaining content. */
  readonly isNever: boolean;
  readonly served: Served;
};

const page =
  '<!DOCTYPE html><html><head><title>Maintenance</title></head><body><p>Back soon</body>';

/** A document of any upstream, spoiled as a network, a proxy or an outage does. */
export function spoilWhole(dice: Dice, good: Served): Way {
  const { body } = good;
  const never = (how: string, served: Partial<Served>): Way => ({
    how,
    isNever: true,
    served: { ...good, ...served },
  });
  const ways: readonly (() => Way)[] = [
    () => never('cut', { body: body.slice(0, dice.below(body.trimEnd().length)) }),
    () => never('an HTML page', { type: 'text/html', body: page }),
    () => never('an HTML page that is called XML', { body: page }),
    () => never('nothing', { body: '' }),
    () => never('the document twice', { body: body + body }),
    () => never('the document of another', { body: '<env:Envelope><env:Body/></env:Envelope>' }),
    () => never('HTTP 503', { status: 503 }),
    () => never('HTTP 404', { status: 404 }),
    () => ({
      how: 'bytes',
      isNever: false,
      // One character for each byte, as `mutate` expects it.
      served: { ...good, body: toText(mutate(dice, Buffer.from(body).toString('latin1'))) },
    }),
  ];
  // There are more ways to change bytes than all other ways together.
  return dice.happens(0.4) ? (ways.at(-1) as () => Way)() : dice.pick(ways)();
}

function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

/** A decimal times a factor, in plain notation. */
export function scale(value: string, factor: number): string {
  return String(Number((Number(value) * factor).toFixed(8)));
}

/** Another digit in one of the values of a document. */
export function changeDigit(dice: Dice, document: string, form: RegExp): string {
  const value = dice.pick([...document.matchAll(form)]);
  const digits = [...value[0].matchAll(/\d/g)].map(({ index }) => value.index + index);
  const at = dice.pick(digits);
  return `${document.slice(0, at)}${dice.below(10)}${document.slice(at + 1)}`;
}
