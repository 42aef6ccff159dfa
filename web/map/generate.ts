/**
 * Makes `src/rates/map-shapes.json`, the console's map of the EU-27.
 *
 *     node web/map/generate.ts
 *
 * The borders are from Natural Earth 1:50m (public domain), through the package `world-atlas`. It has one arc for
 * each border between two countries. Arcs are projected and simplified before they are joined to rings, so that
 * neighbouring countries have the same border.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Point, project } from './projection.ts';
import { thinOut } from './thin-out.ts';
import { readTopology, type Ring } from './topology.ts';

/** Width and height of the map in its own units, without the margin. */
const width = 600;
const height = 600;
/** Land beyond this distance outside the map is left out. */
const margin = 40;
/** Largest distance between a simplified border and the real one. */
const toleranceUnits = 0.45;
/** Smallest area of an island that is drawn. The largest island of a country is always drawn. */
const areaMin = 1.6;

/** Country codes by ISO 3166-1 numeric code, which Natural Earth uses. */
const memberStates: Readonly<Record<string, string>> = {
  '040': 'AT',
  '056': 'BE',
  '100': 'BG',
  '191': 'HR',
  '196': 'CY',
  '203': 'CZ',
  '208': 'DK',
  '233': 'EE',
  '246': 'FI',
  '250': 'FR',
  '276': 'DE',
  '300': 'GR',
  '348': 'HU',
  '372': 'IE',
  '380': 'IT',
  '428': 'LV',
  '440': 'LT',
  '442': 'LU',
  '470': 'MT',
  '528': 'NL',
  '616': 'PL',
  '620': 'PT',
  '642': 'RO',
  '703': 'SK',
  '705': 'SI',
  '724': 'ES',
  '752': 'SE',
};

const source = fileURLToPath(import.meta.resolve('world-atlas/countries-50m.json'));
const target = fileURLToPath(new URL('../src/rates/map-shapes.json', import.meta.url));

const topology = readTopology(JSON.parse(readFileSync(source, 'utf8')), (arc) =>
  thinOut(arc.map(project), toleranceUnits),
);
const countries: Record<string, { path: string; x: number; y: number }> = {};
/** The path of all countries that are not Member States. */
let others = '';
for (const { id, rings } of topology) {
  const visible = rings.filter(isVisible);
  const code = memberStates[id];
  if (code === undefined) {
    others += visible
      .filter((ring) => Math.abs(areaOf(ring)) > areaMin * 4)
      .map(print)
      .join('');
    continue;
  }
  const largest = visible.toSorted((a, b) => Math.abs(areaOf(b)) - Math.abs(areaOf(a)))[0];
  if (largest === undefined) throw new Error(`${code} is not on the map`);
  const drawn = visible.filter((ring) => ring === largest || Math.abs(areaOf(ring)) > areaMin);
  const [x, y] = centroidOf(largest);
  countries[code] = { path: drawn.map(print).join(''), x: Math.round(x), y: Math.round(y) };
}

const sorted = Object.fromEntries(Object.entries(countries).sort(([a], [b]) => (a < b ? -1 : 1)));
const missing = Object.values(memberStates).filter((code) => sorted[code] === undefined);
if (missing.length > 0) throw new Error(`not found: ${missing.join(', ')}`);
const shapes = {
  source: 'Natural Earth 1:50m (public domain), through world-atlas; made by web/map/generate.ts',
  width,
  height,
  others,
  countries: sorted,
};
writeFileSync(target, `${JSON.stringify(shapes, null, 2)}\n`);
process.stdout.write(`${target}: ${Math.round(JSON.stringify(shapes).length / 1024)} KB\n`);

function isVisible(ring: Ring): boolean {
  return ring.some(
    ([x, y]) => x > -margin && x < width + margin && y > -margin && y < height + margin,
  );
}

/** The signed area of a ring. */
function areaOf(ring: Ring): number {
  let sum = 0;
  for (const [at, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
    sum += x * nextY - nextX * y;
  }
  return sum / 2;
}

/** The centroid of a ring. */
function centroidOf(ring: Ring): Point {
  let [sumX, sumY] = [0, 0];
  for (const [at, [x, y]] of ring.entries()) {
    const [nextX, nextY] = ring[(at + 1) % ring.length] ?? [x, y];
    const cross = x * nextY - nextX * y;
    sumX += (x + nextX) * cross;
    sumY += (y + nextY) * cross;
  }
  const area = areaOf(ring);
  return [sumX / (6 * area), sumY / (6 * area)];
}

/** An SVG path with relative whole units, which is short; empty for a ring that is too small. */
function print(ring: Ring): string {
  const points = ring.map(([x, y]) => [Math.round(clamp(x, width)), Math.round(clamp(y, height))]);
  const [first, ...rest] = points.filter(
    ([x, y], at) => at === 0 || x !== points[at - 1]?.[0] || y !== points[at - 1]?.[1],
  );
  if (first === undefined || rest.length < 3) return '';
  let [lastX = 0, lastY = 0] = first;
  let path = `M${lastX} ${lastY}l`;
  for (const [at, [x = 0, y = 0]] of rest.slice(0, -1).entries()) {
    const [stepX, stepY] = [x - lastX, y - lastY];
    path += `${at === 0 || stepX < 0 ? '' : ' '}${stepX}${stepY < 0 ? '' : ' '}${stepY}`;
    [lastX, lastY] = [x, y];
  }
  return `${path}z`;
}

/** Limits a coordinate to the map and its margin, so that Russia does not reach to the Pacific. */
function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, -margin), max + margin);
}
