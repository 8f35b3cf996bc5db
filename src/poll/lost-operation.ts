import { minuteMs } from '../resources/duration.ts';

/**
 * An operation that is not found for so long, and so often, is taken for one that the service no longer has: the list of
 * its project was answered each time.
 */
const longestDoubtMs = minuteMs;
const fewestAnswers = 3;

/**
 * Open operations of an account's projects that the service answered 404 for, since they were last found: one such answer
 * may be wrong.
 */
export class LostOperations {
  readonly #lost = new Map<string, { readonly sinceAt: number; readonly answers: number }>();

  /** Notes that an operation of a project was not found; answers whether the service no longer has it. */
  miss(project_id: string, operation_id: string, now: number): boolean {
    const key = keyOf(project_id, operation_id);
    const { sinceAt, answers } = this.#lost.get(key) ?? { sinceAt: now, answers: 0 };
    const isGone = now - sinceAt >= longestDoubtMs && answers + 1 >= fewestAnswers;
    if (isGone) this.#lost.delete(key);
    else this.#lost.set(key, { sinceAt, answers: answers + 1 });
    return isGone;
  }

  find(project_id: string, operation_id: string): void {
    this.#lost.delete(keyOf(project_id, operation_id));
  }
}

function keyOf(project_id: string, operation_id: string): string {
  return JSON.stringify([project_id, operation_id]);
}
