import { avalanche } from '../../../src/simulator/model/random.ts';

const words = [
  'calm',
  'late',
  'river',
  'shiny',
  'wind',
  'frost',
  'bold',
  'meadow',
  'silent',
  'star',
  'round',
  'hill',
];
/** A prime, so that every index below it has a number of its own. */
const numbers = 99_999_989;
const factor = 48_271_013;

/** A whole number that looks like chance and depends on the index alone, from 0 up to `limit`. */
export function scatter(index: number, limit: number): number {
  return avalanche(index + 1) % limit;
}

/** Names as live services give them: their length and their chance decide what series cost to keep and to compress. */
export function projectId(index: number): string {
  const first = words[scatter(index, words.length)];
  const second = words[scatter(index + numbers, words.length)];
  const number = Number((BigInt(index + 1) * BigInt(factor)) % BigInt(numbers));
  return `${first}-${second}-${String(number).padStart(8, '0')}`;
}

export function endpointId(index: number): string {
  return `ep-${projectId(index + 1_000_000)}`;
}

export function branchId(index: number): string {
  return `br-${projectId(index + 2_000_000)}`;
}

/** A UUID that depends on the project and the number of the operation. */
export function operationId(index: number, operation: number): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0').slice(-digits);
  const chance = hex(scatter(operation * 7919 + index, 2 ** 32), 8);
  return `${chance}-${chance.slice(0, 4)}-4${hex(operation, 3)}-9a2d-${hex(operation, 4)}${hex(index, 8)}`;
}
