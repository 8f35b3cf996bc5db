import type { SourcedPlan } from '../fleet-plan.ts';
import type { PlanFormat } from '../request.ts';
import { renderPlanJson } from './json.ts';
import { renderPlanTables } from './table.ts';

/** Plans as one text. */
export function renderPlans(plans: readonly SourcedPlan[], format: PlanFormat): string {
  switch (format) {
    case 'table':
      return renderPlanTables(plans);
    case 'json':
      return renderPlanJson(plans);
  }
}
