import { expect, test } from 'vitest';
import { findSprawl, reviewBranches } from '../../../src/cost/finding/branch-review.ts';
import type { BranchUse } from '../../../src/resources/branch.ts';
import { dayMs } from '../../../src/resources/duration.ts';
import { usualFindingRules } from '../../../src/resources/finding-rule.ts';

const listedAt = Date.parse('2026-11-01T00:00:00Z');
const ago = (days: number) => listedAt - days * dayMs;

function branch(name: string, unusedDays: number | undefined, more: Partial<BranchUse> = {}): BranchUse {
  return {
    branch_id: `br-${name}`,
    branch_name: name,
    created_at: ago(60),
    logical_size: 10,
    isNeverUsed: false,
    ...(unusedDays !== undefined && { unusedSinceAt: ago(unusedDays) }),
    ...more,
  };
}

const find = (...branches: readonly BranchUse[]) =>
  findSprawl({ project_ref: 1, listedAt, branches }, usualFindingRules);

test('branches are forgotten once they have expired, or nobody used them for two weeks', () => {
  const found = find(
    branch('used', 1),
    branch('nearly', 13.9),
    branch('unknown', undefined),
    branch('idle', 14),
    branch('never', 40, { isNeverUsed: true, created_at: ago(40) }),
    branch('expired', 2, { expires_at: listedAt }),
    branch('to expire', 2, { expires_at: listedAt + 1 }),
  );
  expect(found?.unused.map(({ branch_name }) => branch_name)).toEqual(['never', 'idle', 'expired']);
  expect(found?.storedShare).toBe(3 / 7);
  expect(found?.evidence).toBe(
    '3 of its 7 branches besides the root look forgotten: 1 expired, 1 never used, 1 not used for 14 days or more. The oldest of them is of 2026-09-02. Unused for longest: "never", "idle", "expired".',
  );
});

test('a few of them are none, and their storage is known where all are, or all sizes', () => {
  expect(find(branch('a', 30), branch('b', 30))).toBeUndefined();
  const three = ['a', 'b', 'c'].map(name => branch(name, 30));
  const sizeless: BranchUse = { branch_id: 'br-d', isNeverUsed: true, unusedSinceAt: ago(20) };
  expect(find(...three, sizeless)).toMatchObject({ storedShare: 1 });
  expect(find(...three, { ...sizeless, unusedSinceAt: ago(1) })).not.toHaveProperty('storedShare');
  const none = { ...usualFindingRules, leastUnusedBranches: 0 };
  expect(findSprawl({ project_ref: 1, listedAt, branches: [branch('a', 1)] }, none)).toBeUndefined();
});

test('three names are told, long ones cut, and a branch without one by its id', () => {
  const long = '🦆'.repeat(41);
  const found = find(branch('a', 30), branch('b', 31), branch(long, 32), {
    branch_id: 'br-x',
    isNeverUsed: false,
    unusedSinceAt: ago(33),
  });
  expect(found?.evidence).toMatch(/Unused for longest: "br-x", "🦆{39}…", "b"\.$/u);
});

test('what is ignored is no finding, and without prices none has money', () => {
  const projects = ['shop', 'blog'].map((project_id, index) => ({
    ...{ project_ref: index + 1, account: 'main', project_id },
  }));
  const branches = projects.map(({ project_ref }) => ({
    ...{ project_ref, listedAt },
    branches: ['a', 'b', 'c'].map(name => branch(name, 30)),
  }));
  const rules = {
    ...usualFindingRules,
    ignored: [{ projects: ['blog'], kinds: ['branch_sprawl' as const] }],
  };
  const { found, leftOut } = reviewBranches({ projects, branches, rules, at: listedAt });
  expect(leftOut).toBe(0);
  expect(found).toHaveLength(1);
  expect(found[0]).not.toHaveProperty('money');
  expect(found[0]?.finding).toMatchObject({
    kind: 'branch_sprawl',
    project_id: 'shop',
    unusedBranches: 3,
  });
});
