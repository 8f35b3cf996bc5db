import { Failure } from '../../resources/failure.ts';
import { ungrouped } from '../../resources/grouping.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportRequest } from '../request.ts';

/**
 * The groups that get a page: the one that was asked for, or all that have projects.
 *
 * @throws Failure when no project belongs to whose the page was asked for.
 */
export function listPageGroups(
  { config, grouping, group }: ReportRequest,
  groupOf: (project: UsageProject) => string,
  projects: readonly UsageProject[],
): readonly string[] {
  const configured = config.groupings.find(({ name }) => name === grouping);
  const found = new Set(projects.map(groupOf));
  const isFixed = configured?.by === undefined;
  const named = isFixed ? (configured?.groups.map(({ name }) => name) ?? []) : [...found].toSorted();
  const names = [...new Set([...named, ungrouped])];
  if (group === undefined) return names.filter(name => found.has(name));
  if (names.includes(group)) return [group];
  throw new Failure(`--group: no project of the period belongs to "${group}"`, 'usage');
}
