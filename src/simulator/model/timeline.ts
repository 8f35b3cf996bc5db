/** Virtual time: due events happen in order, and only when `now` is moved forward. */
export interface Timeline {
  /** Whole seconds since the epoch. Every change of the simulated service happens on a whole second. */
  readonly now: number;
  /** Has `run` called once `now` reaches `second`; an event not in the future is due in the next second. */
  schedule(second: number, run: () => void): void;
  /** Runs all that is due up to and including `second`, ties in the order they were scheduled. Never goes back. */
  advanceTo(second: number): void;
}

interface Appointment {
  readonly second: number;
  readonly sequence: number;
  readonly run: () => void;
}

/** @param startSecond the first `now`, in seconds since the epoch. */
export function createTimeline(startSecond: number): Timeline {
  const heap: Appointment[] = [];
  let now = startSecond;
  let sequence = 0;
  return {
    get now() {
      return now;
    },
    schedule(second, run) {
      push(heap, { second: Math.max(second, now + 1), sequence: sequence++, run });
    },
    advanceTo(second) {
      for (let next = heap[0]; next !== undefined && next.second <= second; next = heap[0]) {
        removeFirst(heap);
        now = next.second;
        next.run();
      }
      now = Math.max(now, second);
    },
  };
}

function isBefore(left: Appointment, right: Appointment): boolean {
  return left.second < right.second || (left.second === right.second && left.sequence < right.sequence);
}

/** Binary min-heap: adds a leaf and lets it rise. */
function push(heap: Appointment[], added: Appointment): void {
  let index = heap.length;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (parent === undefined || !isBefore(added, parent)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = added;
}

/** Binary min-heap: fills the root with the last leaf and lets it sink. */
function removeFirst(heap: Appointment[]): void {
  const sinking = heap.pop();
  if (sinking === undefined || heap.length === 0) return;
  let index = 0;
  for (;;) {
    let childIndex = 2 * index + 1;
    let child = heap[childIndex];
    const sibling = heap[childIndex + 1];
    if (child !== undefined && sibling !== undefined && isBefore(sibling, child)) {
      child = sibling;
      childIndex += 1;
    }
    if (child === undefined || !isBefore(child, sinking)) break;
    heap[index] = child;
    index = childIndex;
  }
  heap[index] = sinking;
}
