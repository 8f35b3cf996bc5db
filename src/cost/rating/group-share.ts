import { type Grouping, ownerOf, ungrouped } from '../../resources/grouping.ts';
import { type MatchedProject, matchesProject } from '../../resources/project-match.ts';
import type { CostLine } from './cost-line.ts';

/** Finds the groups of projects; each project is looked up once. */
export interface GroupShare {
  /** The first group of a grouping that matches, or `ungrouped`. */
  groupOf(grouping: string, project: MatchedProject): string;
  /** One of each grouping, as `team/platform`. */
  groupsOf(project: MatchedProject): readonly string[];
  /** The group that the cost of a line goes to: a line without a project is `ungrouped`. */
  groupOfLine(grouping: string, line: CostLine): string;
}

/** @param groupings in the order of the configuration. */
export function shareByGroup(groupings: readonly Grouping[]): GroupShare {
  const known = new WeakMap<MatchedProject, ReadonlyMap<string, string>>();
  const groupByGrouping = (project: MatchedProject) => {
    const found = known.get(project) ?? findGroups(groupings, project);
    known.set(project, found);
    return found;
  };
  const groupOf = (grouping: string, project: MatchedProject) =>
    groupByGrouping(project).get(grouping) ?? ungrouped;
  return {
    groupOf,
    groupsOf: project => [...groupByGrouping(project)].map(groupPath),
    groupOfLine: (grouping, { project }) => (project === undefined ? ungrouped : groupOf(grouping, project)),
  };
}

/** A group may ask for groups of the groupings before its own, so that none waits for itself. */
function findGroups(groupings: readonly Grouping[], project: MatchedProject): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, groups, by } of groupings) {
    const earlier = [...found].map(groupPath);
    const group = groups.find(({ match }) => matchesProject(match, project, () => earlier));
    found.set(name, (by === undefined ? group?.name : ownerOf(project, by)) ?? ungrouped);
  }
  return found;
}

function groupPath([grouping, group]: readonly [string, string]): string {
  return `${grouping}/${group}`;
}
