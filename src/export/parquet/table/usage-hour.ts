import { hourMs } from '../../../resources/duration.ts';
import { type MeterMetric, meterMetrics } from '../../../resources/meter.ts';
import type { UsageProject } from '../../../resources/usage/ledger.ts';
import { type ParquetDay, type PlacedRow, placeOf, projectsOf } from './parquet-day.ts';
import { column, parquetTable } from './parquet-table.ts';

interface HourRow extends PlacedRow {
  readonly fromAt: number;
  readonly untilAt: number;
  readonly usedCuMs: number;
  /** What was metered in the hour; undefined where that is not known. */
  readonly metered: (metric: MeterMetric) => number | undefined;
}

/** Use of projects by the hour: a row where anything was used or metered. */
export const usageHours = parquetTable<HourRow>({
  name: 'usage_hours',
  about: 'Use of a project in an hour in which anything was used or metered.',
  columns: [
    column('from_at', 'instant', 'When the hour began.', row => row.fromAt),
    column('until_at', 'instant', 'The first instant after it.', row => row.untilAt),
    column('compute_seconds', 'seconds', 'What the service counted, in CU-seconds.', row => row.usedCuMs),
    ...meterMetrics.map(metric =>
      column<HourRow>(`metered_${metric}`, 'count', `The meter's \`${metric}\`.`, row => row.metered(metric)),
    ),
  ],
  keptFromAt: ({ history }) => history.keptFromAt.hours,
  *rows(day) {
    const cuts = cutIntoHours(day);
    const told = day.history.usage.metered === undefined ? new Map() : day.history.meter.metrics();
    for (const project of projectsOf(day)) {
      const metrics: readonly MeterMetric[] = told.get(project.project_ref) ?? [];
      const used = usedBetween(day, project, cuts);
      const read = meteredBetween(day, project, metrics, cuts);
      if (used === undefined && read === undefined) continue;
      const place = placeOf(day, project);
      for (let hour = 0; hour + 1 < cuts.length; hour += 1) {
        const usedCuMs = used?.[hour] ?? 0;
        const metered = (metric: MeterMetric) => read?.get(metric)?.[hour];
        if (usedCuMs === 0 && meterMetrics.every(metric => (metered(metric) ?? 0) === 0)) continue;
        yield { place, fromAt: cuts[hour] ?? 0, untilAt: cuts[hour + 1] ?? 0, usedCuMs, metered };
      }
    }
  },
});

/** The beginning of the day, the hours of UTC in it, and its end. */
function cutIntoHours({ fromAt, untilAt }: ParquetDay): readonly number[] {
  const cuts = [fromAt];
  for (let at = (Math.floor(fromAt / hourMs) + 1) * hourMs; at < untilAt; at += hourMs) cuts.push(at);
  return [...cuts, untilAt];
}

/** CU-milliseconds of each hour; undefined where nothing was used. */
function usedBetween(
  { history, fromAt, untilAt, usedUntil }: ParquetDay,
  { project_ref }: UsageProject,
  cuts: readonly number[],
): readonly number[] | undefined {
  const { usage, hours } = history;
  if (project_ref < 0) return undefined;
  if (usedUntil(project_ref, fromAt) === usedUntil(project_ref, untilAt)) return undefined;
  if (fromAt % hourMs === 0 && untilAt % hourMs === 0) {
    const read = hours.hours(project_ref, fromAt / hourMs, cuts.length - 1);
    return [...read].map(used => Math.round(used * 1000));
  }
  return differences(cuts.map(at => usage.usedUntil(project_ref, at)));
}

function meteredBetween(
  { account, history }: ParquetDay,
  { project_ref }: UsageProject,
  metrics: readonly MeterMetric[],
  cuts: readonly number[],
): ReadonlyMap<MeterMetric, readonly (number | undefined)[]> | undefined {
  const { metered } = history.usage;
  const known = metered?.knownSpan(account);
  if (metered === undefined || known === undefined || metrics.length === 0) return undefined;
  const isKnown = (index: number) => (cuts[index + 1] ?? 0) > known.fromAt;
  return new Map(
    metrics.map(metric => {
      const totals = cuts.map(at => metered.meteredUntil(project_ref, metric, at));
      return [metric, differences(totals).map((used, index) => (isKnown(index) ? used : undefined))];
    }),
  );
}

function differences(totals: readonly number[]): number[] {
  return totals.slice(1).map((total, index) => total - (totals[index] ?? 0));
}
