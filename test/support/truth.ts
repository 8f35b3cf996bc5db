import { type Sample, sampleValue } from './exposition-reader.ts';

/** What `GET /_sim/truth` answers, as far as the counters need it. */
export interface Truth {
  readonly projects: readonly {
    readonly project_id: string;
    readonly deleted: boolean;
    readonly cpu_used_sec_ever: number;
    readonly operations: readonly {
      readonly action: string;
      readonly status: string;
      readonly count: number;
    }[];
    readonly endpoints: readonly {
      readonly endpoint_id: string;
      readonly deleted: boolean;
      readonly starts: number;
      readonly suspends: number;
      readonly state_seconds: Readonly<Record<string, number>>;
    }[];
  }[];
}

const ends = new Set(['finished', 'failed']);

/**
 * Every counter that differs from the simulator's own count, one line each. States are compared with a tolerance,
 * since the one an endpoint is in goes on while the exporter waits for its next reading.
 */
export function differences(
  truth: Truth,
  samples: readonly Sample[],
  stateToleranceSeconds: number,
): string[] {
  const lines: string[] = [];
  const expectValue = (expected: number, name: string, labels: Record<string, string>, tolerance = 0) => {
    const found = sampleValue(samples, name, labels);
    if (found === undefined || Math.abs(found - expected) > tolerance) {
      lines.push(`${name} ${Object.values(labels).join(' ')}: ${found} instead of ${expected}`);
    }
  };
  for (const { project_id, deleted, cpu_used_sec_ever, operations, endpoints } of truth.projects) {
    if (deleted) continue;
    expectValue(cpu_used_sec_ever, 'dbpm_project_cpu_used_seconds_total', { project_id });
    for (const { action, status, count } of operations) {
      if (ends.has(status)) expectValue(count, 'dbpm_operations_total', { project_id, action, status });
      else expectValue(count, 'dbpm_operations_in_progress', { project_id, action, status });
    }
    for (const endpoint of endpoints) {
      if (endpoint.deleted) continue;
      const labels = { project_id, endpoint_id: endpoint.endpoint_id };
      expectValue(endpoint.starts, 'dbpm_endpoint_starts_total', labels);
      expectValue(endpoint.suspends, 'dbpm_endpoint_suspends_total', labels);
      for (const [state, seconds] of Object.entries(endpoint.state_seconds)) {
        const name = 'dbpm_endpoint_state_seconds_total';
        if (seconds > 0) expectValue(seconds, name, { ...labels, state }, stateToleranceSeconds);
      }
    }
  }
  return lines;
}
