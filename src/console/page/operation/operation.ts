import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import { dayMs } from '../../../resources/duration.ts';
import { knownActions, stuckAfterMs } from '../../../resources/operation.ts';
import { endOfMinute, writeInstant } from '../../answer-field.ts';
import { refuseOther } from '../../offered-choice.ts';
import { definePage } from '../../page.ts';
import { showNumber } from '../../part/number.ts';
import { drawOperations, headOfOperations, titleOfOperations } from './drawn-operation.ts';
import { type OperationQuery, operationQuery, operationsAnswer } from './operation-answer.ts';
import { listFailed, listOfProject, listOpen, resolveProject } from './operation-list.ts';

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
const mostCounted = 100;

/** Operations that are stuck, and the ones of the last day that failed and did not work since. */
function countTroubled({ failures }: BrowsedHistory, untilAt: number) {
  const failed = failures.newest(untilAt - dayMs, mostCounted);
  const broken = failed.filter(({ worked_at }) => worked_at === null);
  return { stuck: failures.stuck(stuckAfterMs, mostCounted).length, broken: broken.length };
}

function readSections(
  history: BrowsedHistory,
  query: OperationQuery,
  span: { readonly fromAt: number; readonly untilAt: number },
) {
  const actions = [...history.operations.actions()];
  // One that the service has may not have happened yet.
  refuseOther('action', query.action, [...new Set([...actions, ...knownActions])].toSorted());
  const { meant, alike } = resolveProject(history, query);
  const { status } = query;
  const isAsked = (word: 'failed' | 'in_progress') => status === 'problems' || status === word;
  return {
    actions,
    alike_projects: alike,
    failed: isAsked('failed') ? listFailed(history, meant, span) : null,
    in_progress: isAsked('in_progress') ? listOpen(history, meant) : null,
    all: status === 'all' ? listOfProject(history, meant, span) : null,
  };
}
