import * as v from 'valibot';
import { type Grouping, isOfOwners, type OwnerAxis, ownerAxes, ungrouped } from '../resources/grouping.ts';
import type { ProjectMatch } from '../resources/project-match.ts';
import { readNode } from './node-reader.ts';
import type { Problem } from './problem.ts';
import { group, hasEntries, list, named, type Schema, single } from './schema.ts';
import { globs, groupName, reference } from './spending-schema.ts';
import { childOf, entriesOf, type WrittenNode } from './written-node.ts';

const conditions = {
  accounts: v.exactOptional(globs('write a list of accounts')),
  regions: v.exactOptional(globs('write a list of regions, where * stands for anything, such as "aws-*"')),
  platforms: v.exactOptional(globs('write a list of platforms')),
  projects: v.exactOptional(globs('write a list of names or ids of projects, where * stands for anything')),
  owners: v.exactOptional(globs('write a list of ids of owners, or ids or names of organisations')),
};

/**
 * The configured groups, right or wrong, as `team/platform`: what names one of them is not wrong too. `owner/*` stands for
 * groups by the owners of projects.
 */
export function listGroupNames(node: WrittenNode | undefined): readonly string[] {
  return entriesOf(node).flatMap(({ name, node: groups }) =>
    isByOwner(groups) ? [`${name}/*`] : entriesOf(groups).map(entry => `${name}/${entry.name}`),
  );
}

/** A group that is called `by` has conditions below it. */
function isByOwner(grouping: WrittenNode): boolean {
  return childOf(grouping, 'by')?.kind === 'value';
}

/** One of the configured groups. */
export function groupReference(names: readonly string[]): Schema<string> {
  return reference(names, 'configure it in groups', isOfOwners);
}

/** The conditions on projects, those on their groups included. */
export function projectConditions(names: readonly string[]) {
  const groups = list('write a list of groups, such as "team/platform"', groupReference(names));
  return { ...conditions, groups: v.exactOptional(groups) };
}

/** The projects a price plan is for. */
export function planMatch(names: readonly string[]): Schema<ProjectMatch> {
  return group(
    'write some of accounts, regions, platforms, projects, owners and groups, or leave match out',
    projectConditions(names),
    hasEntries,
  );
}

const groupMatch: Schema<ProjectMatch> = group(
  'write some of projects, regions, accounts, platforms and owners, each with a list',
  conditions,
  hasEntries,
);

const ownName = v.pipe(
  v.string(),
  v.check(name => name !== ungrouped, 'write another name: this one is of what no group matches'),
  groupName,
);

/** A grouping without its name. */
type GroupingBody = Omit<Grouping, 'name'>;

const byOwnerAdvice = `write one of ${ownerAxes.join(', ')}`;
const byOwner: Schema<GroupingBody> = v.pipe(
  group(byOwnerAdvice, { by: single(byOwnerAdvice, v.picklist(ownerAxes)) }),
  v.transform(({ by }: { readonly by: OwnerAxis }) => ({ groups: [], by })),
);

const configured: Schema<GroupingBody> = v.pipe(
  named('write names of groups, each with what it matches below it', ownName, groupMatch),
  v.transform(groups => ({ groups: groups.map(({ name, value: match }) => ({ name, match })) })),
);

const groupings = named(
  'write names of groupings such as "team:", each with its groups below it',
  groupName,
  v.lazy<Schema<GroupingBody>>(node => (isByOwner(node as WrittenNode) ? byOwner : configured)),
);

/** The section `groups`, after adding to `problems` what is wrong with it. */
export function readGroupings(node: WrittenNode | undefined, problems: Problem[]): readonly Grouping[] {
  const read = node === undefined || node.kind === 'nothing' ? [] : readNode(groupings, node, problems);
  return (read ?? []).map(({ name, value }) => ({ name, ...value }));
}
