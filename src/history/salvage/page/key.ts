import type { StoredValue } from './record.ts';

/** The values that rows of a b-tree are ordered by. */
export type Key = readonly StoredValue[];

/** Less than 0 where the first one comes first; a key that another one begins with is equal to it. */
export function compareKeys(one: Key, other: Key): number {
  for (let index = 0; index < Math.min(one.length, other.length); index += 1) {
    const order = compareValues(one[index] ?? null, other[index] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

function compareValues(one: StoredValue, other: StoredValue): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') {
    return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return rankOf(one) - rankOf(other);
}

/** Values of one kind come before all of the next one. */
function rankOf(value: StoredValue): number {
  if (value === null) return 0;
  return typeof value === 'number' ? 1 : typeof value === 'string' ? 2 : 3;
}
