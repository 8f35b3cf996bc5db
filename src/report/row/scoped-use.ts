import { shareWhole } from '../../cost/money/whole-share.ts';
import type { KnownEndpoint } from '../../history/usage/endpoint-activity-query.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportSubject } from '../content.ts';
import { cutByDay, EndpointShare } from './endpoint-share.ts';
import { notTold, type RowScope } from './scope.ts';

/** Amounts in CU-milliseconds. */
export interface Use {
  readonly usedCuMs: number;
  readonly lowerCuMs: number;
  readonly upperCuMs: number;
  readonly awakeMs: number;
  readonly starts: number;
}

export interface ScopedUse {
  readonly scope: RowScope;
  readonly use: Use;
}

export const noUse: Use = { usedCuMs: 0, lowerCuMs: 0, upperCuMs: 0, awakeMs: 0, starts: 0 };

/** What was used in each row of a usage report. */
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

export function addUses(a: Use, b: Use): Use {
  return {
    usedCuMs: a.usedCuMs + b.usedCuMs,
    lowerCuMs: a.lowerCuMs + b.lowerCuMs,
    upperCuMs: a.upperCuMs + b.upperCuMs,
    awakeMs: a.awakeMs + b.awakeMs,
    starts: a.starts + b.starts,
  };
}

function projectUses(subject: ReportSubject, project: UsageProject): ScopedUse[] {
  const { history: past, request, rule } = subject;
  const { fromAt, untilAt } = request.span;
  const usedCuMs =
    past.usage.usedUntil(project.project_ref, untilAt) - past.usage.usedUntil(project.project_ref, fromAt);
  const endpoints = past.activity.endpoints(project.project_ref);
  const use = endpoints
    .map(endpoint => reconstruct(subject, project, endpoint))
    .reduce(addUses, { ...noUse, usedCuMs });
  return [{ scope: rule.scopeOf(project), use }];
}

/** What the service counts for the project, shared out by day to the endpoints. */
function endpointUses(subject: ReportSubject, project: UsageProject, share: EndpointShare): ScopedUse[] {
  const { history: past, request, rule } = subject;
  const { ledger } = share;
  const told = new Map<string, number>();
  for (const day of cutByDay(request.span)) {
    const { project_ref } = project;
    const used = ledger.usedUntil(project_ref, day.untilAt) - ledger.usedUntil(project_ref, day.fromAt);
    if (used === 0) continue;
    const { endpointIds, weights } = share.weightsOf(project, day);
    const parts = shareWhole(used, weights);
    for (const [index, id] of endpointIds.entries()) told.set(id, (told.get(id) ?? 0) + (parts[index] ?? 0));
  }
  const known = past.activity.endpoints(project.project_ref).map(endpoint => ({
    scope: rule.scopeOf(project, endpoint.endpoint_id),
    use: { ...reconstruct(subject, project, endpoint), usedCuMs: told.get(endpoint.endpoint_id) ?? 0 },
  }));
  const rest = told.get(notTold);
  return rest === undefined
    ? known
    : [...known, { scope: rule.scopeOf(project, notTold), use: { ...noUse, usedCuMs: rest } }];
}

function reconstruct(
  { history: past, request }: ReportSubject,
  { account }: UsageProject,
  { endpoint_ref }: KnownEndpoint,
): Use {
  const { fromAt, untilAt } = request.span;
  const endAt = Math.max(fromAt, Math.min(untilAt, past.usage.knownUntil(account) ?? fromAt));
  const before = past.activity.computeUntil(endpoint_ref, fromAt);
  const after = past.activity.computeUntil(endpoint_ref, endAt);
  return {
    usedCuMs: 0,
    lowerCuMs: Math.max(0, Math.round(after.lower - before.lower)),
    upperCuMs: Math.max(0, Math.round(after.upper - before.upper)),
    ...past.activity.activity(endpoint_ref, fromAt, untilAt),
  };
}
