/** A thing that was made and is shown for a while. */
export interface Kept<Value> {
  readonly value: Value;
  /** Milliseconds by a clock that goes on. */
  readonly madeAt: number;
  readonly tookMs: number;
}

/** How long it is as good as new: some milliseconds, and more where it took long to make. */
export interface FreshRule {
  readonly freshMs: number;
  readonly restPerWork: number;
}

/** Until when it need not be made again. */
export function freshUntil({ madeAt, tookMs }: Kept<unknown>, { freshMs, restPerWork }: FreshRule): number {
  return madeAt + Math.max(freshMs, restPerWork * tookMs);
}

/** Whether it need not be made again yet. */
export function isFresh(kept: Kept<unknown>, rule: FreshRule, now: number): boolean {
  return now < freshUntil(kept, rule);
}
