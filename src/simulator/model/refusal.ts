/** A request the simulated service does not carry out; the message tells the caller what to send instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The HTTP status of the answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
