/**
 * Finds new places so that things that change equally often stand together, the most changed first and holes last. A
 * thing that stands among its like already does not move; the others fill the places between in their order.
 *
 * @param changes how often what stands at each place changed; undefined for a hole.
 * @returns for every new place the place its occupant comes from.
 */
export function arrange(changes: readonly (number | undefined)[]): readonly number[] {
  const tiers = changes.map(tierOf);
  const goal = tiers.toSorted((a, b) => b - a);
  const origins = tiers.map((_, place) => place);
  const waiting = new Map<number, number[]>();
  const open: number[] = [];
  for (const [place, tier] of tiers.entries()) {
    if (tier === goal[place]) continue;
    open.push(place);
    const same = waiting.get(tier);
    if (same === undefined) waiting.set(tier, [place]);
    else same.push(place);
  }
  const taken = new Map<number, number>();
  for (const place of open) {
    const tier = goal[place] ?? 0;
    const index = taken.get(tier) ?? 0;
    taken.set(tier, index + 1);
    origins[place] = waiting.get(tier)?.[index] ?? place;
  }
  return origins;
}

/** Twice as many changes are a tier more, so that chance alone moves little. */
function tierOf(changes: number | undefined): number {
  return changes === undefined ? -1 : 32 - Math.clz32(changes);
}
