import type { ListSource } from '../../api/list.ts';
import type { Account } from '../../config/config.ts';
import type { Collector } from '../../resources/collector.ts';
import { decodeProjectUsage, projectRoute } from '../../resources/project-usage.ts';
import type { ListedProjects, ToldUse } from './answers.ts';
import { ask } from './question.ts';

/**
 * Looks whether the list of projects tells how much compute they use, and else asks one of them. Throws the signal's reason.
 *
 * @returns undefined where the list tells it and is to tell it, or there is no project.
 */
export async function askUse(
  source: ListSource,
  { cpuSource = 'auto' }: Account,
  { watched }: ListedProjects,
  { collectors, signal }: { readonly collectors: readonly Collector[]; readonly signal: AbortSignal },
): Promise<ToldUse | undefined> {
  const [first] = watched;
  const isTold = watched.some(({ cpu_used_sec }) => cpu_used_sec !== undefined);
  if (first === undefined || (isTold && cpuSource !== 'project')) return undefined;
  if (cpuSource === 'list' || !collectors.some(each => each === 'endpoints' || each === 'operations')) {
    return { isTold };
  }
  const { project_id } = first;
  const ofProject = await ask(signal, async () => {
    const request = { route: projectRoute, params: { project_id }, priority: 'refresh', signal } as const;
    const { body } = await source.get(request);
    return decodeProjectUsage(body)?.compute_time_seconds !== undefined;
  });
  return { isTold, ofProject };
}

/** Whether the daemon would count compute from what each project tells. */
export function isToldByProject({ ofProject }: ToldUse): boolean {
  return ofProject !== undefined && 'value' in ofProject && ofProject.value;
}
