/**
 * Running totals at the beginnings of slots of the same length, and at the end of the last: what is known of slots is theirs,
 * and the rest of the whole is spread evenly over those before the first that is known, or over all.
 *
 * @param parts by the number of their slot.
 */
export function spreadRest(whole: number, parts: ReadonlyMap<number, number>, slots: number): Float64Array {
  let known = 0;
  let first = slots;
  for (const [slot, amount] of parts) {
    known += amount;
    first = Math.min(first, slot);
  }
  const rest = Math.max(0, whole - known);
  const spread = first > 0 ? first : slots;
  const totals = new Float64Array(slots + 1);
  let before = 0;
  for (let slot = 0; slot < slots; slot += 1) {
    before += parts.get(slot) ?? 0;
    totals[slot + 1] = before + Math.floor((rest * Math.min(slot + 1, spread)) / spread);
  }
  return totals;
}
