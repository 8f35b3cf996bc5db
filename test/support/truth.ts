import type { Sample } from './exposition-reader.ts';

/** What `GET /_sim/truth` answers, as far as the counters need it. */
export interface Truth {
  readonly now: string;
  readonly projects: readonly TrueProject[];
}

export interface TrueProject {
  readonly project_id: string;
  readonly deleted: boolean;
  readonly cpu_used_sec: number;
  readonly cpu_used_sec_ever: number;
  readonly operations: readonly {
    readonly action: string;
    readonly status: string;
    readonly count: number;
    readonly failures_count: number;
  }[];
  readonly endpoints: readonly {
    readonly endpoint_id: string;
    readonly deleted: boolean;
    readonly current_state: string;
    readonly pending_state: string | null;
    readonly starts: number;
    readonly suspends: number;
    readonly suspend_timeout_seconds: number;
    readonly state_seconds: Readonly<Record<string, number>>;
  }[];
}

/** Statuses that are an end: those of the specification and those seen on live services. */
const ends = new Set(['finished', 'skipped', 'failed', 'error', 'cancelled']);

/** What the truth speaks of: every series of these is compared, the metrics beside them are not. */
const compared = new Set([
  'dbpm_project_cpu_used_seconds_total',
  'dbpm_project_cpu_used_reported_seconds',
  'dbpm_operations_total',
  'dbpm_operations_in_progress',
  'dbpm_operation_attempt_failures_total',
  'dbpm_endpoint_starts_total',
  'dbpm_endpoint_suspends_total',
  'dbpm_endpoint_state_seconds_total',
]);

/**
 * Every series that differs from the simulator's own count, one line each, both ways: what is missing or wrong, and
 * what is shown though there is no such thing, as of a deleted project. A series at 0 is as good as none. States are
 * compared with a tolerance, since the one an endpoint is in goes on while the exporter waits for its next reading.
 */
export function differences(
  truth: Truth,
  samples: readonly Sample[],
  stateToleranceSeconds: number,
): string[] {
  const expected = new Map<string, number>();
  const expectGrowth = (amount: number, name: string, labels: readonly string[]) => {
    const series = [name, ...labels].join(' ');
    expected.set(series, (expected.get(series) ?? 0) + amount);
  };
  for (const project of truth.projects) if (!project.deleted) expectProject(project, expectGrowth);
  const found = new Map(
    samples.filter(({ name }) => compared.has(name)).map(sample => [seriesOf(sample), sample.value]),
  );
  const lines: string[] = [];
  for (const series of new Set([...expected.keys(), ...found.keys()])) {
    const [shown, right] = [found.get(series) ?? 0, expected.get(series) ?? 0];
    const isState = series.startsWith('dbpm_endpoint_state_seconds_total');
    const tolerance = isState ? stateToleranceSeconds : 0;
    if (Math.abs(shown - right) > tolerance) lines.push(`${series}: ${shown} instead of ${right}`);
  }
  return lines;
}

function expectProject(
  { project_id, cpu_used_sec, cpu_used_sec_ever, operations, endpoints }: TrueProject,
  expectGrowth: (amount: number, name: string, labels: readonly string[]) => void,
): void {
  expectGrowth(cpu_used_sec_ever, 'dbpm_project_cpu_used_seconds_total', [project_id]);
  expectGrowth(cpu_used_sec, 'dbpm_project_cpu_used_reported_seconds', [project_id]);
  for (const { action, status, count, failures_count } of operations) {
    const name = ends.has(status) ? 'dbpm_operations_total' : 'dbpm_operations_in_progress';
    expectGrowth(count, name, [project_id, action, status]);
    expectGrowth(failures_count, 'dbpm_operation_attempt_failures_total', [project_id, action]);
  }
  for (const { endpoint_id, deleted, starts, suspends, state_seconds } of endpoints) {
    if (deleted) continue;
    expectGrowth(starts, 'dbpm_endpoint_starts_total', [project_id, endpoint_id]);
    expectGrowth(suspends, 'dbpm_endpoint_suspends_total', [project_id, endpoint_id]);
    for (const [state, seconds] of Object.entries(state_seconds)) {
      expectGrowth(seconds, 'dbpm_endpoint_state_seconds_total', [project_id, endpoint_id, state]);
    }
  }
}

/** How many operations of each action came to an end, over projects. */
export function endedByAction(projects: readonly TrueProject[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { operations } of projects) {
    for (const { action, status, count } of operations) {
      if (ends.has(status)) counts.set(action, (counts.get(action) ?? 0) + count);
    }
  }
  return counts;
}

/** Names a series by its metric and the values of its labels, in the order of the exposition, without the account. */
function seriesOf({ name, labels }: Sample): string {
  const order = ['project_id', 'endpoint_id', 'action', 'status', 'state'];
  const values = order.map(label => labels[label]).filter(value => value !== undefined);
  return [name, ...values].join(' ');
}
