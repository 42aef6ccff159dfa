import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The rooms of the picture in rows, from those that import to those that are imported, each with its column. */
const rows: readonly (readonly (readonly [room: string, column: number, does: string])[])[] = [
  [['main', 1, 'starts a command']],
  [
    ['cli', 1, 'commands'],
    ['web', 5, 'pages of the console'],
  ],
  [
    ['composition', 2, 'connects the features'],
    ['client', 6, 'TypeScript client'],
  ],
  [
    ['sandbox', 0, 'plays the upstreams'],
    ['fx', 1, 'exchange rates'],
    ['rates', 2, 'VAT rates'],
    ['vat-check', 3, 'VAT numbers'],
    ['access', 4, 'keys and limits'],
    ['console', 5, 'serves the pages'],
    ['webhooks', 6, 'sends events'],
  ],
  [['events', 6, 'event log']],
  [['platform', 0, 'HTTP, database, upstreams, schedule, publication: knows no feature']],
];

const box = { width: 132, height: 52, gap: 16, rowGap: 56, margin: 24 };
const width = 7 * box.width + 6 * box.gap + 2 * box.margin;

type Box = { readonly left: number; readonly top: number; readonly width: number };

/**
 * Draws the rooms of the code, and an arrow for each import between two of them, as SVG. An import that follows from
 * others (A imports B, B imports C, A imports C) has no arrow. Tests are left out.
 *
 * @throws If a folder of `src` is not in the picture, or one in the picture does not exist.
 */
export function drawRooms(): string {
  const imports = readImports();
  const boxes = placeBoxes();
  requireSame(new Set(boxes.keys()), new Set(imports.keys()));
  const height = rows.length * (box.height + box.rowGap) - box.rowGap + 2 * box.margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" text-anchor="middle">`,
    '<title>The folders of the code and their imports</title>',
    '<!-- Made by `npm run generate` from the imports of the code; do not edit. -->',
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="#5b6675"/></marker></defs>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...[...imports].flatMap(([from, rooms]) =>
      [...rooms]
        .filter((to) => !isImplied(imports, from, to))
        .map((to) => drawArrow(boxes, from, to)),
    ),
    ...rows.flat().map(([room, , does]) => drawBox(boxes, room, does)),
    '</svg>',
    '',
  ].join('\n');
}

/** The rooms that each room imports. */
function readImports(): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, Set<string>>();
  const files = globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}', 'client/src/**/*.ts']).toSorted();
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const room = roomOf(file);
    const rooms = imports.get(room) ?? new Set();
    imports.set(room, rooms);
    const text = readFileSync(file, 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from |import\(|import )'(\.[^']+)'/g)) {
      const imported = roomOf(join(dirname(file), path));
      if (imported !== room) rooms.add(imported);
    }
  }
  return imports;
}

/** `src/fx/publishing/plan.ts` is in `fx`, `src/main.ts` in `main`, `web/src/app.tsx` in `web`. */
function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'src' ? second.replace(/\.ts$/, '') : first;
}

function isImplied(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): boolean {
  const reaches = (room: string): boolean =>
    imports.get(room)?.has(to) === true || [...(imports.get(room) ?? [])].some(reaches);
  return [...(imports.get(from) ?? [])].some((between) => between !== to && reaches(between));
}

function placeBoxes(): ReadonlyMap<string, Box> {
  const boxes = new Map<string, Box>();
  for (const [at, row] of rows.entries()) {
    // The lowest row is one box over the whole width.
    const boxWidth = at === rows.length - 1 ? width - 2 * box.margin : box.width;
    const top = box.margin + at * (box.height + box.rowGap);
    for (const [room, column] of row) {
      const left = box.margin + column * (box.width + box.gap);
      boxes.set(room, { left, top, width: boxWidth });
    }
  }
  return boxes;
}

function requireSame(drawn: ReadonlySet<string>, found: ReadonlySet<string>): void {
  const differing = [...drawn.symmetricDifference(found)];
  if (differing.length === 0) return;
  throw new Error(`reference/picture.ts has other folders than the code: ${differing.join(', ')}`);
}

function drawArrow(boxes: ReadonlyMap<string, Box>, from: string, to: string): string {
  const [source, target] = [boxes.get(from), boxes.get(to)];
  if (source === undefined || target === undefined) throw new Error(`no box for ${from} or ${to}`);
  const x = source.left + source.width / 2;
  // An arrow to a wide box goes straight down.
  const end = Math.min(Math.max(x, target.left + 40), target.left + target.width - 40);
  const line = `M${x} ${source.top + box.height}L${end} ${target.top - 2}`;
  return `<path d="${line}" stroke="#5b6675" stroke-width="1.5" marker-end="url(#head)"/>`;
}

function drawBox(boxes: ReadonlyMap<string, Box>, room: string, does: string): string {
  const { left = 0, top = 0, width: boxWidth = 0 } = boxes.get(room) ?? {};
  const middle = left + boxWidth / 2;
  return [
    `<rect x="${left}" y="${top}" width="${boxWidth}" height="${box.height}" rx="6" fill="#eef3f9" stroke="#1d4f91"/>`,
    `<text x="${middle}" y="${top + 22}" font-size="15" font-weight="600" fill="#10141a">${room}</text>`,
    `<text x="${middle}" y="${top + 40}" font-size="11" fill="#3d4754">${does}</text>`,
  ].join('');
}
