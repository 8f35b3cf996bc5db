/** Work that goes on. */
export interface UnderWay<Made> {
  /** Epoch milliseconds. */
  readonly begunAt: number;
  readonly end: Promise<Made>;
}

/** How long a reader still waits for it: one who comes late knows that it takes long. */
export function patienceLeftMs(
  { begunAt }: Pick<UnderWay<unknown>, 'begunAt'>,
  patienceMs: number,
  now: number,
): number {
  return Math.min(patienceMs, Math.max(0, begunAt + patienceMs - now));
}
