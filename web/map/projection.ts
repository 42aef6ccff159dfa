/** A point of the map in its units, right and down; before the projection longitude and latitude in degrees. */
export type Point = readonly [x: number, y: number];

const radians = Math.PI / 180;
const centreLatitude = 52 * radians;
const centreLongitude = 10 * radians;
const unitsPerRadius = 905;
const centreX = 250;
const centreY = 322;

/**
 * Projects longitude and latitude in degrees: Lambert's azimuthal equal-area projection around 52° N 10° E, as in
 * the statistics of the European Union (EPSG:3035, here on a sphere).
 */
export function project([longitude, latitude]: Point): Point {
  const lambda = longitude * radians - centreLongitude;
  const phi = latitude * radians;
  const cosine =
    Math.sin(centreLatitude) * Math.sin(phi) +
    Math.cos(centreLatitude) * Math.cos(phi) * Math.cos(lambda);
  // Limited, because the opposite point of the Earth has no finite distance.
  const k = unitsPerRadius * Math.sqrt(2 / Math.max(1 + cosine, 0.2));
  const east = Math.cos(phi) * Math.sin(lambda);
  const north =
    Math.cos(centreLatitude) * Math.sin(phi) -
    Math.sin(centreLatitude) * Math.cos(phi) * Math.cos(lambda);
  return [centreX + k * east, centreY - k * north];
}
