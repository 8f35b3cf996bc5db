import type { BranchUse, ProjectBranches } from '../../resources/branch.ts';
import type { Found, PricedProjectFinding } from '../../resources/finding.ts';
import type { FindingRules } from '../../resources/finding-rule.ts';
import { minOf } from '../../resources/min-max.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { dateOf } from '../../resources/utc-date.ts';
import type { Amount } from '../money/money.ts';
import { type MeteredMonth, priceBranches } from './branch-saving.ts';
import { isIgnoredFor, isWorthShowing } from './finding-filter.ts';
import { sayDuration } from './phrase.ts';

interface ReviewedBranches {
  /** With what they cost in 30 days; without where nothing of it is metered, or has a price. */
  readonly found: readonly Found<PricedProjectFinding<Amount>>[];
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
  const found = sprawls.map(({ project, sprawl }, index): Found<PricedProjectFinding<Amount>> => {
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
        advice: 'Delete the ones that are not needed, and let branches of tests and previews expire.',
        ...(saving && { costPerMonth: saving.amount }),
      },
    };
  });
  const shown = found.filter(({ finding }) => isWorthShowing(rules, finding.costPerMonth));
  return { found: shown, leftOut: found.length - shown.length };
}

/** The branches of a project that are not used, and the expired ones. */
interface Sprawl {
  /** The one that was not used for longest first. */
  readonly unused: readonly BranchUse[];
  /**
   * Their part of what all branches besides the root store, 0 to 1: by their size where others are used, which write more.
   * Absent where sizes are not told.
   */
  readonly storedShare?: number;
  /** How many, of how many, and which. */
  readonly evidence: string;
}

type SprawlRules = Pick<FindingRules, 'unusedBranchAfterMs' | 'leastUnusedBranches'>;

/** Names that are told, and how much of each. */
const mostNames = 3;
const longestName = 40;

/** Looks for branches without use: expired, or not used for long; undefined where they are too few. */
export function findSprawl(
  { branches, listedAt }: ProjectBranches,
  { unusedBranchAfterMs, leastUnusedBranches }: SprawlRules,
): Sprawl | undefined {
  const isExpired = ({ expires_at }: BranchUse) => expires_at !== undefined && expires_at <= listedAt;
  const isIdle = ({ unusedSinceAt }: BranchUse) =>
    unusedSinceAt !== undefined && listedAt - unusedSinceAt >= unusedBranchAfterMs;
  const unused = branches
    .filter(branch => isExpired(branch) || isIdle(branch))
    .sort((one, other) => sinceOf(one, listedAt) - sinceOf(other, listedAt));
  if (unused.length === 0 || unused.length < leastUnusedBranches) return undefined;
  const expired = unused.filter(isExpired).length;
  const neverUsed = unused.filter(branch => !isExpired(branch) && branch.isNeverUsed).length;
  const kinds = [
    [expired, 'expired'],
    [neverUsed, 'never used'],
    [unused.length - expired - neverUsed, `not used for ${sayDuration(unusedBranchAfterMs)} or more`],
  ] as const;
  const counts = kinds.filter(([count]) => count > 0).map(([count, kind]) => `${count} ${kind}`);
  const storedShare = shareOfStored(unused, branches);
  return {
    unused,
    ...(storedShare !== undefined && { storedShare }),
    evidence:
      `${unused.length} of its ${branches.length} branches besides the root ${unused.length === 1 ? 'looks' : 'look'} forgotten: ${counts.join(', ')}.` +
      `${sayOldest(unused)} Unused for longest: ${sayNames(unused)}.`,
  };
}

function sinceOf({ unusedSinceAt, created_at }: BranchUse, listedAt: number): number {
  return unusedSinceAt ?? created_at ?? listedAt;
}

function shareOfStored(unused: readonly BranchUse[], all: readonly BranchUse[]): number | undefined {
  if (unused.length === all.length) return 1;
  if (all.some(({ logical_size }) => logical_size === undefined)) return undefined;
  const sizeOf = (branches: readonly BranchUse[]) =>
    branches.reduce((sum, { logical_size = 0 }) => sum + logical_size, 0);
  return sizeOf(unused) / Math.max(1, sizeOf(all));
}

function sayOldest(unused: readonly BranchUse[]): string {
  const createdAt = minOf(unused.map(({ created_at = Number.POSITIVE_INFINITY }) => created_at));
  return Number.isFinite(createdAt) ? ` The oldest of them is of ${dateOf(createdAt)}.` : '';
}

/** Names are what users made them: they are escaped where they are shown. */
function sayNames(unused: readonly BranchUse[]): string {
  const names = unused.slice(0, mostNames).map(({ branch_name, branch_id }) => {
    const characters = [...(branch_name ?? branch_id)];
    if (characters.length <= longestName) return `"${characters.join('')}"`;
    return `"${characters.slice(0, longestName - 1).join('')}…"`;
  });
  return names.join(', ');
}
