import fc from 'fast-check';
import type { ThingMetric } from '../../src/resources/price-book.ts';
import type { CaseAmount } from './bill-case.ts';
import { dated, dates, days, decimal, hourMs, maybe, originAt, randomPrice } from './random-entry.ts';

/** What one of them comes to in an hour at most, whether in byte-hours or in byte-months. */
const largestAmounts: Readonly<Record<ThingMetric, number>> = {
  root_branch_bytes_month: 5e12,
  child_branch_bytes_month: 5e10,
  instant_restore_bytes_month: 5e12,
  snapshot_storage_bytes_month: 1000,
  public_network_transfer_bytes: 5e11,
  private_network_transfer_bytes: 5e9,
  extra_branches_month: 40,
};
const metric = fc.constantFrom(...(Object.keys(largestAmounts) as ThingMetric[]));

export const meterRules = fc.record(
  { unit: fc.constantFrom('month', 'hour'), gigabyte: fc.constantFrom('decimal', 'binary') },
  { requiredKeys: [] },
);

const included = fc.constantFrom('account', 'project').chain(per => {
  const one = decimal(50, 4).map(quantity => ({ quantity, per }));
  return fc.oneof(one, dated(one));
});

const thing = fc
  .record({
    metric,
    price: fc.oneof(decimal(2, 4), decimal(2, 4), dated(randomPrice('price'))),
    included: maybe(included),
    atOnce: maybe(fc.integer({ min: 1, max: 20 })),
    held: fc.oneof(fc.constant({}), dates),
  })
  .map(({ held, atOnce, ...rest }) => {
    const isBranches = rest.metric === 'extra_branches_month';
    return { ...rest, ...held, included_at_once: isBranches ? atOnce : undefined };
  });

export const meteredThings = fc.uniqueArray(thing, {
  minLength: 1,
  maxLength: 4,
  selector: each => each.metric,
});

/** Bursts of hours that several projects share. */
function amountsOf(maxLength: number, minLength = 0) {
  const burst = fc.record({
    metric,
    hour: fc.nat(days * 24 - 1),
    length: fc.integer({ min: 1, max: 6 }),
    parts: fc.array(fc.record({ at: fc.nat(5), size: fc.nat(1_000_000) }), { minLength: 1, maxLength: 4 }),
  });
  return fc.array(burst, { minLength, maxLength }).map(bursts =>
    bursts.flatMap(({ metric: counted, hour, length, parts }) =>
      Array.from({ length }, (_, index) =>
        parts.map(
          ({ at, size }): CaseAmount => ({
            project: `id-${at}`,
            metric: counted,
            at: originAt + (hour + index) * hourMs,
            amount: Math.round((largestAmounts[counted] * size) / 1_000_000),
          }),
        ),
      ).flat(),
    ),
  );
}

export const meteredAmounts = amountsOf(40);
export const denseAmounts = amountsOf(300, 200);
