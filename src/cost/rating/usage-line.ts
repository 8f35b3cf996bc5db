import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import type { UsedUntil } from '../price/included-usage.ts';
import { type CostLine, noUse } from './cost-line.ts';
import { chargeFor, priceBands } from './priced-band.ts';
import type { RatedPeriod } from './rated-period.ts';

/** Cost lines of a project for a stretch of a billing period, one for each price, tier and exchange rate. */
export function periodLines(project: UsageProject, rated: RatedPeriod, stretch: Period): CostLine[] {
  const { project_ref, account } = project;
  const { plan } = rated.assignment;
  return priceBands(project_ref, rated, stretch).map((band): CostLine => {
    const { fromAt, untilAt, tier, included, billed, unpriced } = band;
    return {
      kind: 'usage',
      ...{ account, project, plan: plan.name, fromAt, untilAt },
      ...(tier !== undefined && { tier }),
      usedCuMs: included + billed + unpriced,
      includedCuMs: included,
      billedCuMs: billed,
      unpricedCuMs: unpriced,
      ...chargeFor(band, plan.currency),
    };
  });
}

/** The line of a project without a plan: its usage is unpriced. */
export function unpricedLines(
  project: UsageProject,
  { fromAt, untilAt }: Period,
  usedUntil: UsedUntil,
): CostLine[] {
  const { project_ref, account } = project;
  const usedCuMs = usedUntil(project_ref, untilAt) - usedUntil(project_ref, fromAt);
  if (usedCuMs === 0) return [];
  const unpriced = { ...noUse, usedCuMs, unpricedCuMs: usedCuMs };
  return [{ kind: 'usage', account, project, fromAt, untilAt, ...unpriced }];
}
