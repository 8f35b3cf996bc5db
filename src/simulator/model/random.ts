/** A repeatable source of chance: the same seed gives the same sequence on every machine. */
export interface Random {
  /** In [0, 1). */
  fraction(): number;
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<const Choices extends readonly [unknown, ...unknown[]]>(choices: Choices): Choices[number];
}

/** FNV-1a with a final avalanche: 32 bits that depend on every part. */
export function hash(...parts: readonly (string | number)[]): number {
  let state = 0x811c9dc5;
  for (const character of parts.join('\u0000')) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return avalanche(state);
}

/** The finalizer of murmur3: neighbouring inputs give unrelated outputs. */
export function avalanche(value: number): number {
  let state = value;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}

/** @param seeds any parts; the same ones give the same sequence. */
export function createRandom(...seeds: readonly (string | number)[]): Random {
  let state = hash(...seeds);
  const fraction = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    return avalanche(state) / 0x1_0000_0000;
  };
  const integer = (min: number, max: number): number => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    integer,
    chance: probability => fraction() < probability,
    pick: choices => choices[integer(0, choices.length - 1)] ?? choices[0],
  };
}
