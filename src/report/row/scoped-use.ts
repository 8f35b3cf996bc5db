import { amountOfUse, isNothing } from '../../cost/money/money.ts';
import { shareWhole } from '../../cost/money/whole-share.ts';
import type { KnownEndpoint } from '../../history/usage/endpoint-activity-query.ts';
import type { Span } from '../../resources/duration.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { isInReport } from '../chosen-project.ts';
import type { ReportSubject } from '../content.ts';
import { cutByDay, EndpointShare, type EndpointWeights } from './endpoint-share.ts';
import { addMetered, type MeteredReading, type MeteredUse } from './metered-use.ts';
import { type RowScope, unattributed } from './scope.ts';

/** Use added up: CU-milliseconds as the service counts them and their reconstructed bounds, and what endpoints did. */
export interface UseSum {
  /** Whether anything but the meter tells of it. */
  readonly isReported: boolean;
  readonly usedCuMs: number;
  readonly lowerCuMs: number;
  readonly upperCuMs: number;
  readonly awakeMs: number;
  readonly starts: number;
  readonly metered: MeteredUse;
}

/** The use of one row, before it is rounded. */
export interface ScopedUse {
  readonly scope: RowScope;
  readonly use: UseSum;
}

/** The sum of no use. */
export const noUse: UseSum = {
  isReported: false,
  ...{ usedCuMs: 0, lowerCuMs: 0, upperCuMs: 0, awakeMs: 0, starts: 0 },
  metered: {},
};

/** The use of each row of a usage report, in no order. */
export function gatherUses(subject: ReportSubject, meter: MeteredReading): readonly ScopedUse[] {
  const projects = meter.projects.filter(project => isInReport(subject.request, project));
  const share = new EndpointShare(subject.history, subject.request.span);
  const usesOf = (project: UsageProject) =>
    subject.request.by === 'endpoint'
      ? endpointUses(subject, project, share, meter)
      : projectUses(subject, project, meter);
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
    isReported: a.isReported || b.isReported,
    usedCuMs: a.usedCuMs + b.usedCuMs,
    lowerCuMs: a.lowerCuMs + b.lowerCuMs,
    upperCuMs: a.upperCuMs + b.upperCuMs,
    awakeMs: a.awakeMs + b.awakeMs,
    starts: a.starts + b.starts,
    metered: addMetered(a.metered, b.metered),
  };
}

/** Whether there is nothing in it. */
export function isNoUse({ metered, usedCuMs, lowerCuMs, upperCuMs, awakeMs, starts }: UseSum): boolean {
  return (
    [usedCuMs, lowerCuMs, upperCuMs, awakeMs, starts].every(value => value <= 0) &&
    Object.values(metered).every(isNothing)
  );
}

function projectUses(subject: ReportSubject, project: UsageProject, meter: MeteredReading): ScopedUse[] {
  const { history, request, rule } = subject;
  const { fromAt, untilAt } = request.span;
  const usedCuMs =
    history.usage.usedUntil(project.project_ref, untilAt) -
    history.usage.usedUntil(project.project_ref, fromAt);
  const endpoints = history.activity.endpoints(project.project_ref);
  const own = { ...noUse, ...reportedOf(subject, project, usedCuMs) };
  const use = endpoints.map(endpoint => reconstruct(subject, project, endpoint)).reduce(addUses, own);
  return [{ scope: rule.scopeOf(project), use: { ...use, metered: meter.useOf(project, request.span) } }];
}

/** Reported use of a project, where that is known. */
function reportedOf(subject: ReportSubject, project: UsageProject, usedCuMs: number) {
  return isReported(subject, project, usedCuMs)
    ? { isReported: true, usedCuMs }
    : { isReported: false, usedCuMs: 0 };
}

/** Nothing is reported of the time before a project is watched, nor of one that was gone by then. */
function isReported({ history, request }: ReportSubject, project: UsageProject, usedCuMs: number): boolean {
  const { usage } = history;
  const watchedFromAt = Math.max(
    usage.knownFrom(project.account) ?? Number.POSITIVE_INFINITY,
    usage.unattributedOf(project.project_ref)?.untilAt ?? 0,
  );
  const isWatched = request.span.untilAt > watchedFromAt && usage.projects.includes(project);
  // Where there is no meter, a part of it is more than nothing.
  return isWatched || (usedCuMs > 0 && usage.metered === undefined);
}

/** The use the service counts for a project, shared out by day to its endpoints. */
function endpointUses(
  subject: ReportSubject,
  project: UsageProject,
  share: EndpointShare,
  meter: MeteredReading,
): ScopedUse[] {
  const { history, request, rule } = subject;
  const { ledger } = share;
  const { project_ref } = project;
  const weightsOf = (day: Span) => share.weightsOf(project, day);
  const used = shareByDay(request.span, weightsOf, day => {
    return ledger.usedUntil(project_ref, day.untilAt) - ledger.usedUntil(project_ref, day.fromAt);
  });
  const metered = shareByDay(request.span, weightsOf, day => meter.computeOf(project, day));
  const meteredOf = (id: string): MeteredUse => {
    const cuMs = metered.get(id);
    return cuMs === undefined ? {} : { compute_unit_seconds: amountOfUse(cuMs) };
  };
  const known = history.activity.endpoints(project_ref).map(endpoint => {
    const { endpoint_id: id } = endpoint;
    const usedCuMs = used.get(id) ?? 0;
    const own = { ...reportedOf(subject, project, usedCuMs), metered: meteredOf(id) };
    return { scope: rule.scopeOf(project, id), use: { ...reconstruct(subject, project, endpoint), ...own } };
  });
  // Storage and transfer are no endpoint's.
  const { compute_unit_seconds: _, ...stored } = meter.useOf(project, request.span);
  const usedCuMs = used.get(unattributed) ?? 0;
  const rest = { ...noUse, ...reportedOf(subject, project, usedCuMs) };
  const use = { ...rest, metered: { ...stored, ...meteredOf(unattributed) } };
  return isNoUse(use) ? known : [...known, { scope: rule.scopeOf(project, unattributed), use }];
}

/** CU-milliseconds by endpoint; none where nothing is known. */
function shareByDay(
  span: Span,
  weightsOf: (day: Span) => EndpointWeights,
  usedIn: (day: Span) => number | undefined,
): ReadonlyMap<string, number> {
  const byEndpoint = new Map<string, number>();
  for (const day of cutByDay(span)) {
    const used = usedIn(day) ?? 0;
    if (used === 0) continue;
    const { endpointIds, weights } = weightsOf(day);
    const parts = shareWhole(used, weights);
    for (const [index, id] of endpointIds.entries())
      byEndpoint.set(id, (byEndpoint.get(id) ?? 0) + (parts[index] ?? 0));
  }
  return byEndpoint;
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
    ...noUse,
    lowerCuMs: Math.max(0, Math.round(after.lower - before.lower)),
    upperCuMs: Math.max(0, Math.round(after.upper - before.upper)),
    ...history.activity.activity({ endpoint_ref, fromAt, untilAt }),
  };
}
