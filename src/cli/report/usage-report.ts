import { shareWhole } from '../../cost/whole-share.ts';
import type { KnownEndpoint } from '../../history/endpoint-activity-query.ts';
import type { Column } from '../../report/report.ts';
import type { UsageProject } from '../../resources/usage-ledger.ts';
import { cutByDay, EndpointShare } from './endpoint-share.ts';
import { showHours, showHourTotal, showShares } from './hour-text.ts';
import { type ReportContent, type ReportSubject, titleOf } from './report-content.ts';
import { notTold, type Scope } from './report-scope.ts';

/** Amounts in CU-milliseconds. */
interface Use {
  readonly usedCuMs: number;
  readonly lowerCuMs: number;
  readonly upperCuMs: number;
  readonly awakeMs: number;
  readonly starts: number;
}

const columns: readonly Column[] = [
  { key: 'compute_hours', kind: 'decimal' },
  { key: 'share_percent', kind: 'decimal' },
  { key: 'reconstructed_lower_hours', kind: 'decimal' },
  { key: 'reconstructed_upper_hours', kind: 'decimal' },
  { key: 'awake_hours', kind: 'decimal' },
  { key: 'starts', kind: 'count' },
];

/** What was used: as the service counted it, and as it follows from what the endpoints did. */
export function reportUsage(subject: ReportSubject): ReportContent {
  const { past, request, rule } = subject;
  const byScope = new Map<string, { readonly scope: Scope; use: Use }>();
  for (const [index, project] of past.usage.projects.entries()) {
    for (const { scope, use } of request.by === 'endpoint'
      ? endpointUses(subject, project)
      : projectUses(subject, project)) {
      const before = byScope.get(scope.key);
      byScope.set(scope.key, { scope, use: before === undefined ? use : addUses(before.use, use) });
    }
    subject.onProgress((index + 1) / past.usage.projects.length);
  }
  const all = [...byScope.values()];
  const shown = all
    .filter(({ use }) => Object.values(use).some(value => value > 0))
    .sort((a, b) => b.use.usedCuMs - a.use.usedCuMs || (a.scope.key < b.scope.key ? -1 : 1));
  const uses = shown.map(({ use }) => use);
  const total = uses.reduce(addUses, noUse);
  const used = uses.map(use => use.usedCuMs);
  const hours = [
    used,
    uses.map(use => use.lowerCuMs),
    uses.map(use => use.upperCuMs),
    uses.map(use => use.awakeMs),
  ];
  const [usedHours = [], ...otherHours] = hours.map(showHours);
  const shares = showShares(used);
  return {
    title: titleOf('Usage', request),
    columns: [...rule.columns, ...columns],
    rows: shown.map(({ scope, use }, index) => [
      ...scope.cells,
      ...[usedHours[index], shares[index], ...otherHours.map(each => each[index]), use.starts],
    ]),
    totals: [
      ...rule.columns.map((_, index) => (index === 0 ? 'total' : '')),
      ...[showHourTotal(used), total.usedCuMs > 0 ? '100.0' : undefined],
      ...hours.slice(1).map(showHourTotal),
      total.starts,
    ],
    notes: describe(subject, all.length - shown.length),
    gaps:
      past.keptFromAt.samples > request.span.fromAt
        ? ['Awake hours and the times of starts are kept for a part of the period only.']
        : [],
  };
}

const noUse: Use = { usedCuMs: 0, lowerCuMs: 0, upperCuMs: 0, awakeMs: 0, starts: 0 };

function addUses(a: Use, b: Use): Use {
  return {
    usedCuMs: a.usedCuMs + b.usedCuMs,
    lowerCuMs: a.lowerCuMs + b.lowerCuMs,
    upperCuMs: a.upperCuMs + b.upperCuMs,
    awakeMs: a.awakeMs + b.awakeMs,
    starts: a.starts + b.starts,
  };
}

function projectUses(subject: ReportSubject, project: UsageProject): { scope: Scope; use: Use }[] {
  const { past, request, rule } = subject;
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
function endpointUses(subject: ReportSubject, project: UsageProject): { scope: Scope; use: Use }[] {
  const { past, request, rule } = subject;
  const share = new EndpointShare(past.activity);
  const told = new Map<string, number>();
  for (const day of cutByDay(request.span)) {
    const used =
      past.usage.usedUntil(project.project_ref, day.untilAt) -
      past.usage.usedUntil(project.project_ref, day.fromAt);
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
  { past, request }: ReportSubject,
  { account }: UsageProject,
  { endpoint_ref }: KnownEndpoint,
): Use {
  const { fromAt, untilAt } = request.span;
  const endAt = Math.max(fromAt, Math.min(untilAt, past.usage.knownUntil(account) ?? fromAt));
  const before = past.activity.computeUntil(endpoint_ref, fromAt);
  const after = past.activity.computeUntil(endpoint_ref, endAt);
  return {
    usedCuMs: 0,
    lowerCuMs: after.lower - before.lower,
    upperCuMs: after.upper - before.upper,
    ...past.activity.activity(endpoint_ref, fromAt, untilAt),
  };
}

function describe({ request, past }: ReportSubject, idle: number): string[] {
  return [
    'Compute hours are what the service counted (cpu_used_sec); reconstructed hours are the least and the most that follows from what the endpoints did and their sizes.',
    ...(request.by === 'endpoint'
      ? [
          `The service counts by project: its hours are shared out by day in proportion to the reconstructed ones, and are ${notTold} where no endpoint is known to have been awake.`,
        ]
      : []),
    ...(idle > 0
      ? [
          `${idle} ${request.by}${idle === 1 ? '' : 's'} used nothing and ${idle === 1 ? 'is' : 'are'} left out.`,
        ]
      : []),
    ...(past.usage.projects.length === 0 ? ['There are no projects.'] : []),
  ];
}
