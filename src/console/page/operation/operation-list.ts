import type { FailureGroup } from '../../../history/browse/browsed-incident.ts';
import type { BrowsedOperation, OperationKey } from '../../../history/browse/browsed-operation.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import { stuckAfterMs } from '../../../resources/operation.ts';
import { writeInstant } from '../../answer-field.ts';
import { firstRows, readCursor } from '../../keyset.ts';
import { PageProblem } from '../../page-problem.ts';
import { type AlikeAnswer, endOf, type OperationQuery, writeOperation } from './operation-answer.ts';

interface Span {
  readonly fromAt: number;
  readonly untilAt: number;
}

/** More of them are not counted. */
const mostCounted = 10_000;
const mostAlike = 50;

/** Operations that failed, the newest first. */
export function listFailed({ incidents, operations }: BrowsedHistory, asked: Meant, span: Span) {
  const filter = filterOf(asked);
  const count = operations.countFailed(filter, span, mostCounted + 1);
  const found = operations.failed(filter, span, { after: keyOf(asked), most: asked.limit + 1 });
  const alike = incidents.alike(filter, span, { most: mostCounted, groups: mostAlike });
  return { ...countOf(count), ...partOf(found, asked.limit, endOf), alike: alike.map(writeAlike) };
}

function writeAlike({ first_at, last_at, ...group }: FailureGroup): AlikeAnswer {
  return { ...group, first: writeInstant(first_at), last: writeInstant(last_at) };
}

/** Operations that go on, the oldest first. */
export function listOpen({ operations }: BrowsedHistory, asked: Meant) {
  const filter = filterOf(asked);
  const { open, stuck } = operations.countOpen(filter, stuckAfterMs);
  const found = operations.open(filter, { after: keyOf(asked), most: asked.limit + 1 });
  return { count: open, is_count_cut: false, stuck, ...partOf(found, asked.limit, beginOf) };
}

/**
 * All operations of one project, the newest first; null where a part of a name is of several.
 *
 * @throws PageProblem when no one project is asked for.
 */
export function listOfProject({ operations, projects }: BrowsedHistory, asked: Meant, span: Span) {
  const { account, project, project_part, action } = asked;
  // The page offers the projects that have it.
  if (project_part !== '') return null;
  if (project === '') {
    throw new PageProblem(
      400,
      'All operations of which project?',
      'Successes of all projects are too many to list.',
      ['project: the id of one', 'status: problems, failed or in_progress for all projects'],
    );
  }
  const refs = projects.refsOf(account, project);
  const [ref] = refs;
  if (ref === undefined) throw new Error(`project ${project} was resolved and is not there`);
  if (refs.length > 1) {
    throw new PageProblem(400, 'Which account?', 'Several accounts have a project with this id.', [
      'account: the name of one',
    ]);
  }
  const found = operations.ofProject(ref, span, { action, after: keyOf(asked), most: asked.limit + 1 });
  return partOf(found, asked.limit, beginOf);
}

/** What is asked for, of the project with this id or of all with this part in their name or id. */
interface Meant extends OperationQuery {
  readonly project_part: string;
}

/** Projects that are offered where several have what was asked for. */
const mostOffered = 20;

/** The query that was asked, with the project it means: one with this id or name, or else all that have it in theirs. */
export function resolveProject({ projects }: BrowsedHistory, asked: OperationQuery) {
  const { account, project } = asked;
  const meant = { ...asked, project_part: '' };
  if (project === '' || projects.refsOf(account, project).length > 0) return { meant, alike: null };
  const alike = projects.namedLike(account, project, mostOffered);
  const called = alike.filter(({ project_name }) => project_name === project);
  const [only, ...others] = called.length === 0 ? alike : called;
  return only !== undefined && others.every(({ project_id }) => project_id === only.project_id)
    ? { meant: { ...meant, project: only.project_id }, alike: null }
    : { meant: { ...meant, project: '', project_part: project }, alike: [...alike] };
}

function filterOf({ account, project, project_part, action, region, cause }: Meant) {
  return { account, project_id: project, project_part, action, region, cause };
}

function countOf(count: number) {
  return { count: Math.min(count, mostCounted), is_count_cut: count > mostCounted };
}

/** @throws PageProblem when the cursor is none. */
function keyOf({ cursor, status }: OperationQuery): OperationKey | undefined {
  if (cursor !== '' && status === 'problems') {
    throw new PageProblem(
      400,
      'This address cannot be read',
      'It has a "cursor", and does not say of which list.',
      ['status: failed, in_progress or all'],
    );
  }
  const key = readCursor(cursor, 3);
  if (key === undefined) return undefined;
  const [at, project_ref, operation_id] = key;
  return { at: Number(at), project_ref: Number(project_ref), operation_id: String(operation_id) };
}

/** The cursor of a list that goes on after an operation. */
export function partOf(
  found: readonly BrowsedOperation[],
  limit: number,
  instantOf: (operation: BrowsedOperation) => number | null,
) {
  const keyOf = (each: BrowsedOperation) => [instantOf(each) ?? 0, each.project_ref, each.operation_id];
  const { rows, next_cursor } = firstRows(found, limit, keyOf);
  return { operations: rows.map(writeOperation), next_cursor };
}

export function beginOf({ created_at }: BrowsedOperation): number | null {
  return created_at;
}
