import type { OperationKey } from '../../../history/browse/browsed-operation.ts';
import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import { dayMs, type Span } from '../../../resources/duration.ts';
import { knownActions, stuckAfterMs } from '../../../resources/operation.ts';
import { endOfMinute, writeInstant } from '../../answer-value.ts';
import { readCursor } from '../../keyset.ts';
import { refuseOther } from '../../offered-choice.ts';
import { definePage } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { showNumber } from '../../part/number.ts';
import { drawOperations, headOfOperations, titleOfOperations } from './drawn-operation.ts';
import { type OperationQuery, operationQuery, operationsAnswer, partOf } from './operation-answer.ts';

const rangesMs = { '24h': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs } as const;

/** Operations that failed or go on, and what the service said. */
export const operationPage = definePage({
  path: '/operations',
  apiPath: '/operations',
  title: 'Operations',
  summary: 'Failed operations of all projects with what the service said, and operations in progress.',
  isListed: true,
  count({ lookOnce, live }) {
    const untilAt = endOfMinute(live.now);
    const counted = lookOnce(`troubled until ${untilAt}`, history => countTroubled(history, untilAt));
    const { stuck, broken } = counted ?? { stuck: 0, broken: 0 };
    const what = [
      stuck > 0 && `${showNumber(stuck)} stuck`,
      broken > 0 && `${showNumber(broken)} failed with no success since`,
    ];
    return { number: stuck + broken, what: what.filter(Boolean).join(', '), isUrgent: true };
  },
  reads: ['projects', 'operations'],
  words: ['operation', 'attempt', 'wake_up'],
  query: operationQuery,
  answer: operationsAnswer,
  read({ config, history }, asked, { now }) {
    const untilAt = endOfMinute(now);
    const fromAt = untilAt - rangesMs[asked.range];
    // Its clock may be ahead of this host's.
    const span = { fromAt, untilAt: Number.MAX_SAFE_INTEGER };
    const accounts = config.accounts.map(({ name }) => name);
    refuseOther('account', asked.account, accounts);
    const empty = { actions: [], alike_projects: null, failed: null, in_progress: null, all: null };
    return {
      from: writeInstant(fromAt),
      until: writeInstant(untilAt),
      stuck_after_ms: stuckAfterMs,
      accounts,
      ...(history.look(known => readSections(known, asked, span)) ?? empty),
    };
  },
  titleOf: titleOfOperations,
  head: headOfOperations,
  draw: drawOperations,
});

/** More are not counted on every page. */
const mostTroubled = 100;

/** Operations that are stuck, and the ones of the last day that failed and did not work since. */
function countTroubled(history: BrowsedHistory, untilAt: number) {
  const { stuck, failed } = findTroubled(history, untilAt, mostTroubled);
  return { stuck: stuck.length, broken: findBroken(failed).length };
}

/** Operations that are stuck, the oldest first, and ones that failed in the last day, the newest first. */
export function findTroubled({ operations }: BrowsedHistory, untilAt: number, most: number) {
  return {
    stuck: operations.open({ longerThanMs: stuckAfterMs, most }),
    // Its clock may be ahead of this host's.
    failed: operations.failed({ fromAt: untilAt - dayMs, untilAt: Number.MAX_SAFE_INTEGER, most }),
  };
}

/** The ones that have not worked since, those first that may keep clients out. */
export function findBroken(failed: readonly KnownOperation[]): readonly KnownOperation[] {
  return failed
    .filter(({ worked_at }) => worked_at === null)
    .toSorted((one, other) => other.keeps_out - one.keeps_out);
}

/** More of them are not counted. */
const mostCounted = 10_000;
const mostAlike = 50;

function readSections(history: BrowsedHistory, asked: OperationQuery, span: Span) {
  const { operations, incidents } = history;
  const { account, action, region, cause, status, limit } = asked;
  const actions = [...operations.actions()];
  // One that the service has may not have happened yet.
  refuseOther('action', action, [...new Set([...actions, ...knownActions])].toSorted());
  const { project_id, project_part, alike } = findProject(history, asked);
  const filter = { account, project_id, project_part, action, region, cause };
  const part = { after: readKey(asked), most: limit + 1 };
  const isAsked = (word: OperationQuery['status']) => status === 'problems' || status === word;
  // The newest first.
  const listFailed = () => {
    const count = operations.countFailed({ ...filter, ...span, most: mostCounted + 1 });
    const groups = incidents.alike(filter, span, { most: mostCounted, groups: mostAlike });
    return {
      ...{ count: Math.min(count, mostCounted), is_count_cut: count > mostCounted },
      ...partOf(operations.failed({ ...filter, ...span, ...part }), limit, 'ended_at'),
      alike: groups.map(({ first_at, last_at, ...group }) => {
        return { ...group, first: writeInstant(first_at), last: writeInstant(last_at) };
      }),
    };
  };
  // The oldest first.
  const listOpen = () => {
    const { open, stuck } = operations.countOpen(filter, stuckAfterMs);
    const found = operations.open({ ...filter, ...part });
    return { count: open, is_count_cut: false, stuck, ...partOf(found, limit, 'created_at') };
  };
  // The newest first. The page offers the projects where several have a part of a name.
  const listAll = () => {
    const ref = refOfOne(history, account, project_id);
    return partOf(operations.ofProject(ref, { ...span, action, ...part }), limit, 'created_at');
  };
  return {
    actions,
    alike_projects: alike,
    failed: isAsked('failed') ? listFailed() : null,
    in_progress: isAsked('in_progress') ? listOpen() : null,
    all: status === 'all' && project_part === '' ? listAll() : null,
  };
}

/** @throws PageProblem when no one project is asked for. */
function refOfOne({ projects }: BrowsedHistory, account: string, project_id: string): number {
  if (project_id === '') {
    throw new PageProblem(
      400,
      'All operations of which project?',
      'Successes of all projects are too many to list.',
      ['project: the id of one', 'status: problems, failed or in_progress for all projects'],
    );
  }
  const [ref, ...others] = projects.refsOf(account, project_id);
  if (ref === undefined) throw new Error(`project ${project_id} was resolved and is not there`);
  if (others.length === 0) return ref;
  throw new PageProblem(400, 'Which account?', 'Several accounts have a project with this id.', [
    'account: the name of one',
  ]);
}

/** Projects that are offered where several have what was asked for. */
const mostOffered = 20;

/** The project that is asked for: one with this id or name, or else all that have it in theirs. */
function findProject({ projects }: BrowsedHistory, { account, project }: OperationQuery) {
  if (project === '' || projects.refsOf(account, project).length > 0)
    return { project_id: project, project_part: '', alike: null };
  const alike = projects.namedLike(account, project, mostOffered);
  const called = alike.filter(({ project_name }) => project_name === project);
  const [only, ...others] = called.length === 0 ? alike : called;
  return only !== undefined && others.every(({ project_id }) => project_id === only.project_id)
    ? { project_id: only.project_id, project_part: '', alike: null }
    : { project_id: '', project_part: project, alike };
}

/** @throws PageProblem when the cursor is none. */
function readKey({ cursor, status }: OperationQuery): OperationKey | undefined {
  if (cursor !== '' && status === 'problems') {
    throw new PageProblem(
      400,
      'This address cannot be read',
      'It has a "cursor", and does not say of which list.',
      ['status: failed, in_progress or all'],
    );
  }
  const [at, project_ref, operation_id] = readCursor(cursor, 3) ?? [];
  return at === undefined
    ? undefined
    : { at: Number(at), project_ref: Number(project_ref), operation_id: String(operation_id) };
}
