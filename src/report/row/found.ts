import { findingOptionsOf, isWorthShowing } from '../../cost/finding/finding-filter.ts';
import { findFindings } from '../../cost/finding/finding-list.ts';
import { estimateMonthUse } from '../../cost/finding/month-use.ts';
import { priceSavings } from '../../cost/finding/saving.ts';
import { type Amount, amountOf } from '../../cost/money/money.ts';
import { assignPlans } from '../../cost/price/plan-assignment.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import type { Finding } from '../../resources/finding.ts';
import type { ReportSubject } from '../content.ts';
import type { RowScope } from './scope.ts';

/** A finding with the row it belongs to and what it saves in 30 days. */
export interface Found {
  readonly scope: RowScope;
  readonly finding: Finding;
  readonly hours: Amount;
  /** In the display currency; absent where the compute is unpriced. */
  readonly money?: Amount;
}

/** Finds what endpoints might not need, and prices it where there are prices. */
export function findAll({ history, request, groups, rule, onProgress }: ReportSubject): {
  readonly found: readonly Found[];
  readonly leftOut: number;
} {
  const { pricing, findings, ignoredFindings } = request.config;
  const findingRules = { ...findings, ignored: ignoredFindings };
  const { fromAt, untilAt } = request.span;
  const { projects } = history.usage;
  const at = untilAt - 1;
  const assignments = pricing === undefined ? [] : assignPlans(pricing, projects, groups.groupsOf, at);
  const planByRef = new Map(
    assignments.flatMap(({ plan, projects }) => projects.map(({ project_ref }) => [project_ref, plan])),
  );
  const found = projects.flatMap((project, index) => {
    const { project_ref } = project;
    const options = findingOptionsOf(findingRules, {
      project,
      plan: planByRef.get(project_ref),
      at: untilAt,
    });
    const endpoints = history.endpoints.endpoints(project, fromAt, untilAt);
    onProgress((index + 1) / projects.length);
    return endpoints.flatMap(each =>
      findFindings(each, options).map(finding => {
        const hours = amountOf(finding.computeHoursPerMonth.toFixed(6));
        return { project_ref, scope: rule.scopeOf(project, finding.endpoint_id), finding, hours };
      }),
    );
  });
  if (pricing === undefined) return { found, leftOut: 0 };
  const changes = found.map(({ project_ref, finding }) => {
    return { project_ref, computeHours: finding.computeHoursPerMonth };
  });
  const month = { book: pricing, assignments, at, monthUse: estimateUse(history, untilAt) };
  const savings = priceSavings(month, changes);
  const shown = found.flatMap((each, index) => {
    const money = savings[index];
    return isWorthShowing(findingRules, money) ? [{ ...each, ...(money && { money }) }] : [];
  });
  return { found: shown, leftOut: found.length - shown.length };
}

/** CU-milliseconds of each project in a typical month, by its number. */
function estimateUse({ usage }: ReportHistory, endsAt: number): ReadonlyMap<number, number> {
  return new Map(
    usage.projects.map(project => {
      const untilAt = Math.min(endsAt, usage.knownUntil(project.account) ?? endsAt);
      const knownFromAt = usage.knownFrom(project.account) ?? 0;
      return [project.project_ref, estimateMonthUse(usage, project, { knownFromAt, untilAt })];
    }),
  );
}
