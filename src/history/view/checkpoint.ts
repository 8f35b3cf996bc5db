import type { EndpointView } from '../../resources/endpoint.ts';
import type { PollCheckpoint } from '../../resources/reading.ts';
import type { StoredProject } from './stored-project.ts';

/** The checkpoint that the next poll of a project continues from. */
export function checkpointOf({
  project,
  endpoints,
  progress,
  openIds,
  usageReadAt,
}: StoredProject): PollCheckpoint {
  const busy = openIds.length > 0 || endpoints.some(isAwake);
  const usage = usageReadAt === undefined ? {} : { usageReadAt };
  return { project_id: project.project_id, busy, known: { ...progress, openIds }, ...usage };
}

function isAwake({ current_state, pending_state }: EndpointView): boolean {
  return pending_state !== undefined || (current_state !== 'idle' && current_state !== 'stopped');
}
