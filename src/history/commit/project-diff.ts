import { namesOf } from '../../resources/declared-field.ts';
import { type Project, projectItem } from '../../resources/project.ts';
import type { CpuSource } from '../../resources/project-usage.ts';
import type { StoredProject } from '../snapshot/stored-project.ts';

/** Whether the counter needs more than what is known, though the list shows nothing new. */
export function isToCount(
  { cpu_used_sec }: Project,
  { cpu, usageReadAt }: StoredProject,
  cpuSource: CpuSource,
): boolean {
  if (cpu_used_sec === undefined) return false;
  if (usageReadAt !== undefined) return cpuSource !== 'project';
  return cpu_used_sec !== cpu?.lastSec || cpu.doubt?.held !== undefined;
}

/** Fields that change all the time while the others hardly ever do. */
const lively = namesOf(projectItem.fields, ({ moves }) => moves === 'often');
/** The others of them are written by the counter. */
export const laterLively = namesOf(projectItem.fields, ({ moves, isLater }) => moves === 'often' && isLater);

/** The difference between a project as it is listed and as it is known. */
type Difference = 'none' | 'lively' | 'any';

/** Looks at what either has: to look for the many later fields that mostly neither has would take most of the time. */
export function diff(listed: Project, known: StoredProject['project']): Difference {
  let difference: Difference = 'none';
  let fields = 0;
  for (const name in listed) {
    const field = name as keyof Project;
    // The names of lost fields were counted, and are nothing that is known of the project.
    if (field === 'lostFields') continue;
    fields += 1;
    if (listed[field] === known[field]) continue;
    if (known[field] === undefined || !lively.includes(name as keyof typeof projectItem.fields)) return 'any';
    difference = 'lively';
  }
  return fields === Object.keys(known).length ? difference : 'any';
}

/** The known project with the lively columns of the list: its texts are shared already, and those of the list need not be kept. */
export function withLively(known: StoredProject['project'], listed: Project): StoredProject['project'] {
  const moved: Record<string, unknown> = {};
  for (const name of lively) if (listed[name] !== undefined) moved[name] = listed[name];
  return { ...known, ...moved };
}
