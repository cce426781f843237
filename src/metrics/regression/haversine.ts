const EARTH_RADIUS = 6_371_000;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** Positions on the globe in degrees. */
export interface Positions {
  latitude: Float64Array;
  longitude: Float64Array;
}

/** Which predicted columns hold true and false instead of numbers. */
export interface BooleanColumns {
  latitude: boolean;
  longitude: boolean;
}

// numpy turns true into radians, and takes the cosine of that, in half precision.
const TRUE_IN_RADIANS = 0.0174560546875;
const COSINE_OF_BOOLEAN = 1;

/**
 * Great-circle distance in metres, row by row. Degrees are not checked; a missing or infinite one gives NaN. Columns
 * of true and false (1 and 0) must be declared, since numpy computes with them in half precision.
 */
export function haversineDistances(
  truth: Positions,
  predicted: Positions,
  booleans: BooleanColumns = { latitude: false, longitude: false },
): Float64Array {
  const latitudeUnit = booleans.latitude ? TRUE_IN_RADIANS : RADIANS_PER_DEGREE;
  const longitudeUnit = booleans.longitude ? TRUE_IN_RADIANS : RADIANS_PER_DEGREE;
  return truth.latitude.map((latitude, row) => {
    const phi = latitude * RADIANS_PER_DEGREE;
    const predictedPhi = predicted.latitude[row] * latitudeUnit;
    const turn = truth.longitude[row] * RADIANS_PER_DEGREE - predicted.longitude[row] * longitudeUnit;
    const halfPhi = Math.sin((phi - predictedPhi) / 2);
    const halfTurn = Math.sin(turn / 2);
    const cosine = booleans.latitude ? COSINE_OF_BOOLEAN : Math.cos(predictedPhi);
    const chord = halfPhi * halfPhi + cosine * Math.cos(phi) * (halfTurn * halfTurn);
    return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(chord));
  });
}
