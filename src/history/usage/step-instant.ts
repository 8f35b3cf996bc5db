/** Instants one every `stepMs` from `fromAt` to `untilAt`, both among them; epoch milliseconds. */
export interface Steps {
  readonly fromAt: number;
  readonly untilAt: number;
  readonly stepMs: number;
}

/** A table of them for a statement that looks something up at each: much faster than a statement for each. */
export const instantsOf = `(
  WITH RECURSIVE step(instant) AS (
    VALUES (@fromAt) UNION ALL SELECT instant + @stepMs FROM step WHERE instant + @stepMs <= @untilAt)
  SELECT instant FROM step)`;
