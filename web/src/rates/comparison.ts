import { countryName } from '../countries.ts';
import type { RateSnapshot } from '../wire.ts';
import {
  kindNames,
  type RateKind,
  rateKinds,
  differenceInWords,
  valuesInWords,
  valuesOf,
} from './rate-words.ts';

export type Difference = {
  readonly country: string;
  readonly kind: RateKind;
  /** “lowered from 27 %”. */
  readonly move: string;
  /** “lowered from 27 % to 25 %”. */
  readonly words: string;
  /** “Hungary: standard lowered from 27 % to 25 %”. */
  readonly sentence: string;
};

/** The differences between an earlier and a later snapshot, ordered by country and kind. */
export function compareSnapshots(
  earlier: Pick<RateSnapshot, 'rates'>,
  later: Pick<RateSnapshot, 'rates'>,
): readonly Difference[] {
  const countries = new Set([...Object.keys(earlier.rates), ...Object.keys(later.rates)]);
  const named = [...countries].map((country) => [countryName(country), country] as const);
  const sorted = named.toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  return sorted.flatMap(([name, country]) =>
    rateKinds.flatMap((kind) => {
      const after = valuesOf(later.rates[country], kind);
      const move = differenceInWords(valuesOf(earlier.rates[country], kind), after);
      if (move === undefined) return [];
      const end =
        after.length === 0
          ? ''
          : move === 'new'
            ? `, ${valuesInWords(after)}`
            : ` to ${valuesInWords(after)}`;
      const words = `${move}${end}`;
      const sentence = `${name}: ${kindNames[kind].toLowerCase()} ${words}`;
      return { country, kind, move, words, sentence };
    }),
  );
}
