import * as v from 'valibot';
import type { KnownProject } from '../../../history/browse/browsed-project.ts';
import { boundsField, decimalField } from '../../answer-field.ts';
import { askSoon } from '../../desk/ready-report.ts';
import type { ConsoleSources } from '../../page.ts';
import { keyRows } from '../../report-row.ts';

const quantityField = v.object({
  /** `cost`, `compute_hours`, or a metric of the service's meter. */
  what: v.string(),
  /** A currency, or such as `GB-month`; empty where the name says it. */
  unit: v.string(),
  so_far: v.nullable(decimalField),
  /** The amount of the whole billing period; null while too little is known. */
  expected: v.nullable(decimalField),
  bounds: v.nullable(boundsField),
});
export type ForecastQuantity = v.InferOutput<typeof quantityField>;

export const projectForecastField = v.object({
  pending: v.boolean(),
  quantities: v.array(quantityField),
  notes: v.array(v.string()),
});
export type ProjectForecast = v.InferOutput<typeof projectForecastField>;

/** How the billing period of a project ends: the rows of `report forecast --project`; null for one that is gone. */
export async function readProjectForecast(
  { reports }: ConsoleSources,
  { account, project_id, gone_at }: Pick<KnownProject, 'account' | 'project_id' | 'gone_at'>,
): Promise<ProjectForecast | null> {
  if (gone_at !== null) return null;
  const report = await askSoon(reports, 'forecast', { project: `${account}/${project_id}` });
  const rows = report === undefined ? [] : keyRows(report);
  return {
    pending: report === undefined,
    quantities: rows.map(({ text, decimal }) => {
      const [low80, high80] = [decimal('low80'), decimal('high80')];
      const [low95, high95] = [decimal('low95'), decimal('high95')];
      const isBounded = low80 !== null && high80 !== null && low95 !== null && high95 !== null;
      return {
        what: text('what') ?? '',
        unit: text('unit') ?? '',
        so_far: decimal('so_far'),
        expected: decimal('expected'),
        bounds: isBounded ? { low80, high80, low95, high95 } : null,
      };
    }),
    notes: [...(report?.notes ?? [])],
  };
}
