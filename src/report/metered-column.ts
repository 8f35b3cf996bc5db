import { type Amount, addAmounts } from '../cost/money/money.ts';
import { unitOf } from '../cost/price/metered-tariff.ts';
import type { MeterMetric } from '../resources/meter.ts';
import type { MeterRules } from '../resources/price-book.ts';
import { hourDecimals } from './format/hour-text.ts';
import { type ShownQuantities, showQuantities } from './format/quantity-text.ts';
import type { Column } from './format/report.ts';
import type { MeteredUse } from './row/metered-use.ts';
import type { RowScope } from './row/scope.ts';

/** A column of what was metered: the sum of some metrics. */
export interface MeteredColumn extends Column {
  readonly metrics: readonly MeterMetric[];
  readonly decimals: number;
}

/** A project of a few gigabytes has some thousandths of a GB-month in a day. */
const unitDecimals = 3;

const storage = [
  'root_branch_bytes_month',
  'child_branch_bytes_month',
  'instant_restore_bytes_month',
  'snapshot_storage_bytes_month',
] as const;
const transfer = ['public_network_transfer_bytes', 'private_network_transfer_bytes'] as const;

/** The columns of the metrics that were ever told; a person reads storage and transfer in one each. */
export function meteredColumns(
  told: ReadonlySet<MeterMetric>,
  rules: MeterRules | undefined,
): readonly MeteredColumn[] {
  const [bytes, monthly] = [transfer[0], storage[0]].map(metric => unitOf(metric, rules).name);
  const [gb, gbMonths] = [`_${toKey(bytes)}`, `_${toKey(monthly)}s`];
  const quantity = (key: string, metrics: readonly MeterMetric[], title?: string): MeteredColumn => ({
    ...{ key: `metered_${key}`, kind: 'decimal', metrics, decimals: unitDecimals },
    ...(title === undefined ? { isForPrograms: true } : { title }),
  });
  const columns: readonly MeteredColumn[] = [
    {
      ...quantity('compute_hours', ['compute_unit_seconds'], 'metered hours'),
      decimals: hourDecimals,
    },
    quantity(`storage${gbMonths}`, storage, `storage ${monthly}s`),
    quantity(`transfer${gb}`, transfer, `transfer ${bytes}`),
    quantity('extra_branch_months', ['extra_branches_month'], 'extra branch-months'),
    quantity(`root_branch${gbMonths}`, ['root_branch_bytes_month']),
    quantity(`child_branch${gbMonths}`, ['child_branch_bytes_month']),
    quantity(`instant_restore${gbMonths}`, ['instant_restore_bytes_month']),
    quantity(`snapshot${gbMonths}`, ['snapshot_storage_bytes_month']),
    quantity(`public_transfer${gb}`, ['public_network_transfer_bytes']),
    quantity(`private_transfer${gb}`, ['private_network_transfer_bytes']),
  ];
  return columns.filter(({ metrics }) => metrics.some(metric => told.has(metric)));
}

/** The cells of a column, which add up to its total. */
export function showMetered(
  { metrics, decimals }: MeteredColumn,
  uses: readonly MeteredUse[],
  scopes: readonly RowScope[],
): ShownQuantities {
  return showQuantities(
    uses.map(use => sumOf(use, metrics)),
    scopes,
    decimals,
  );
}

function sumOf(use: MeteredUse, metrics: readonly MeterMetric[]): Amount | undefined {
  const [first, ...others] = metrics.flatMap(metric => use[metric] ?? []);
  return first === undefined ? undefined : others.reduce(addAmounts, first);
}

/** Such as `gb_month`. */
function toKey(unit = ''): string {
  return unit.toLowerCase().replaceAll('-', '_');
}
