import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import { endOfMinute } from '../../answer-value.ts';
import { definePage } from '../../page.ts';
import { describeRest } from '../../progress.ts';
import { rowKey } from '../../report-row.ts';
import { findBroken, findTroubled } from '../operation/operation.ts';
import { listProjects } from './project-list.ts';
import { type ListedProject, projectsAnswer, projectsQuery, sortOf } from './projects-answer.ts';
import { describeHead, drawProjects } from './projects-drawing.ts';

/** All projects with what they use, cost and do. */
export const projectsPage = definePage({
  path: '/projects',
  title: 'Projects',
  summary:
    'All projects: what they use and cost, whether they are awake, what failed, and what could be saved.',
  isListed: true,
  words: ['compute_hour', 'forecast', 'wake_up', 'operation', 'finding', 'gone', 'group'],
  query: projectsQuery,
  answer: projectsAnswer,
  async read({ reports, config, history }, asked, context) {
    const { table, said, accounts, pending, failed } = await reports.projects();
    const sort = sortOf(asked.sort, config.pricing !== undefined);
    const { projects, ...list } = listProjects(table, { ...asked, sort }, config.groupings);
    const troubled = history.look(known => findTroubledProjects(known, context.now));
    return {
      ...said,
      rests_on: describeRest(accounts, context),
      pending: [...pending],
      failing: failed.map(({ name }) => name),
      ...list,
      projects: projects.map(each => ({
        ...each,
        trouble: troubled?.get(rowKey(each.account, each.project_id)) ?? null,
      })),
    };
  },
  asOf: ({ as_of }) => as_of,
  restsOn: ({ rests_on }) => rests_on,
  isPart: ({ pending, rests_on }) => pending.length > 0 || !rests_on.is_whole,
  head: describeHead,
  draw: drawProjects,
});

/** More operations are not looked through. */
const mostTroubled = 1000;

/** Projects with an operation that is stuck, or that failed in the last day and has not worked since; by {@link rowKey}. */
function findTroubledProjects(history: BrowsedHistory, now: number) {
  const { stuck, failed } = findTroubled(history, endOfMinute(now), mostTroubled);
  const key = ({ account, project_id }: KnownOperation) => rowKey(account, project_id);
  const marks = [
    ...findBroken(failed).map(each => [key(each), markOf(each)] as const),
    ...stuck.map(each => [key(each), 'stuck'] as const),
  ];
  // Of several the last one counts.
  return new Map(
    marks.toSorted(([, one], [, other]) => marksByWeight.indexOf(one) - marksByWeight.indexOf(other)),
  );
}

type Mark = NonNullable<ListedProject['trouble']>;
const marksByWeight: readonly Mark[] = ['check_failed', 'operation_failed', 'stuck', 'failing'];

function markOf({ keeps_out, action }: KnownOperation): Mark {
  if (keeps_out === 1) return 'failing';
  return action === 'check_availability' ? 'check_failed' : 'operation_failed';
}
