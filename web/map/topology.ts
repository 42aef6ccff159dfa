import type { Point } from './projection.ts';

export type Ring = readonly Point[];
type ArcNumbers = readonly number[];

/** The parts of TopoJSON that the file uses. */
type Topology = {
  readonly transform: { readonly scale: Point; readonly translate: Point };
  /** Each point is the difference from the point before it. */
  readonly arcs: readonly (readonly Point[])[];
  readonly objects: {
    readonly countries: {
      readonly geometries: readonly (
        | { readonly type: 'Polygon'; readonly id?: string; readonly arcs: readonly ArcNumbers[] }
        | {
            readonly type: 'MultiPolygon';
            readonly id?: string;
            readonly arcs: readonly (readonly ArcNumbers[])[];
          }
      )[];
    };
  };
};

/** Returns the rings of each country, holes included. Each arc is converted once. */
export function readTopology(
  topology: Topology,
  convert: (arc: readonly Point[]) => readonly Point[],
): readonly { readonly id: string; readonly rings: readonly Ring[] }[] {
  const { scale, translate } = topology.transform;
  const arcs = topology.arcs.map((steps) => {
    let [x, y] = [0, 0];
    return convert(
      steps.map(([stepX, stepY]) => {
        [x, y] = [x + stepX, y + stepY];
        return [x * scale[0] + translate[0], y * scale[1] + translate[1]] as const;
      }),
    );
  });
  // A negative number means the arc in the other direction.
  const arcOf = (number: number): readonly Point[] =>
    number < 0 ? (arcs[~number] ?? []).toReversed() : (arcs[number] ?? []);
  return topology.objects.countries.geometries.map((geometry) => ({
    id: geometry.id ?? '',
    rings: (geometry.type === 'Polygon' ? geometry.arcs : geometry.arcs.flat()).map((numbers) =>
      numbers.flatMap((number) => arcOf(number).slice(0, -1)),
    ),
  }));
}
