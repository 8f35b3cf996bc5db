/** How fast an account may be asked; instants in epoch milliseconds by this host's clock. */
export interface RequestBudgetState {
  readonly perMinute: number;
  /** From when on requests are earned at that rate: none are left over from before. */
  readonly settledAt: number;
  /** Nothing is asked before. */
  readonly pausedUntil: number;
  /** Tells the key that was asked to wait from another one; absent where that is not known. */
  readonly pausedKey?: string;
}
