import * as v from 'valibot';
import { findingKinds, projectFindingKinds } from '../resources/finding.ts';
import type { IgnoredFinding } from '../resources/finding-rule.ts';
import { readNode } from './node-reader.ts';
import type { Problem } from './problem.ts';
import {
  group,
  hasEntries,
  isListOrNothing,
  items,
  list,
  type Placed,
  placed,
  problemCheck,
} from './schema.ts';
import { date, globs, renderDate } from './spending-schema.ts';
import { nodeProblem, type WrittenNode } from './written-node.ts';

const advice = 'write projects or kinds, each with a list, and until with a date if it is not for ever';
const kinds = [...findingKinds, ...projectFindingKinds];
const kindAdvice = `write some of ${kinds.join(', ')}`;

const entry = v.pipe(
  placed(
    group(
      advice,
      {
        projects: v.exactOptional(
          globs('write a list of names or ids of projects, where * stands for anything'),
        ),
        kinds: v.exactOptional(items(kindAdvice, v.picklist(kinds))),
        until: v.exactOptional(placed(date)),
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

interface FindingReading {
  readonly now: number;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** The list `findings.ignore`, after adding to `problems` what is wrong with it, and to `warnings` what is over. */
export function readIgnoredFindings(
  node: WrittenNode | undefined,
  { now, problems, warnings }: FindingReading,
): readonly IgnoredFinding[] {
  if (node === undefined) return [];
  const schema = list('write a list, each entry after a "- "', entry, isListOrNothing);
  const entries = readNode(schema, node, problems) ?? [];
  warnings.push(...entries.flatMap(({ until }) => warnOfEnd(until, now)));
  return entries.map(({ until, ...ignored }) => ({
    ...ignored,
    ...(until !== undefined && { untilAt: until.value }),
  }));
}

function warnOfEnd(until: Placed<number> | undefined, now: number): Problem[] {
  if (until === undefined || until.value > now) return [];
  const found = `${renderDate(until.value)}, which is over: these findings are shown again`;
  return [nodeProblem(until.node, found, 'leave the entry out, or write a later date')];
}
