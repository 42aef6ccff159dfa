import { countryName } from '../countries.ts';
import type { ErrataList, Erratum, RateSnapshot } from '../wire.ts';
import { dateInWords } from '../words.ts';
import { kindNames, type RateKind, valuesInWords, valuesOf } from './rate-words.ts';

/** The answer of `/rates/errata` for one kind of errata. */
export type ErrataOf<T> = Omit<ErrataList, 'errata'> & { readonly errata: readonly T[] };

/** A kind of rate of a country in which a snapshot has not what the law said. */
export type Contradiction = {
  readonly country: string;
  readonly kind: RateKind;
  /** The values of the law, ascending; empty for none. */
  readonly law: readonly number[];
};

/** The errata that hold on the date of a snapshot and contradict its rates: TEDB may have been right when it was stored. */
export function findErrata(snapshot: RateSnapshot, errata: readonly Erratum[]): readonly Erratum[] {
  return errata.filter((erratum) => {
    const { from, to, country } = erratum;
    const holds = from <= snapshot.version && (to === null || snapshot.version <= to);
    const shown = valuesOf(snapshot.rates[country], kindOf(erratum));
    return holds && shown.join() !== applyLaw(shown, erratum).join();
  });
}

/** The kinds of rates that these errata contradict, with all values of the law. */
export function contradictionsOf(
  snapshot: RateSnapshot,
  errata: readonly Erratum[],
): readonly Contradiction[] {
  const groups = Map.groupBy(errata, (erratum) => `${erratum.country} ${kindOf(erratum)}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const kind = kindOf(first);
    const law = group.reduce(applyLaw, valuesOf(snapshot.rates[first.country], kind));
    return { country: first.country, kind, law };
  });
}

/** “Germany: standard 19 % in TEDB, 16 % by law, 1 July 2020 to 31 December 2020”. */
export function erratumInWords(erratum: Erratum): string {
  const { country, source, law, from, to } = erratum;
  const kind = kindNames[kindOf(erratum)].toLowerCase();
  const end = to === null ? 'on' : `to ${dateInWords(to)}`;
  const [inTedb, byLaw] = [source, law].map((value) => valuesInWords(listOf(value)));
  return `${countryName(country)}: ${kind} ${inTedb} in TEDB, ${byLaw} by law, from ${dateInWords(from)} ${end}`;
}

function kindOf({ field }: Erratum): RateKind {
  return field.replace(/\[\d+\]$/, '') as RateKind;
}

/** The values of a kind with the correction of one erratum. */
function applyLaw(values: readonly number[], { field, law }: Erratum): readonly number[] {
  const position = /\[(\d+)\]$/.exec(field)?.[1];
  if (position === undefined) return listOf(law);
  return values.toSpliced(Number(position), 1, ...listOf(law));
}

function listOf(value: Erratum['law']): readonly number[] {
  if (value === null) return [];
  return typeof value === 'number' ? [value] : value;
}
