import type { Project } from '../../resources/project.ts';
import type { StoredProject } from '../view/stored-project.ts';

/** Lively columns, which change all the time while the others hardly ever do; of those that only later versions of the service send. */
export const laterLivelyColumns = [
  'active_time',
  'synthetic_storage_size',
  'compute_last_active_at',
] as const;
const livelyColumns = ['cpu_used_sec', 'updated_at', ...laterLivelyColumns] as const;
type LivelyColumn = (typeof livelyColumns)[number];

type RecordedProject = StoredProject['project'];

/** The difference between a project as it is listed and as it is recorded. */
type Difference = 'none' | 'lively' | 'any';

/** Compares what either has: to look for the many later fields that mostly neither has would take most of the time. */
export function compare(listed: Project, recorded: RecordedProject): Difference {
  let difference: Difference = 'none';
  let fields = 0;
  for (const name in listed) {
    const field = name as keyof Project;
    // The names of lost fields were counted, and are nothing that is known of the project.
    if (field === 'lostFields') continue;
    fields += 1;
    if (listed[field] === recorded[field]) continue;
    if (recorded[field] === undefined || !livelyColumns.some(column => column === field)) return 'any';
    difference = 'lively';
  }
  return fields === Object.keys(recorded).length ? difference : 'any';
}

/** The recorded project with the lively columns of the list: its texts are shared already, and those of the list need not be kept. */
export function withLively(recorded: RecordedProject, listed: Project): RecordedProject {
  const lively: Partial<Record<LivelyColumn, number>> = {};
  for (const column of livelyColumns) if (listed[column] !== undefined) lively[column] = listed[column];
  return { ...recorded, ...lively };
}
