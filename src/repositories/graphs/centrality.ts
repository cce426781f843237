const DAMPING = 0.85;
const MAX_ROUNDS = 100;
const TOLERANCE = 1e-10;

/** PageRank by power iteration; what a node without links has goes to all alike. Sums to 1. */
export function pageRank(links: readonly (readonly number[])[]): Float64Array {
  const n = links.length;
  let rank = new Float64Array(n).fill(n === 0 ? 0 : 1 / n);
  for (let round = 0; round < MAX_ROUNDS && n > 0; round++) {
    const next = new Float64Array(n);
    let lost = 0;
    for (let node = 0; node < n; node++) {
      if (links[node].length === 0) lost += rank[node];
      for (const to of links[node]) next[to] += (DAMPING * rank[node]) / links[node].length;
    }
    const everywhere = (1 - DAMPING + DAMPING * lost) / n;
    let change = 0;
    for (let node = 0; node < n; node++) {
      next[node] += everywhere;
      change += Math.abs(next[node] - rank[node]);
    }
    rank = next;
    if (change < TOLERANCE) break;
  }
  return rank;
}

const MAX_SOURCES = 300;

/**
 * Betweenness by Brandes, as a share of all ordered pairs. Exact up to 300 nodes; above, from 300 sources spread evenly
 * over the list and scaled, so that a large repository takes seconds and the result is still the same each time.
 */
export function betweenness(links: readonly (readonly number[])[]): Float64Array {
  const n = links.length;
  const central = new Float64Array(n);
  if (n < 3) return central;
  const sources = Math.min(n, MAX_SOURCES);
  for (let k = 0; k < sources; k++) addPathsFrom(Math.floor((k * n) / sources), links, central);
  const scale = n / sources / ((n - 1) * (n - 2));
  return central.map((value) => value * scale);
}

function addPathsFrom(source: number, links: readonly (readonly number[])[], central: Float64Array): void {
  const n = links.length;
  const paths = new Float64Array(n);
  const distance = new Int32Array(n).fill(-1);
  const before: number[][] = Array.from({ length: n }, () => []);
  const order: number[] = [source];
  paths[source] = 1;
  distance[source] = 0;
  for (let at = 0; at < order.length; at++) {
    const node = order[at];
    for (const to of links[node]) {
      if (distance[to] === -1) {
        distance[to] = distance[node] + 1;
        order.push(to);
      }
      if (distance[to] !== distance[node] + 1) continue;
      paths[to] += paths[node];
      before[to].push(node);
    }
  }
  const share = new Float64Array(n);
  for (let at = order.length - 1; at > 0; at--) {
    const node = order[at];
    for (const from of before[node]) share[from] += (paths[from] / paths[node]) * (1 + share[node]);
    central[node] += share[node];
  }
}
