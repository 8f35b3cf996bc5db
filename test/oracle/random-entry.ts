import fc from 'fast-check';

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;
export const originAt = Date.parse('2026-01-15');
export const days = 130;

export const day = fc.integer({ min: 0, max: days });
export const showDay = (at: number) => new Date(originAt + at * dayMs).toISOString().slice(0, 10);

export const decimal = (max: number, places: number) =>
  fc.integer({ min: 0, max: max * 10 ** places }).map(units => (units / 10 ** places).toFixed(places));
export const percent = fc.oneof(fc.constantFrom('0', '10', '100'), decimal(100, 1));
export const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** From one day, to another, between both, or always. */
export const dates = fc
  .uniqueArray(day, { minLength: 2, maxLength: 2 })
  .map(both => both.toSorted((a, b) => a - b).map(showDay))
  .chain(([from, to]) => fc.constantFrom({}, { from }, { to }, { from, to }));

/** Entries one after another, now and then with a gap. */
export function dated<Value extends object>(value: fc.Arbitrary<Value>, minLength = 1) {
  const entries = fc.uniqueArray(fc.tuple(day, day, value, fc.boolean()), {
    minLength,
    maxLength: 4,
    selector: ([at]) => at,
  });
  return entries.map(list => {
    const sorted = list.toSorted(([a], [b]) => a - b);
    return sorted.map(([from, length, its, ends], index) => {
      const next = sorted[index + 1]?.[0] ?? days;
      const to = Math.min(next, from + 1 + (length % 40));
      return { from: showDay(from), ...(ends && to > from && { to: showDay(to) }), ...its };
    });
  });
}

/** A price, or one for each tier, under a key such as `per_compute_hour`. */
export function randomPrice(key: string) {
  const tiers = fc
    .uniqueArray(fc.integer({ min: 1, max: 3_000_000 }), { maxLength: 3 })
    .chain(ends =>
      fc.tuple(
        ...ends
          .toSorted((a, b) => a - b)
          .map(end => decimal(2, 4).map(each => ({ up_to: (end / 10_000).toFixed(4), [key]: each }))),
        decimal(2, 4).map(each => ({ [key]: each })),
      ),
    )
    .map(list => ({ tiers: list as object[] }));
  const flat = fc.oneof(fc.constantFrom('0.16', '0.2'), decimal(2, 4)).map(each => ({ [key]: each }));
  return fc
    .tuple(fc.oneof<fc.Arbitrary<object>[]>(flat, flat, tiers), maybe(percent))
    .map(([its, discount_percent]): object => ({ ...its, discount_percent }));
}
