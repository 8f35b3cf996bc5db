import { shareWhole } from '../../../cost/money/whole-share.ts';
import { cutByDay, EndpointShare } from '../../../report/row/endpoint-share.ts';
import type { UsageProject } from '../../../resources/usage/ledger.ts';
import { fineSeconds, seconds, text, toSeconds, whole } from './column.ts';
import {
  dayCells,
  dayColumns,
  type LakeDay,
  presentProjects,
  projectCells,
  projectColumns,
} from './lake-day.ts';
import type { LakeTable } from './lake-table.ts';

/** Awake time and starts of each endpoint in a day, and its share of its project's compute. */
export const endpointDays: LakeTable = {
  name: 'endpoint_days',
  columns: [
    ...dayColumns,
    ...projectColumns,
    { name: 'endpoint_id', type: text },
    { name: 'branch_id', type: text },
    { name: 'compute_seconds', type: seconds },
    { name: 'compute_lower_seconds', type: fineSeconds },
    { name: 'compute_upper_seconds', type: fineSeconds },
    { name: 'awake_seconds', type: seconds },
    { name: 'starts', type: whole },
  ],
  // States that are gone cannot be added up, and starts are operations.
  keptFromAt: ({ history: { keptFromAt } }) => Math.max(keptFromAt.samples, keptFromAt.operations),
  *rows(day) {
    const { history, fromAt, untilAt } = day;
    for (const project of presentProjects(day)) {
      const shares = shareUse(day, project);
      const cells = [...dayCells(day), ...projectCells(day, project)];
      for (const { endpoint_ref, endpoint_id, branch_id } of day.endpoints(project.project_ref)) {
        const before = day.computeUntil(endpoint_ref, fromAt);
        const after = day.computeUntil(endpoint_ref, untilAt);
        const { awakeMs, starts } = history.activity.activity(endpoint_ref, fromAt, untilAt);
        const used = shares.get(endpoint_id) ?? 0;
        shares.delete(endpoint_id);
        const [lower, upper] = [after.lower - before.lower, after.upper - before.upper];
        if ([used, lower, upper, awakeMs, starts].every(value => value === 0)) continue;
        yield [
          ...cells,
          ...[
            endpoint_id,
            branch_id ?? undefined,
            toSeconds(used),
            toFineSeconds(lower),
            toFineSeconds(upper),
          ],
          ...[toSeconds(awakeMs), BigInt(starts)],
        ];
      }
      for (const [endpoint_id, used] of shares)
        yield [...cells, endpoint_id, undefined, toSeconds(used), undefined, undefined, undefined, undefined];
    }
  },
};

/** CU-milliseconds by endpoint, those that no endpoint is known to have used among them. */
function shareUse(day: LakeDay, project: UsageProject): Map<string, number> {
  const { history, fromAt, untilAt } = day;
  const used = new Map<string, number>();
  if (day.usedUntil(project.project_ref, fromAt) === day.usedUntil(project.project_ref, untilAt)) return used;
  const share = new EndpointShare(history, { fromAt, untilAt });
  for (const part of cutByDay({ fromAt, untilAt })) {
    const until = (at: number) => history.usage.usedUntil(project.project_ref, at);
    const amount = until(part.untilAt) - until(part.fromAt);
    if (amount === 0) continue;
    const { endpointIds, weights } = share.weightsOf(project, part);
    const parts = shareWhole(amount, weights);
    for (const [index, id] of endpointIds.entries()) used.set(id, (used.get(id) ?? 0) + (parts[index] ?? 0));
  }
  return used;
}

/** CU-milliseconds, which may have parts, as compute seconds. */
function toFineSeconds(cuMs: number): bigint {
  return BigInt(Math.round(cuMs * 1000));
}
