/** The seeds of a simulation: the usual ones, or the one that FUZZ_SEED names. */
export function seedsOf(_name: string, usual: readonly number[]): readonly number[] {
  const { FUZZ_SEED } = process.env;
  return FUZZ_SEED === undefined ? usual : [Number(FUZZ_SEED)];
}
