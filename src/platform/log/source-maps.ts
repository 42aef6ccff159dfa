import { SourceMap, type SourceMapping } from 'node:module';
import { isSea } from 'node:sea';
import { assets } from '../assets.ts';

/** How long maps are held: those of one stack take up to 17 MB, and 80 ms to read. */
const heldMs = 10_000;
/** The places that are remembered, so that an error that is logged again and again reads no map again. */
const placesMax = 1_000;

const placePattern = /(file:\/\/.+):(\d+):(\d+)(?=\)?$)/;

/** The maps that were read; null for one that cannot be read. */
const maps = new Map<string, SourceMap | null>();
const places = new Map<string, string>();

/**
 * A line of a stack with source and line instead of a place in the bundle: `at runCli (src/cli/run-cli.ts:39)`. Any other line
 * stays as it is, also if its map is missing or broken. Never throws.
 */
export function nameSource(line: string): string {
  return line.replace(placePattern, (place, url: string, atLine: string, atColumn: string) => {
    const known = places.get(place);
    if (known !== undefined) return known;
    const name = nameOfBundled(url);
    const source = name === undefined ? undefined : find(name, Number(atLine), Number(atColumn));
    if (places.size === placesMax) places.clear();
    places.set(place, source ?? place);
    return source ?? place;
  });
}

/**
 * The asset of a file of the bundle, by its URL in a stack; undefined for any other URL. The code of an executable is one
 * file. In a checkout, this file is beside sources, whose lines a stack names anyway.
 */
function nameOfBundled(url: string): string | undefined {
  if (isSea()) return url === import.meta.url ? 'dist/service/main.js' : undefined;
  const [folder, root] = ['.', '../..'].map((to) => new URL(to, import.meta.url).href);
  const isBundled = url.startsWith(folder ?? '') && url.endsWith('.js');
  return isBundled ? url.slice(root?.length) : undefined;
}

/** Source and line of a place in a file of the bundle, which a stack counts from 1, and a map from 0. */
function find(name: string, line: number, column: number): string | undefined {
  const entry: Partial<SourceMapping> = readMap(name)?.findEntry(line - 1, column - 1) ?? {};
  const { originalSource, originalLine } = entry;
  // A broken map may name no source.
  if (typeof originalSource !== 'string' || originalLine === undefined) return undefined;
  return `${originalSource.replace(/^(?:\.\.\/)+/, '')}:${originalLine + 1}`;
}

function readMap(name: string): SourceMap | null {
  const held = maps.get(name);
  if (held !== undefined) return held;
  if (maps.size === 0) setTimeout(() => maps.clear(), heldMs).unref();
  const map = parseMap(name);
  maps.set(name, map);
  return map;
}

function parseMap(name: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(assets.read(`${name}.map`).toString()));
  } catch {
    return null;
  }
}
