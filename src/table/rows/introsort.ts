const SMALL_SEGMENT = 15;

/**
 * The permutation numpy's default sort produces, also among equal keys, where it is neither stable nor random.
 * `less` compares two positions of the input; keep missing keys out and append them afterwards.
 */
export function introsortOrder(n: number, less: (a: number, b: number) => boolean): Uint32Array {
  const order = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  const pending = [{ low: 0, high: n - 1, budget: 2 * (31 - Math.clz32(n)) }];
  for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
    let { low, high, budget } = segment;
    if (budget < 0) {
      heapSort(order, low, high, less);
      continue;
    }
    while (high - low > SMALL_SEGMENT) {
      const pivot = partition(order, low, high, less);
      budget--;
      if (pivot - low < high - pivot) {
        pending.push({ low: pivot + 1, high, budget });
        high = pivot - 1;
      } else {
        pending.push({ low, high: pivot - 1, budget });
        low = pivot + 1;
      }
    }
    insertionSort(order, low, high, less);
  }
  return order;
}

type Less = (a: number, b: number) => boolean;

/** Median of three into the middle, then Hoare's partition; returns where the pivot ends up. */
function partition(order: Uint32Array, low: number, high: number, less: Less): number {
  const middle = low + ((high - low) >> 1);
  if (less(order[middle], order[low])) swap(order, middle, low);
  if (less(order[high], order[middle])) swap(order, high, middle);
  if (less(order[middle], order[low])) swap(order, middle, low);
  const pivot = order[middle];
  swap(order, middle, high - 1);
  let i = low;
  let j = high - 1;
  for (;;) {
    do i++;
    while (less(order[i], pivot));
    do j--;
    while (less(pivot, order[j]));
    if (i >= j) break;
    swap(order, i, j);
  }
  swap(order, i, high - 1);
  return i;
}

function insertionSort(order: Uint32Array, low: number, high: number, less: Less): void {
  for (let i = low + 1; i <= high; i++) {
    const moved = order[i];
    let slot = i;
    while (slot > low && less(moved, order[slot - 1])) {
      order[slot] = order[slot - 1];
      slot--;
    }
    order[slot] = moved;
  }
}

function heapSort(order: Uint32Array, low: number, high: number, less: Less): void {
  const heap = order.subarray(low, high + 1);
  for (let root = heap.length >> 1; root > 0; root--) siftDown(heap, root, heap.length, heap[root - 1], less);
  for (let size = heap.length - 1; size > 0; size--) {
    const saved = heap[size];
    heap[size] = heap[0];
    siftDown(heap, 1, size, saved, less);
  }
}

/** Nodes are numbered from 1, so that the children of k are 2k and 2k + 1. */
function siftDown(heap: Uint32Array, root: number, size: number, saved: number, less: Less): void {
  let hole = root;
  for (let child = 2 * root; child <= size; child *= 2) {
    if (child < size && less(heap[child - 1], heap[child])) child++;
    if (!less(saved, heap[child - 1])) break;
    heap[hole - 1] = heap[child - 1];
    hole = child;
  }
  heap[hole - 1] = saved;
}

function swap(order: Uint32Array, a: number, b: number): void {
  const held = order[a];
  order[a] = order[b];
  order[b] = held;
}
