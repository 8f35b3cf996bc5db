/** A source of numbers in [0, 1) that is the same for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface FleetOptions {
  readonly seed: number;
  readonly projects: number;
  readonly busyPart: number;
  readonly meanOnMs: number;
  /** Sigma of the logarithm of each on and off time, and of how much projects differ from each other. */
  readonly sigma: number;
  readonly spread: number;
  readonly failingPart?: number;
  readonly durationMs: number;
}

/** The true events of a project: when it starts and stops, in turn. */
export interface Life {
  readonly project_id: string;
  readonly startsOn: boolean;
  /** Changes of state from before the beginning, and after it. */
  readonly past: readonly number[];
  readonly changes: readonly number[];
  readonly failing: boolean;
}

/** Projects that start and stop at seeded log-normal times. */
export function createFleet(options: FleetOptions): readonly Life[] {
  const { seed, projects, busyPart, meanOnMs, sigma, spread, durationMs, failingPart = 0 } = options;
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const logNormal = (mean: number, deviation: number) =>
    mean * Math.exp(deviation * normal() - deviation ** 2 / 2);
  const meanOffMs = (meanOnMs * (1 - busyPart)) / busyPart;
  return Array.from({ length: projects }, (_, index) => {
    // Both times are stretched alike, so that every project is on for the same part of its time; the mean over all
    // starts stays what it is without it.
    const pace = Math.exp(spread * normal() + spread ** 2 / 2);
    let on = random() < busyPart;
    let startsOn = on;
    const changes: number[] = [];
    const past: number[] = [];
    // It begins long ago, so that whatever is under way at the beginning is at a usual age.
    let at = -(3 + 2 * random()) * (meanOnMs + meanOffMs) * pace;
    while (at < durationMs) {
      at += Math.max(2_000, logNormal((on ? meanOnMs : meanOffMs) * pace, sigma));
      if (at > 0) changes.push(at);
      else {
        past.push(at);
        startsOn = !on;
      }
      on = !on;
    }
    return { project_id: `p${index}`, startsOn, past, changes, failing: random() < failingPart };
  });
}
