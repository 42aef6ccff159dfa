/** In units of the picture: to the right, and down. */
export type Point = readonly [x: number, y: number];

const radians = Math.PI / 180;
const centreLatitude = 52 * radians;
const centreLongitude = 10 * radians;
const unitsPerRadius = 905;
const centreX = 250;
const centreY = 322;

/**
 * Projects longitude and latitude in degrees as the European Union's own statistics do: Lambert's
 * azimuthal projection around 52° N 10° E (EPSG:3035, here on a sphere), which keeps areas.
 */
export function project([longitude, latitude]: Point): Point {
  const lambda = longitude * radians - centreLongitude;
  const phi = latitude * radians;
  const cosine =
    Math.sin(centreLatitude) * Math.sin(phi) +
    Math.cos(centreLatitude) * Math.cos(phi) * Math.cos(lambda);
  // The other side of the Earth would be infinitely far away.
  const k = unitsPerRadius * Math.sqrt(2 / Math.max(1 + cosine, 0.2));
  const east = Math.cos(phi) * Math.sin(lambda);
  const north =
    Math.cos(centreLatitude) * Math.sin(phi) -
    Math.sin(centreLatitude) * Math.cos(phi) * Math.cos(lambda);
  return [centreX + k * east, centreY - k * north];
}
