import { shareWhole } from '../../cost/money/whole-share.ts';
import type { KnownEndpoint } from '../../history/usage/endpoint-activity-query.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportSubject } from '../content.ts';
import { cutByDay, EndpointShare } from './endpoint-share.ts';
import { type RowScope, unattributed } from './scope.ts';

/** Use added up: CU-milliseconds as the service counts them and their reconstructed bounds, and what endpoints did. */
export interface UseSum {
  readonly usedCuMs: number;
  readonly lowerCuMs: number;
  readonly upperCuMs: number;
  readonly awakeMs: number;
  readonly starts: number;
}

/** The use of one row, before it is rounded. */
export interface ScopedUse {
  readonly scope: RowScope;
  readonly use: UseSum;
}

/** The sum of no use. */
export const noUse: UseSum = { usedCuMs: 0, lowerCuMs: 0, upperCuMs: 0, awakeMs: 0, starts: 0 };

/** The use of each row of a usage report, in no order. */
export function gatherUses(subject: ReportSubject): readonly ScopedUse[] {
  const { projects } = subject.history.usage;
  const share = new EndpointShare(subject.history, subject.request.span);
  const usesOf = (project: UsageProject) =>
    subject.request.by === 'endpoint' ? endpointUses(subject, project, share) : projectUses(subject, project);
  const byScope = new Map<string, ScopedUse>();
  for (const [index, project] of projects.entries()) {
    for (const { scope, use } of usesOf(project)) {
      byScope.set(scope.key, { scope, use: addUses(byScope.get(scope.key)?.use ?? noUse, use) });
    }
    subject.onProgress((index + 1) / projects.length);
  }
  return [...byScope.values()];
}

/** Adds each figure. */
export function addUses(a: UseSum, b: UseSum): UseSum {
  return {
    usedCuMs: a.usedCuMs + b.usedCuMs,
    lowerCuMs: a.lowerCuMs + b.lowerCuMs,
    upperCuMs: a.upperCuMs + b.upperCuMs,
    awakeMs: a.awakeMs + b.awakeMs,
    starts: a.starts + b.starts,
  };
}

function projectUses(subject: ReportSubject, project: UsageProject): ScopedUse[] {
  const { history, request, rule } = subject;
  const { fromAt, untilAt } = request.span;
  const usedCuMs =
    history.usage.usedUntil(project.project_ref, untilAt) -
    history.usage.usedUntil(project.project_ref, fromAt);
  const endpoints = history.activity.endpoints(project.project_ref);
  const use = endpoints
    .map(endpoint => reconstruct(subject, project, endpoint))
    .reduce(addUses, { ...noUse, usedCuMs });
  return [{ scope: rule.scopeOf(project), use }];
}

/** The use the service counts for a project, shared out by day to its endpoints. */
function endpointUses(subject: ReportSubject, project: UsageProject, share: EndpointShare): ScopedUse[] {
  const { history, request, rule } = subject;
  const { ledger } = share;
  const byEndpoint = new Map<string, number>();
  for (const day of cutByDay(request.span)) {
    const { project_ref } = project;
    const used = ledger.usedUntil(project_ref, day.untilAt) - ledger.usedUntil(project_ref, day.fromAt);
    if (used === 0) continue;
    const { endpointIds, weights } = share.weightsOf(project, day);
    const parts = shareWhole(used, weights);
    for (const [index, id] of endpointIds.entries())
      byEndpoint.set(id, (byEndpoint.get(id) ?? 0) + (parts[index] ?? 0));
  }
  const known = history.activity.endpoints(project.project_ref).map(endpoint => ({
    scope: rule.scopeOf(project, endpoint.endpoint_id),
    use: { ...reconstruct(subject, project, endpoint), usedCuMs: byEndpoint.get(endpoint.endpoint_id) ?? 0 },
  }));
  const rest = byEndpoint.get(unattributed);
  return rest === undefined
    ? known
    : [...known, { scope: rule.scopeOf(project, unattributed), use: { ...noUse, usedCuMs: rest } }];
}

function reconstruct(
  { history, request }: ReportSubject,
  { account }: UsageProject,
  { endpoint_ref }: KnownEndpoint,
): UseSum {
  const { fromAt, untilAt } = request.span;
  const endAt = Math.max(fromAt, Math.min(untilAt, history.usage.knownUntil(account) ?? fromAt));
  const before = history.activity.computeUntil(endpoint_ref, fromAt);
  const after = history.activity.computeUntil(endpoint_ref, endAt);
  return {
    usedCuMs: 0,
    lowerCuMs: Math.max(0, Math.round(after.lower - before.lower)),
    upperCuMs: Math.max(0, Math.round(after.upper - before.upper)),
    ...history.activity.activity(endpoint_ref, fromAt, untilAt),
  };
}
