/** A stretch of time of an endpoint: whether it was awake for sure, and whether it may have been. */
export interface AwakeStretch {
  readonly fromAt: number;
  readonly untilAt: number;
  readonly isSure: boolean;
  readonly isPossible: boolean;
}

/** The least and the most time in which any endpoint of a project was awake, in milliseconds. */
export function boundAwake(stretches: readonly AwakeStretch[]) {
  return {
    lower: unionOf(stretches.filter(({ isSure }) => isSure)),
    upper: unionOf(stretches.filter(({ isPossible }) => isPossible)),
  };
}

/** The time that any of some stretches covers. */
function unionOf(stretches: readonly AwakeStretch[]): number {
  let coveredMs = 0;
  let coveredUntilAt = Number.NEGATIVE_INFINITY;
  for (const { fromAt, untilAt } of stretches.toSorted((one, other) => one.fromAt - other.fromAt)) {
    coveredMs += Math.max(0, untilAt - Math.max(fromAt, coveredUntilAt));
    coveredUntilAt = Math.max(coveredUntilAt, untilAt);
  }
  return coveredMs;
}
