import type { JSX } from 'preact';
import type { RateSnapshot } from '../wire.ts';
import type { Difference } from './comparison.ts';
import shapes from './map-shapes.json';
import { kindNames, rateKinds, valuesInWords, valuesOf } from './rate-words.ts';

/** Classes of standard rates, each up to and including its limit. */
const classes = [
  { upTo: 19, name: '≤ 19' },
  { upTo: 20, name: '≤ 20' },
  { upTo: 21, name: '≤ 21' },
  { upTo: 23, name: '≤ 23' },
  { upTo: Infinity, name: '> 23' },
] as const;

/** Countries whose shape is too small to be visible. They are drawn with a circle as well. */
const small: ReadonlySet<string> = new Set(['MT', 'LU', 'CY']);

type Shape = { readonly path: string; readonly x: number; readonly y: number };

/** The standard rates as a map. The table has the same data, so for screen readers the map is one image with a name. */
export function RatesMap(props: {
  readonly snapshot: RateSnapshot;
  readonly differences: readonly Difference[] | undefined;
  readonly pointed: string | undefined;
  readonly onPoint: (country: string | undefined) => void;
}): JSX.Element {
  const { snapshot, differences = [], pointed, onPoint } = props;
  const countries: Readonly<Record<string, Shape>> = shapes.countries;
  const moved = new Set(differences.map(({ country }) => country));
  const nameOf = (code: string): string => {
    const marks = `${moved.has(code) ? 'moved' : ''} ${pointed === code ? 'pointed' : ''}`;
    return `country ${classOf(snapshot, code)} ${marks}`;
  };
  // The country under the pointer is drawn last, so that its outline is above those of its neighbours.
  const codes = Object.keys(countries).toSorted(
    (a, b) => rank(a, moved, pointed) - rank(b, moved, pointed),
  );
  return (
    <figure class="map">
      <svg
        viewBox={`0 0 ${shapes.width} ${shapes.height}`}
        role="img"
        aria-label="Map of the standard rates; the table has the same values"
        onPointerLeave={() => onPoint(undefined)}
      >
        <path d={shapes.others} class="others" onPointerEnter={() => onPoint(undefined)} />
        {codes.map((code) => (
          <g key={code} class={nameOf(code)} onPointerEnter={() => onPoint(code)}>
            <path d={countries[code]?.path} />
            {small.has(code) ? (
              <circle cx={countries[code]?.x} cy={countries[code]?.y} r={code === 'MT' ? 6 : 5} />
            ) : null}
          </g>
        ))}
      </svg>
      <Legend hasMoved={moved.size > 0} />
      <figcaption>
        <PointedCountry snapshot={snapshot} code={pointed} differences={differences} />
      </figcaption>
    </figure>
  );
}

function Legend({ hasMoved }: { readonly hasMoved: boolean }): JSX.Element {
  return (
    <ul class="legend" aria-label="Standard rate in percent">
      {classes.map(({ name }, at) => (
        <li key={name}>
          <span class={`swatch class-${at + 1}`} aria-hidden="true" />
          {name} %
        </li>
      ))}
      {hasMoved ? (
        <li>
          <span class="swatch swatch-moved" aria-hidden="true" />
          differs
        </li>
      ) : null}
    </ul>
  );
}

/** All rates of the country under the pointer. */
function PointedCountry(props: {
  readonly snapshot: RateSnapshot;
  readonly code: string | undefined;
  readonly differences: readonly Difference[];
}): JSX.Element {
  const { snapshot, code, differences } = props;
  const entry = code === undefined ? undefined : snapshot.rates[code];
  if (entry === undefined) return <span class="hint">Point at a country to see its rates.</span>;
  const parts = rateKinds.flatMap((kind) => {
    const values = valuesOf(entry, kind);
    const move = differences.find((other) => other.country === code && other.kind === kind)?.move;
    if (values.length === 0 && move === undefined) return [];
    return `${kindNames[kind].toLowerCase()} ${valuesInWords(values)}${move === undefined ? '' : ` (${move})`}`;
  });
  return (
    <>
      <strong>{entry.country}</strong>: {parts.join('; ')}
    </>
  );
}

function classOf(snapshot: RateSnapshot, code: string): string {
  const standard = snapshot.rates[code]?.standard ?? null;
  if (standard === null) return 'class-none';
  return `class-${classes.findIndex(({ upTo }) => standard <= upTo) + 1}`;
}

function rank(code: string, moved: ReadonlySet<string>, pointed: string | undefined): number {
  if (code === pointed) return 2;
  return moved.has(code) ? 1 : 0;
}
