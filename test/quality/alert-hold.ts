/** When an alert fires by when its expression has a result, as Prometheus does it. */
export interface AlertHold {
  /** How long there must be a result before it fires. */
  readonly forMs: number;
  /** How long it fires on without one. */
  readonly keepFiringForMs: number;
}

/**
 * Whether an alert fires at each of the instants at which its rule is evaluated.
 *
 * @param hasResult by the same index.
 */
export function holdAlert(
  instants: readonly number[],
  hasResult: readonly boolean[],
  { forMs, keepFiringForMs }: AlertHold,
): readonly boolean[] {
  let activeAt: number | undefined;
  let isFiring = false;
  let endedAt: number | undefined;
  return instants.map((at, index) => {
    if (hasResult[index]) {
      activeAt ??= at;
      endedAt = undefined;
      isFiring ||= at - activeAt >= forMs;
      return isFiring;
    }
    endedAt ??= at;
    if (isFiring && keepFiringForMs > 0 && at - endedAt < keepFiringForMs) return true;
    isFiring = false;
    activeAt = undefined;
    return false;
  });
}
