/** How long what must come is waited for: a busy machine is no failure, and what hangs is seen all the same. */
export const patience = { timeout: 120_000, interval: 100 } as const;
