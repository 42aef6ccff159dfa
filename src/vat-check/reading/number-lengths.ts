import { type RegistryCode, vatNumberFormats } from '../numbers/vat-number-formats.ts';

/** How many characters the numbers of a registry have, ascending, by their form: `[8, 9, 10]` for `CZ`. */
export function lengthsOf(registry: RegistryCode): readonly number[] {
  const alternatives = vatNumberFormats[registry].form.source
    .replace(/^\^\(\?:(.*)\)\$$/, '$1')
    // Alternatives inside of a number, `(?:GD|HA)`, have one length.
    .replaceAll(/\(\?:([^|)]*)\|[^)]*\)/g, '$1')
    .split('|');
  const lengths = alternatives.flatMap(lengthsOfPattern);
  return [...new Set(lengths)].toSorted((a, b) => a - b);
}

/** The lengths of a row of signs and classes, of which one at most has a range of repetitions. */
function lengthsOfPattern(pattern: string): readonly number[] {
  let [least, most] = [0, 0];
  for (const [, from = '1', to = from] of pattern.matchAll(
    /(?:\[[^\]]*\]|[^[\]{}])(?:\{(\d+)(?:,(\d+))?\})?/g,
  )) {
    least += Number(from);
    most += Number(to);
  }
  return Array.from({ length: most - least + 1 }, (_, at) => least + at);
}
