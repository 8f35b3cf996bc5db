import { type Group, type Grouping, ungrouped } from '../resources/grouping.ts';
import type { ProjectMatch } from '../resources/project-match.ts';
import { findNearestWord } from './nearest-word.ts';
import { adviseOn, group, list, type NodeKind, named, single } from './node-kind.ts';
import type { Problem } from './problem.ts';
import { checkGroupName, globs } from './spending-kind.ts';
import type { WrittenNode } from './written-node.ts';

const conditions = {
  accounts: globs('write a list of accounts'),
  regions: globs('write a list of regions, where * stands for anything, such as "aws-*"'),
  platforms: globs('write a list of platforms'),
  projects: globs('write a list of names or ids of projects, where * stands for anything'),
};

/** The groups somebody configured, right or wrong, as `team/platform`: what names one of them is not wrong too. */
export function listGroupNames(node: WrittenNode | undefined): readonly string[] {
  if (node?.kind !== 'group') return [];
  return node.entries.flatMap(({ name, node: groups }) =>
    groups.kind === 'group' ? groups.entries.map(entry => `${name}/${entry.name}`) : [],
  );
}

/** One of the configured groups. */
export function groupReference(names: readonly string[]): NodeKind<string> {
  const advice = adviseOn(names, 'configure it in groups');
  return single(advice, text => {
    if (names.includes(text)) return { value: text };
    const nearest = findNearestWord(text.slice(0, 100), names);
    return { expected: nearest === undefined ? advice : `write ${nearest}` };
  });
}

/** Which projects a price plan is for. */
export function planMatch(names: readonly string[]): NodeKind<ProjectMatch> {
  return matchKind('write some of accounts, regions, platforms, projects and groups, or leave match out', {
    ...conditions,
    groups: list('write a list of groups, such as "team/platform"', groupReference(names)),
  });
}

function matchKind(
  expected: string,
  fields: Readonly<Record<string, NodeKind<readonly string[]>>>,
): NodeKind<ProjectMatch> {
  const kind = group(expected, {}, fields);
  return {
    expected,
    read: (node, problems) => {
      const isEmpty = node.kind === 'group' && node.entries.length === 0;
      return kind.read(isEmpty ? { ...node, kind: 'nothing' } : node, problems);
    },
  };
}

const groupMatch = matchKind(
  'write some of projects, regions, accounts and platforms, each with a list',
  conditions,
);

function checkName(name: string): string | undefined {
  if (name === ungrouped) return 'write another name: this one is of what no group matches';
  return checkGroupName(name);
}

const groupings = named(
  'write names of groupings such as "team:", each with its groups below it',
  checkGroupName,
  named('write names of groups, each with what it matches below it', checkName, groupMatch),
);

/** The section `groups`, after adding to `problems` what is wrong with it. */
export function readGroupings(node: WrittenNode | undefined, problems: Problem[]): readonly Grouping[] {
  if (node === undefined || node.kind === 'nothing') return [];
  const read = groupings.read(node, problems) ?? [];
  return read.map(({ name, value }) => ({
    name,
    groups: value.map((each): Group => ({ name: each.name, match: each.value })),
  }));
}
