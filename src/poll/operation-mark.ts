import { minuteMs } from '../resources/duration.ts';
import type { Operation } from '../resources/operation.ts';
import type { OperationPage } from './account-source.ts';

/** An operation may show up in the list a little after it was created. */
export const overlapMs = minuteMs;

/**
 * A number that tells the newest operations of a project apart from others: those created since a minute before
 * `headAt`, in any order. One that ends, fails once more or shows up late changes it.
 */
export function markOperations(operations: readonly Operation[], headAt: number): number {
  let mark = 0;
  for (const {
    operation_id,
    status,
    failures_count = 0,
    created_at = headAt,
    updated_at = 0,
  } of operations) {
    if (created_at >= headAt - overlapMs) {
      mark = (mark + hash(`${operation_id} ${status} ${failures_count} ${updated_at}`)) >>> 0;
    }
  }
  return mark;
}

/** Whether the page ends with what is older; one odd date among newer ones must not cut the reading short. */
export function reaches({ items }: OperationPage, at: number): boolean {
  const oldest = items.findLast(({ created_at }) => created_at !== undefined)?.created_at;
  return oldest !== undefined && oldest < at;
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}
