import * as v from 'valibot';
import type { AcceptedGap } from '../resources/price-book.ts';
import { projectConditions } from './grouping-reader.ts';
import {
  group,
  hasEntries,
  isListOrNothing,
  list,
  placed,
  problemCheck,
  type Schema,
  single,
} from './schema.ts';
import { date, globs } from './spending-schema.ts';
import { isOneLine } from './value-schema.ts';
import { nodeProblem } from './written-node.ts';

const advice =
  'write why, and some of plans, projects, accounts, regions, platforms, owners, groups, from and to';

const reason = single(
  'write the reason on one line, in at most 200 characters',
  v.pipe(v.string(), v.check(isOneLine), v.maxLength(200)),
);

/** The list `pricing.accepted_gaps`. */
export function acceptedGaps(groupNames: readonly string[]): Schema<AcceptedGap[]> {
  const fields = group(
    advice,
    {
      why: reason,
      plans: v.exactOptional(globs('write a list of names of plans')),
      from: v.exactOptional(date),
      to: v.exactOptional(date),
      ...projectConditions(groupNames),
    },
    hasEntries,
  );
  const entry = v.pipe(
    placed(fields),
    problemCheck(({ node, value: { why: _why, ...conditions } }) =>
      Object.keys(conditions).length === 0 ? [nodeProblem(node, 'why alone', advice)] : [],
    ),
    problemCheck(({ node, value: { from, to } }) =>
      from !== undefined && to !== undefined && to <= from
        ? [nodeProblem(node, 'a gap that ends before it begins', 'write a later date as to')]
        : [],
    ),
    v.transform(
      ({ value: { why, plans, from, to, ...match } }): AcceptedGap => ({
        why,
        match,
        ...(plans && { plans }),
        ...(from !== undefined && { fromAt: from }),
        ...(to !== undefined && { untilAt: to }),
      }),
    ),
  );
  return list('write a list, each entry after a "- "', entry, isListOrNothing);
}
