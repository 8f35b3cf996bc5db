import type { EndpointView } from '../../resources/endpoint.ts';
import type { PollCheckpoint } from '../../resources/reading.ts';
import type { StoredProject } from './view-query.ts';

/** What the next reading of a project goes by. */
export function checkpointOf({ project, endpoints, progress, openIds }: StoredProject): PollCheckpoint {
  const busy = openIds.length > 0 || endpoints.some(isAwake);
  return { project_id: project.project_id, busy, known: { ...progress, openIds } };
}

function isAwake({ current_state, pending_state }: EndpointView): boolean {
  return pending_state !== undefined || (current_state !== 'idle' && current_state !== 'stopped');
}
