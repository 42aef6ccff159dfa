import type { Point } from './projection.ts';

/** Removes points whose distance from the simplified line is within a tolerance (Douglas and Peucker). */
export function thinOut(line: readonly Point[], tolerance: number): readonly Point[] {
  const [first] = line;
  const last = line.at(-1);
  if (line.length < 3 || first === undefined || last === undefined) return line;

  let farthest = 0;
  let farthestDistance = 0;
  for (const [at, point] of line.entries()) {
    const distance = distanceTo(point, first, last);
    if (distance > farthestDistance) [farthest, farthestDistance] = [at, distance];
  }
  if (farthestDistance <= tolerance) return [first, last];
  const before = thinOut(line.slice(0, farthest + 1), tolerance);
  return [...before.slice(0, -1), ...thinOut(line.slice(farthest), tolerance)];
}

/** The distance of a point from the line through two other points; from one of them if both are the same. */
function distanceTo([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const length = Math.hypot(toX - fromX, toY - fromY);
  if (length === 0) return Math.hypot(x - fromX, y - fromY);
  return Math.abs((toX - fromX) * (fromY - y) - (fromX - x) * (toY - fromY)) / length;
}
