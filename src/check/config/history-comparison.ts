import type { Config } from '../../config/config.ts';
import { placeOf } from '../../config/effective-setting.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { type Problem, quoteValue } from '../../config/problem.ts';
import { readKnownProjects } from '../../history/fleet/known-project.ts';
import { type Grouping, ownerOf } from '../../resources/grouping.ts';
import type { Dated } from '../../resources/price-book.ts';
import { type MatchedProject, matchesProject } from '../../resources/project-match.ts';
import type { SpendingBudget } from '../../resources/spending-budget.ts';
import { findAccountFleets } from '../plan/account-fleet.ts';
import { planAccount } from '../plan/account-plan.ts';
import { renderCount } from '../plan/format/count.ts';
import { describeLateness, renderRemedy } from '../plan/format/verdict.ts';
import { usualPageSize } from '../plan/request.ts';

/**
 * Warnings of a configuration that only the projects its history knows can give: request budgets too small for them, and
 * groups, plans and budgets that are for none of them.
 *
 * @throws HistoryError when there is a history that cannot be read.
 */
export function compareWithHistory(loaded: Omit<LoadedConfig, 'warnings'>): Problem[] {
  return [...warnOfSmallBudgets(loaded), ...warnOfUnmatched(loaded)];
}

/** Warns of accounts whose request budget is too small for the projects the history knows of them. */
function warnOfSmallBudgets({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  return findAccountFleets(config, {}).found.flatMap(({ account, fleet }) => {
    const planned = planAccount(account, fleet, config, usualPageSize, config.shard?.count);
    const late = describeLateness(planned);
    if (late === undefined) return [];
    const index = config.accounts.findIndex(({ name }) => name === account.name);
    const key = `accounts[${index}].requests_per_minute`;
    return {
      where: placeOf(key, effective),
      key,
      found: `${account.requestsPerMinute}, too few for ${renderCount(fleet.projects)} projects: ${late}`,
      expected: `write ${renderRemedy(planned)}`,
    };
  });
}

/** A plan, a group or a budget: it has a matcher that projects fall under. */
interface Matcher {
  readonly key: string;
  readonly title: string;
  readonly matches: (project: MatchedProject) => boolean;
  /** Whether it gets the project: it matches, and no other before it does. */
  readonly owns: (project: MatchedProject) => boolean;
}

/** Warns of groups, plans and budgets that get none of the projects the history knows, often for a slip in a name. */
function warnOfUnmatched({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const matchers = listMatchers(config);
  if (matchers.length === 0) return [];
  const projects = readKnownProjects(config.history.file);
  if (projects.length === 0) return [];
  return matchers.flatMap(({ key, title, matches, owns }) => {
    if (projects.some(owns)) return [];
    const where = placeOf(key, effective);
    const what = projects.some(matches)
      ? { found: `${title}, whose projects all fall under others before it`, expected: takenAdvice }
      : {
          found: `${title}, which is for none of the projects in ${config.history.file}`,
          expected: idleAdvice,
        };
    return [{ where, key, ...what }];
  });
}

const takenAdvice = 'put it before them, as the first that matches a project gets it';
const idleAdvice = 'compare its names with those of the projects, unless they are still to come';

function listMatchers({ pricing, groupings, budgets }: Config): readonly Matcher[] {
  const groupsOf = rememberGroups(groupings);
  const plans = pricing?.plans ?? [];
  return [
    ...plans.map((plan, index) => {
      const matches = (project: MatchedProject) => matchesProject(plan.match, project, groupsOf);
      const before = plans.slice(0, index).filter(each => holdsThroughout(each, plan));
      const owns = (project: MatchedProject) =>
        matches(project) && !before.some(({ match }) => matchesProject(match, project, groupsOf));
      return { key: `pricing.plans[${index}]`, title: `plan ${quoteValue(plan.name)}`, matches, owns };
    }),
    ...groupings.flatMap(({ name: grouping, groups }) =>
      groups.map(({ name, match }) => ({
        key: `groups.${grouping}.${name}`,
        title: `group ${quoteValue(name)}`,
        matches: (project: MatchedProject) => matchesProject(match, project),
        owns: (project: MatchedProject) => groupsOf(project).includes(`${grouping}/${name}`),
      })),
    ),
    ...budgets.map(({ name, scope }, index) => {
      const matches = (project: MatchedProject) => isWithin(scope, project, groupsOf);
      return { key: `budgets[${index}]`, title: `budget ${quoteValue(name)}`, matches, owns: matches };
    }),
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

/** Finds the groups of a project, as `team/platform`, one of each grouping at most; each project is looked up once. */
function rememberGroups(groupings: readonly Grouping[]): (project: MatchedProject) => readonly string[] {
  const known = new Map<MatchedProject, readonly string[]>();
  return project => {
    const found = known.get(project) ?? findGroups(groupings, project);
    known.set(project, found);
    return found;
  };
}

function findGroups(groupings: readonly Grouping[], project: MatchedProject): readonly string[] {
  return groupings.flatMap(({ name, groups, by }) => {
    const group = groups.find(({ match }) => matchesProject(match, project))?.name;
    const own = by === undefined ? group : ownerOf(project, by);
    return own === undefined ? [] : [`${name}/${own}`];
  });
}

/** Whether something holds in all of the time in which another one does. */
function holdsThroughout(one: Dated, other: Dated): boolean {
  const { NEGATIVE_INFINITY: ever, POSITIVE_INFINITY: forGood } = Number;
  return (
    (one.fromAt ?? ever) <= (other.fromAt ?? ever) && (one.untilAt ?? forGood) >= (other.untilAt ?? forGood)
  );
}
