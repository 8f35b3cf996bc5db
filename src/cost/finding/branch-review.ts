import type { ProjectBranches } from '../../resources/branch-use.ts';
import type { BranchFinding, Saving } from '../../resources/finding.ts';
import type { FindingRules } from '../../resources/finding-rule.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Amount } from '../money/money.ts';
import { type MeteredMonth, priceBranches } from './branch-saving.ts';
import { findSprawl } from './branch-sprawl.ts';
import { isIgnoredFor, isWorthShowing } from './finding-filter.ts';

/** Unused branches of a project, with what they cost in 30 days. */
export interface FoundBranches {
  readonly project: UsageProject;
  readonly finding: BranchFinding;
  /** In the display currency; absent where nothing of it is metered, or has a price. */
  readonly money?: Saving<Amount>;
}

export interface ReviewedBranches {
  readonly found: readonly FoundBranches[];
  /** How many are left out for the little money they save. */
  readonly leftOut: number;
}

interface BranchReview {
  readonly projects: readonly UsageProject[];
  readonly branches: readonly ProjectBranches[];
  readonly rules: FindingRules;
  /** Epoch milliseconds: what is ignored until then is seen again. */
  readonly at: number;
  /** Absent where there are no prices. */
  readonly month?: MeteredMonth | undefined;
}

/** Looks for projects with many unused branches, and prices these where the meter and the prices allow it. */
export function reviewBranches({ projects, branches, rules, at, month }: BranchReview): ReviewedBranches {
  const byRef = new Map(projects.map(project => [project.project_ref, project]));
  const sprawls = branches.flatMap(each => {
    const project = byRef.get(each.project_ref);
    if (project === undefined || isIgnoredFor(rules, project, at)('branch_sprawl')) return [];
    const sprawl = findSprawl(each, rules);
    return sprawl === undefined ? [] : [{ project, sprawl }];
  });
  const spare = sprawls.map(({ project, sprawl: { unused, storedShare } }) => ({
    project_ref: project.project_ref,
    count: unused.length,
    ...(storedShare !== undefined && { storedShare }),
  }));
  const savings = month === undefined ? [] : priceBranches(month, spare);
  const found = sprawls.map(({ project, sprawl }, index): FoundBranches => {
    const saving = savings[index];
    const { quantities = [] } = saving ?? {};
    const metered =
      quantities.length === 0 ? '' : ` In the last 30 days that was ${quantities.join(' and ')}.`;
    const { account, project_id, project_name } = project;
    return {
      project,
      finding: {
        kind: 'branch_sprawl',
        ...{ account, project_id, ...(project_name !== undefined && { project_name }) },
        unusedBranches: sprawl.unused.length,
        evidence: `${sprawl.evidence}${metered}`,
        advice: 'Delete those that nobody needs, and let branches of tests and previews expire.',
      },
      ...(saving && { money: saving.amount }),
    };
  });
  const shown = found.filter(({ money }) => isWorthShowing(rules, money));
  return { found: shown, leftOut: found.length - shown.length };
}
