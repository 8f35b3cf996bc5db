import * as v from 'valibot';
import { findingKinds } from '../resources/finding.ts';
import type { IgnoredFinding } from '../resources/finding-rule.ts';
import { readNode } from './node-reader.ts';
import type { Problem } from './problem.ts';
import { group, hasEntries, isListOrNothing, items, list, placed, problemCheck } from './schema.ts';
import { date, globs } from './spending-schema.ts';
import { nodeProblem, type WrittenNode } from './written-node.ts';

const advice = 'write projects or kinds, each with a list, and until with a date if it is not for ever';
const kindAdvice = `write some of ${findingKinds.join(', ')}`;

const entry = v.pipe(
  placed(
    group(
      advice,
      {
        projects: v.exactOptional(
          globs('write a list of names or ids of projects, where * stands for anything'),
        ),
        kinds: v.exactOptional(items(kindAdvice, v.picklist(findingKinds))),
        until: v.exactOptional(date),
      },
      hasEntries,
    ),
  ),
  problemCheck(({ node, value: { projects, kinds } }) =>
    projects === undefined && kinds === undefined
      ? [nodeProblem(node, 'neither projects nor kinds', 'write which findings to ignore')]
      : [],
  ),
  v.transform(({ value }) => value),
);

/** The list `findings.ignore`, after adding to `problems` what is wrong with it. */
export function readIgnoredFindings(
  node: WrittenNode | undefined,
  problems: Problem[],
): readonly IgnoredFinding[] {
  if (node === undefined) return [];
  const schema = list('write a list, each entry after a "- "', entry, isListOrNothing);
  return (readNode(schema, node, problems) ?? []).map(({ until, ...ignored }) => ({
    ...ignored,
    ...(until !== undefined && { untilAt: until }),
  }));
}
