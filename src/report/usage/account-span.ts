/** An account with the time its use is known for, in epoch milliseconds. */
export interface AccountSpan {
  readonly account: string;
  readonly knownFromAt: number;
  readonly knownUntilAt: number;
}
