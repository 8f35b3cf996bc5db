import type { Database } from 'better-sqlite3';
import { minOf } from '../../resources/min-max.ts';
import type { JoinedPart, JoinedProject } from './joined-project.ts';
import { endpointJoiner } from './moved-endpoint.ts';
import { MovedUse } from './moved-use.ts';
import { insertRow, joinChanges, type Row, type RowOffsets, rowCopier, rowsOf } from './row-copy.ts';

/** Tables that are joined row by row; of each other one the last history has what counts. */
const joinedApart: ReadonlySet<string> = new Set([
  ...['project', 'cpu_sample', 'cpu_count_start', 'cpu_source_change', 'usage_hour', 'usage_day'],
  ...['endpoint', 'operation', 'branch', 'project_change', 'project_absence'],
]);

/**
 * Makes a function that joins a project that moved from one history to another, as if one history had read it all the time.
 *
 * @param accounts their numbers in the joined history.
 */
export function projectJoiner(
  joined: Database,
  accounts: ReadonlyMap<string, number>,
  offsets: ReadonlyMap<JoinedPart, RowOffsets>,
) {
  const joinEndpoints = endpointJoiner(joined, offsets);
  const use = new MovedUse(joined);
  const copyLastKnown = rowCopier(joined, 'project_ref', joinedApart);
  return (project: JoinedProject): void => {
    const { project_ref, account, last, moves } = project;
    const rows = moves.flatMap(({ part, own }) => rowsOf(part.database, 'project', { project_ref: own }));
    insertRow(joined, 'project', {
      ...rows.at(-1),
      ...{ project_ref, account_ref: accounts.get(account) ?? 0 },
      first_seen_at: minOf(rows.map(({ first_seen_at }) => Number(first_seen_at))),
    });
    copyLastKnown(last.part, { own: last.own, ref: project_ref });
    for (const row of joinChanges('project', moves))
      insertRow(joined, 'project_change', { ...row, project_ref });
    joinOperations(joined, project, joinEndpoints(project));
    joinBranches(joined, project);
    use.join(project);
  };
}

/** Each operation once, as the last history knows it that has it: one whose end another history was to see is not open. */
function joinOperations(
  joined: Database,
  project: JoinedProject,
  endpoints: ReadonlyMap<string, number>,
): void {
  const { project_ref, last } = project;
  for (const [part, own] of partsOf(project)) {
    const rows = rowsOf(part.database, 'endpoint', { project_ref: own });
    const ids = new Map(rows.map(each => [each.endpoint_ref, each.endpoint_id]));
    for (const row of rowsOf(part.database, 'operation', { project_ref: own })) {
      const endpoint_ref = endpoints.get(String(ids.get(row.endpoint_ref ?? null))) ?? null;
      const isLost = row.phase === 'open' && part !== last.part;
      insertRow(joined, 'operation', {
        ...{ ...row, project_ref, endpoint_ref },
        ...(isLost && { phase: 'vanished' }),
      });
    }
  }
}

/** Branches as the last history listed them, unused since the last use that any of them knows. */
function joinBranches(joined: Database, project: JoinedProject): void {
  const { project_ref, last, moves } = project;
  const begunAt = moves.at(-1)?.fromAt ?? 0;
  const former = [...partsOf(project)].filter(([part]) => part !== last.part);
  for (const row of rowsOf(last.part.database, 'branch', { project_ref: last.own })) {
    const { branch_id = null } = row;
    const before = former.flatMap(([part, own]) =>
      rowsOf(part.database, 'branch', { project_ref: own, branch_id }),
    );
    const branch = [...before, row].reduce(joinBranch);
    // A history that had the project before knows that nothing was used meanwhile.
    const isKnown = moves[0]?.part === last.part && typeof row.used_at === 'number' && row.used_at < begunAt;
    const used_at = (isKnown ? row.used_at : branch.used_at) ?? null;
    insertRow(joined, 'branch', { ...branch, project_ref, used_at });
  }
}

/** The histories of a project with its number in each, the one that had it last at the end. */
function partsOf({ moves }: JoinedProject): ReadonlyMap<JoinedPart, number> {
  const parts = new Map<JoinedPart, number>();
  for (const { part, own } of moves) {
    parts.delete(part);
    parts.set(part, own);
  }
  return parts;
}

/** A branch as one history would have it that listed it before another did and after. */
function joinBranch(before: Row, after: Row): Row {
  // A use that a history finds at its first reading may be long past.
  const isSameUse = after.use_seconds === before.use_seconds;
  return {
    ...after,
    used: (before.used === 1 ? 1 : after.used) ?? null,
    used_at: (isSameUse ? before.used_at : (after.used_at ?? before.used_at)) ?? null,
  };
}
