/** A loan is used for so long, in milliseconds, from the beginning of the turn that asked for it. */
export const leaseMs = 20_000;
