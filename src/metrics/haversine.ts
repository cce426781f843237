const EARTH_RADIUS = 6_371_000;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** Positions on the globe in degrees. */
export interface Positions {
  latitude: Float64Array;
  longitude: Float64Array;
}

/** Great-circle distance in metres, row by row. Degrees are not checked; a missing or infinite one gives NaN. */
export function haversineDistances(truth: Positions, predicted: Positions): Float64Array {
  return truth.latitude.map((latitude, row) => {
    const phi = latitude * RADIANS_PER_DEGREE;
    const predictedPhi = predicted.latitude[row] * RADIANS_PER_DEGREE;
    const turn = truth.longitude[row] * RADIANS_PER_DEGREE - predicted.longitude[row] * RADIANS_PER_DEGREE;
    const halfPhi = Math.sin((phi - predictedPhi) / 2);
    const halfTurn = Math.sin(turn / 2);
    const chord = halfPhi * halfPhi + Math.cos(predictedPhi) * Math.cos(phi) * (halfTurn * halfTurn);
    return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(chord));
  });
}
