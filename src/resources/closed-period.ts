/** A billing period of an account whose bill stays as it was when it was closed. */
export interface ClosedPeriod {
  readonly account: string;
  /** Epoch milliseconds; `untilAt` is the first instant after it. */
  readonly fromAt: number;
  readonly untilAt: number;
  /** By the clock of the host that closed it, as `reopenedAt`. */
  readonly closedAt: number;
  /** Absent while it is closed. */
  readonly reopenedAt?: number;
  /** SHA-256 of `priceBook`, as 64 hexadecimal digits. */
  readonly fingerprint: string;
  /** The price book as it holds for the account in the period, as canonical JSON. */
  readonly priceBook: string;
  /** The cost lines of the bill, as JSON. */
  readonly lines: string;
  /** Sentences on what was not known of the period, and was accepted. */
  readonly accepted: readonly string[];
}
