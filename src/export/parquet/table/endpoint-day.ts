import { shareWhole } from '../../../cost/money/whole-share.ts';
import type { KnownEndpoint, StateSpan } from '../../../history/usage/endpoint-activity-query.ts';
import { cutByDay, EndpointShare } from '../../../report/row/endpoint-share.ts';
import type { UsageProject } from '../../../resources/usage/ledger.ts';
import { type ParquetDay, type PlacedRow, placeOf, presentProjects } from './parquet-day.ts';
import { column, parquetTable } from './parquet-table.ts';

/** CU-milliseconds and milliseconds of an endpoint in a day. */
interface EndpointRow extends PlacedRow {
  readonly endpoint_id: string;
  readonly usedCuMs: number;
  /** Absent for what no endpoint is known to have used. */
  readonly known?: {
    readonly branch_id: string | null;
    readonly lowerCuMs: number;
    readonly upperCuMs: number;
    readonly awakeMs: number;
    readonly starts: number;
  };
}

/** Awake time and starts of each endpoint in a day, and its share of its project's compute. */
export const endpointDays = parquetTable<EndpointRow>({
  name: 'endpoint_days',
  about: 'What an endpoint did in a day, and its share of what its project used.',
  columns: [
    column('endpoint_id', 'text', 'The endpoint.', row => row.endpoint_id),
    column('branch_id', 'text', 'Its branch.', ({ known }) => known?.branch_id),
    column('compute_seconds', 'seconds', "Its share of its project's compute.", row => row.usedCuMs),
    column('compute_lower_seconds', 'fine_seconds', 'The least that it used.', row => row.known?.lowerCuMs),
    column('compute_upper_seconds', 'fine_seconds', 'The most that it used.', row => row.known?.upperCuMs),
    column('awake_seconds', 'seconds', 'How long it was awake.', row => row.known?.awakeMs),
    column('starts', 'count', 'How often it was started.', row => row.known?.starts),
  ],
  // States that are gone cannot be added up, and starts are operations.
  keptFromAt: ({ history: { keptFromAt } }) => Math.max(keptFromAt.samples, keptFromAt.operations),
  *rows(day) {
    const { history, fromAt, untilAt } = day;
    for (const project of presentProjects(day)) {
      const shares = shareUse(day, project);
      const place = placeOf(day, project);
      for (const { endpoint_ref, endpoint_id, branch_id } of day.endpoints(project.project_ref)) {
        const before = day.computeUntil(endpoint_ref, fromAt);
        const after = day.computeUntil(endpoint_ref, untilAt);
        const { awakeMs, starts } = history.activity.activity({ endpoint_ref, fromAt, untilAt });
        const usedCuMs = shares.get(endpoint_id) ?? 0;
        shares.delete(endpoint_id);
        const [lowerCuMs, upperCuMs] = [after.lower - before.lower, after.upper - before.upper];
        if ([usedCuMs, lowerCuMs, upperCuMs, awakeMs, starts].every(value => value === 0)) continue;
        yield { place, endpoint_id, usedCuMs, known: { branch_id, lowerCuMs, upperCuMs, awakeMs, starts } };
      }
      for (const [endpoint_id, usedCuMs] of shares) yield { place, endpoint_id, usedCuMs };
    }
  },
});

/** CU-milliseconds by endpoint, also use that no known endpoint had. */
function shareUse(day: ParquetDay, project: UsageProject): Map<string, number> {
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

interface StateRow extends PlacedRow {
  readonly endpoint: KnownEndpoint;
  readonly span: StateSpan;
}

/** The states of endpoints, cut at the ends of days. */
export const endpointStates = parquetTable<StateRow>({
  name: 'endpoint_states',
  about: 'A time of an endpoint in one state, cut at the ends of days.',
  columns: [
    column('endpoint_id', 'text', 'The endpoint.', row => row.endpoint.endpoint_id),
    column('branch_id', 'text', 'Its branch.', ({ endpoint }) => endpoint.branch_id),
    column('state', 'text', 'The state.', row => row.span.state),
    column('from_at', 'instant', 'When the time began.', row => row.span.fromAt),
    column('until_at', 'instant', 'The first instant after it.', row => row.span.untilAt),
    column('seconds', 'seconds', 'How long it took.', ({ span }) => span.untilAt - span.fromAt),
  ],
  keptFromAt: ({ history }) => history.keptFromAt.samples,
  *rows(day) {
    const { history, fromAt, untilAt } = day;
    for (const project of presentProjects(day)) {
      const place = placeOf(day, project);
      for (const endpoint of day.endpoints(project.project_ref))
        for (const span of history.activity.states({ ...endpoint, fromAt, untilAt }))
          yield { place, endpoint, span };
    }
  },
});
