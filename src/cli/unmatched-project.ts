import type { Config } from '../config/config.ts';
import { type Problem, quoteValue } from '../config/problem.ts';
import { readKnownProjects } from '../history/known-project.ts';
import type { Grouping } from '../resources/grouping.ts';
import { type MatchedProject, matchesProject } from '../resources/project-match.ts';
import type { SpendingBudget } from '../resources/spending-budget.ts';
import type { LoadedConfig } from './loaded-config.ts';

type Spending = Pick<Config, 'pricing' | 'groupings' | 'budgets'>;

/** A plan, a group or a budget, and whether a project is one of its own. */
interface Matcher {
  readonly key: string;
  readonly title: string;
  readonly matches: (project: MatchedProject) => boolean;
}

/** Warns of groups, plans and budgets that match none of the projects the history knows: often a slip in a name. */
export function warnOfUnmatched({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const matchers = listMatchers(config);
  if (matchers.length === 0) return [];
  const projects = readKnownProjects(config.history.file);
  if (projects.length === 0) return [];
  const idle = matchers.filter(({ matches }) => !projects.some(matches));
  return idle.map(({ key, title }) => ({
    where: effective.find(setting => setting.key === key)?.from ?? 'configuration',
    key,
    found: `${title}, which is for none of the projects in ${config.history.file}`,
    expected: 'compare its names with those of the projects, unless they are still to come',
  }));
}

function listMatchers({ pricing, groupings, budgets }: Spending): readonly Matcher[] {
  const groupsOf = (project: MatchedProject) => findGroups(groupings, project);
  return [
    ...(pricing?.plans ?? []).map(({ name, match }, index) => ({
      key: `pricing.plans[${index}]`,
      title: `plan ${quoteValue(name)}`,
      matches: (project: MatchedProject) => matchesProject(match, project, groupsOf),
    })),
    ...groupings.flatMap(({ name: grouping, groups }) =>
      groups.map(({ name, match }) => ({
        key: `groups.${grouping}.${name}`,
        title: `group ${quoteValue(name)}`,
        matches: (project: MatchedProject) => matchesProject(match, project),
      })),
    ),
    ...budgets.map(({ name, scope }, index) => ({
      key: `budgets[${index}]`,
      title: `budget ${quoteValue(name)}`,
      matches: (project: MatchedProject) => isWithin(scope, project, groupsOf),
    })),
  ];
}

function isWithin(
  scope: SpendingBudget['scope'],
  project: MatchedProject,
  groupsOf: (project: MatchedProject) => readonly string[],
): boolean {
  switch (scope.kind) {
    case 'account':
      return project.account === scope.account;
    case 'group':
      return groupsOf(project).includes(`${scope.grouping}/${scope.group}`);
    case 'projects':
      return matchesProject({ projects: scope.projects }, project);
  }
}

/** Of each grouping the group a project is in, as `team/platform`. */
function findGroups(groupings: readonly Grouping[], project: MatchedProject): readonly string[] {
  return groupings.flatMap(({ name, groups }) => {
    const own = groups.find(({ match }) => matchesProject(match, project));
    return own === undefined ? [] : [`${name}/${own.name}`];
  });
}
