import { type Amount, addAmounts, showAmount, sumAmounts } from '../cost/money/money.ts';
import { shareTable } from '../cost/money/table-share.ts';
import { unitOf, usualMeterRules } from '../cost/price/metered-tariff.ts';
import { type MeterMetric, meterMetrics } from '../resources/meter.ts';
import type { DecimalText, MeterRules } from '../resources/price-book.ts';
import { hourDecimals } from './format/hour-text.ts';
import type { RowColumn } from './format/report.ts';
import { placeOf, type StepScope } from './format/step-place.ts';
import type { MeteredUse } from './row/metered-use.ts';
import { noScope } from './row/scope.ts';
import type { ScopedUse } from './row/scoped-use.ts';

/** What was metered of a row as it is shown, by the keys of its columns. */
export interface MeteredRow {
  readonly metered: Readonly<Record<string, DecimalText | undefined>>;
}

/** A column of what was metered: the sum of some metrics. */
export interface MeteredColumn extends RowColumn<MeteredRow> {
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
  const quantity = (key: string, about: string, metrics: readonly MeterMetric[], title?: string) => ({
    ...{ key: `metered_${key}`, kind: 'decimal' as const, about, metrics, decimals: unitDecimals },
    ...(title === undefined ? { isForPrograms: true } : { title }),
    of: ({ metered }: MeteredRow) => metered[`metered_${key}`],
  });
  const columns: readonly MeteredColumn[] = [
    {
      ...quantity('compute_hours', 'Compute hours by the meter.', ['compute_unit_seconds'], 'metered hours'),
      decimals: hourDecimals,
    },
    quantity(`storage${gbMonths}`, 'Storage of all kinds.', storage, `storage ${monthly}s`),
    quantity(`transfer${gb}`, 'Transfer, public and private.', transfer, `transfer ${bytes}`),
    quantity('extra_branch_months', 'Extra branches.', ['extra_branches_month'], 'extra branch-months'),
    quantity(`root_branch${gbMonths}`, 'Storage of root branches.', ['root_branch_bytes_month']),
    quantity(`child_branch${gbMonths}`, 'Storage of child branches.', ['child_branch_bytes_month']),
    quantity(`instant_restore${gbMonths}`, 'Storage for instant restore.', ['instant_restore_bytes_month']),
    quantity(`snapshot${gbMonths}`, 'Storage of snapshots.', ['snapshot_storage_bytes_month']),
    quantity(`public_transfer${gb}`, 'Public transfer.', ['public_network_transfer_bytes']),
    quantity(`private_transfer${gb}`, 'Private transfer.', ['private_network_transfer_bytes']),
  ];
  return columns.filter(({ metrics }) => metrics.some(metric => told.has(metric)));
}

/** The columns of all metrics, in gigabytes of both kinds. */
export const allMeteredColumns = (['decimal', 'binary'] as const).flatMap(gigabyte =>
  meteredColumns(new Set(meterMetrics), { ...usualMeterRules, gigabyte }),
);

/** What was metered of rows, which adds up to the total. */
export function showMetered(
  columns: readonly MeteredColumn[],
  uses: readonly ScopedUse[],
): { readonly rows: readonly MeteredRow['metered'][]; readonly total: MeteredRow['metered'] } {
  const shown = columns.map(({ key, metrics, decimals }) => {
    const quantities = uses.map(({ use }) => sumOf(use.metered, metrics));
    const scopes = uses.map(({ scope }) => scope);
    return { key, ...showQuantities(quantities, scopes, decimals) };
  });
  return {
    rows: uses.map((_, row) => Object.fromEntries(shown.map(({ key, cells }) => [key, cells[row]]))),
    total: Object.fromEntries(shown.map(({ key, total }) => [key, total])),
  };
}

function sumOf(use: MeteredUse, metrics: readonly MeterMetric[]): Amount | undefined {
  const [first, ...others] = metrics.flatMap(metric => use[metric] ?? []);
  return first === undefined ? undefined : others.reduce(addAmounts, first);
}

/** Such as `gb_month`. */
function toKey(unit = ''): string {
  return unit.toLowerCase().replaceAll('-', '_');
}

/** A column of quantities as it is shown. */
interface ShownQuantities {
  readonly cells: readonly (DecimalText | undefined)[];
  readonly total: DecimalText | undefined;
}

/**
 * Quantities of a column, rounded so that they add up to their row without steps, to their step, and to the total: alike in
 * every report, whatever the order of its rows. An unknown quantity is absent, and so is a total of nothing known.
 */
function showQuantities(
  quantities: readonly (Amount | undefined)[],
  scopes: readonly StepScope[],
  decimals: number,
): ShownQuantities {
  const known = quantities.flatMap((amount, row) =>
    amount === undefined ? [] : [{ index: row, amount, ...placeOf(scopes[row] ?? noScope) }],
  );
  const shares = shareTable(known, decimals);
  const texts = new Map(known.map(({ index }, place) => [index, shares[place]]));
  const total = sumAmounts(known.map(({ amount }) => amount));
  return {
    cells: quantities.map((_, row) => texts.get(row)),
    total: known.length === 0 ? undefined : showAmount(total, decimals),
  };
}
