import * as v from 'valibot';
import type { KnownProject } from '../../../history/browse/browsed-project.ts';
import type { MadeReport } from '../../../report/maker.ts';
import { boundsField, decimalField } from '../../answer-field.ts';
import { readRows } from '../../report-row.ts';

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
export function writeProjectForecast(
  report: MadeReport | undefined,
  { gone_at }: Pick<KnownProject, 'gone_at'>,
  pending: boolean,
): ProjectForecast | null {
  if (gone_at !== null) return null;
  const rows = report === undefined ? [] : readRows<'forecast'>(report);
  return {
    pending,
    quantities: rows.map(({ what, unit, so_far, expected, low80, high80, low95, high95 }) => ({
      what: what ?? '',
      unit: unit ?? '',
      so_far: so_far ?? null,
      expected: expected ?? null,
      bounds: low80 && high80 && low95 && high95 ? { low80, high80, low95, high95 } : null,
    })),
    notes: [...(report?.notes ?? [])],
  };
}
