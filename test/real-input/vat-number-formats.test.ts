import { describe, expect, it } from 'vitest';
import {
  vatNumberFormats,
  viesCodes,
  type VatNumberFormat,
} from '../../src/vat-check/numbers/vat-number-formats.ts';
import { hintOf } from '../../src/vat-check/numbers/hint.ts';
import {
  parseVatNumber,
  parseWrittenNumber,
  readVatNumber,
} from '../../src/vat-check/numbers/vat-number.ts';
import { hasCaptures, readJsonCapture, unlessAbsent } from './captures.ts';

type Collected = {
  readonly pastedPrefixes: readonly string[];
  readonly patterns: readonly string[];
  readonly completions?: readonly { readonly pattern: string; readonly prepend: string }[];
  readonly examples: readonly { readonly number: string }[];
};

const collected = hasCaptures
  ? (readJsonCapture('vat-number-formats.json') as Readonly<Record<string, Collected>>)
  : {};

const toFullWidth = (text: string): string =>
  text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0));

/** The spellings in which callers paste a number. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in lower case': (text) => text.toLowerCase(),
  'with blanks': (text) => ` ${text.replaceAll(/..../g, '$& ')}`,
  'with dots and hyphens': (text) => text.replaceAll(/.../g, '$&.').replaceAll(/..../g, '$&-'),
  'in full-width characters': toFullWidth,
  'with no-break spaces': (text) => Array.from(text).join('\u00A0'),
  'with zero-width spaces': (text) => `\uFEFF${Array.from(text).join('\u200B')}`,
};

describe.skipIf(!hasCaptures)(`real VAT numbers (rules K1 and K2)${unlessAbsent}`, () => {
  it('have the known formats', () => {
    const formats: Readonly<Record<string, VatNumberFormat>> = vatNumberFormats;
    const known = viesCodes
      .map((code) => [code, formats[code] as VatNumberFormat] as const)
      .map(([code, format]) => [
        code,
        format.form.source,
        format.prefixes ?? [code],
        format.withoutZero === undefined ? [] : [format.withoutZero.source],
      ]);

    expect(known).toEqual(
      Object.entries(collected).map(([code, { patterns, pastedPrefixes, completions = [] }]) => [
        code,
        `^(?:${patterns.join('|')})$`,
        pastedPrefixes,
        completions.map(({ pattern, prepend }) =>
          prepend.startsWith('0') ? `^(?:${pattern})$` : prepend,
        ),
      ]),
    );
  });

  it.each(Object.entries(spellings))('are read %s, with and without their country', (_, spell) => {
    const read: string[] = [];
    for (const [code, { pastedPrefixes, examples }] of Object.entries(collected)) {
      const countryCode = code === 'EL' ? 'GR' : code;
      for (const { number } of examples) {
        const parsed = { registryCode: code, number };
        for (const prefix of ['', ...pastedPrefixes]) {
          expect(parseVatNumber(code, spell(prefix + number))).toEqual(parsed);
        }
        for (const prefix of pastedPrefixes.filter((prefix) => prefix !== 'GB')) {
          const full = { countryCode, vatNumber: number };
          expect(readVatNumber(spell(prefix + number))).toEqual(full);
          expect(readVatNumber(spell(prefix + number), code)).toEqual(full);
        }
        read.push(number);
      }
    }

    expect(read).toHaveLength(127);
  });

  it('have no hint (rule K3)', () => {
    const hints = Object.entries(collected).flatMap(([code, { examples }]) =>
      examples.map(({ number }) => [code, number, hintOf(parseWrittenNumber(code, number)!)]),
    );

    expect(hints.filter(([, , hint]) => hint !== null)).toEqual([]);
  });

  it('keep the letters of another country', () => {
    for (const [code, { examples }] of Object.entries(collected)) {
      for (const { number } of examples.filter(({ number }) => number.length <= 10)) {
        const other = code === 'DE' ? 'AT' : 'DE';
        const expected = { registryCode: code, number: other + number };
        expect(parseVatNumber(code, other + number)).toEqual(expected);
      }
    }
  });
});
