/** A kind of poll that waits, with what it costs and what share of all requests it is sure of. */
export interface Claim<Kind extends string> {
  readonly kind: Kind;
  readonly requests: number;
  /** 0 for one that only goes by its rank. */
  readonly share: number;
}

/** Part of all requests that shares may promise together: the rest goes by rank. */
const mostPromised = 0.9;

/** Shares out requests among kinds of polls: by rank, except that each kind gets what it is sure of. Counts requests, never time. */
export class QueueShare<Kind extends string> {
  readonly #credits = new Map<Kind, number>();

  /**
   * The claim that is met next; the poll is taken to be made.
   *
   * @param claims what waits now, by rank.
   * @param accepts says which claims to take: for the others everything stays as it is.
   */
  pick<Waiting extends Claim<Kind>>(
    claims: readonly Waiting[],
    accepts: (claim: Waiting) => boolean = () => true,
  ): Waiting | undefined {
    const owed = claims.filter(({ kind, requests }) => this.#credit(kind) >= requests);
    const picked =
      owed.length > 0
        ? owed.reduce((most, claim) => (this.#credit(claim.kind) > this.#credit(most.kind) ? claim : most))
        : claims[0];
    if (picked === undefined || !accepts(picked)) return undefined;
    this.#settle(claims, picked);
    return picked;
  }

  /** Counts requests that a poll took beyond what it was expected to. */
  charge(kind: Kind, requests: number): void {
    if (this.#credits.has(kind)) this.#credits.set(kind, this.#credit(kind) - requests);
  }

  /** Credits the shares of a poll that is made. A kind that does not wait saves nothing up: its share is for when it needs it. */
  #settle(claims: readonly Claim<Kind>[], picked: Claim<Kind>): void {
    const promised = claims.reduce((sum, { share }) => sum + share, 0);
    const scale = Math.min(1, mostPromised / Math.max(promised, mostPromised));
    for (const kind of this.#credits.keys()) {
      if (!claims.some(claim => claim.kind === kind)) this.#credits.delete(kind);
    }
    for (const { kind, share } of claims) {
      this.#credits.set(kind, this.#credit(kind) + share * scale * picked.requests);
    }
    this.#credits.set(picked.kind, Math.max(0, this.#credit(picked.kind) - picked.requests));
  }

  #credit(kind: Kind): number {
    return this.#credits.get(kind) ?? 0;
  }
}
