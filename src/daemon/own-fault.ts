import type { Collector } from '../resources/collector.ts';
import type { FailedReading, Reading } from '../resources/reading.ts';

/**
 * The failures to record for a reading that the history did not take: none where the disk or the database refused it,
 * which its error names by a code, and for a failure itself.
 */
export function listOwnFaults(reading: Reading, error: unknown): readonly FailedReading[] {
  const isRefused = error instanceof Error && 'code' in error && error.code !== undefined;
  if (isRefused || reading.kind === 'failure') return [];
  const { account, readAt, durationMs } = reading;
  const moment = { account, readAt, servedAt: readAt, durationMs };
  const project = 'project_id' in reading ? { project_id: reading.project_id } : {};
  return collectorsOf(reading).map(collector => ({
    kind: 'failure',
    collector,
    reason: 'internal',
    ...moment,
    ...project,
    ...(reading.kind === 'project_usage' && { ofUse: true }),
  }));
}

function collectorsOf(reading: Exclude<Reading, FailedReading>): readonly Collector[] {
  switch (reading.kind) {
    case 'project':
      return (['endpoints', 'operations'] as const).filter(collector => reading[collector] !== undefined);
    case 'operation_import':
      return ['operations'];
    case 'api_keys':
      return ['api_keys'];
    case 'branches':
      return ['branches'];
    case 'consumption':
    case 'consumption_refused':
      return ['consumption'];
    default:
      return ['projects'];
  }
}
