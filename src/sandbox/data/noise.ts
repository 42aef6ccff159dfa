/**
 * Numbers that look random but are the same on every run.
 *
 * FNV-1a with the final mix of MurmurHash3: a full history needs a quarter of a million values, for which
 * SHA-256 would take a second.
 */

/** A 32-bit number that depends only on the words. */
export function wordHash(...words: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of words.join('/')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A number from -1 to 1 that depends only on the words. */
export function unitNoise(...words: readonly (string | number)[]): number {
  return (wordHash(...words) / 0xffffffff) * 2 - 1;
}

/** The items in an order that depends only on the seed. */
export function shuffled<T>(items: readonly T[], seed: string): readonly T[] {
  return items
    .map((item, index) => ({ item, rank: wordHash(seed, index) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
