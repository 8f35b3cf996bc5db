import type { BrowsedHistory } from '../../../history/browse/history-browser.ts';
import type { KnownOperation } from '../../../history/usage/operation-query.ts';
import { endOfMinute } from '../../answer-field.ts';
import { definePage } from '../../page.ts';
import { describeRest } from '../../progress.ts';
import { rowKey } from '../../report-row.ts';
import { findTroubled } from '../operation/operation.ts';
import { listProjects } from './project-list.ts';
import { projectsAnswer, projectsQuery, sortOf } from './projects-answer.ts';
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
  const broken = failed.filter(({ worked_at }) => worked_at === null);
  const mark = (operations: readonly KnownOperation[], trouble: 'failing' | 'stuck') =>
    operations.map(each => [rowKey(each.account, each.project_id), trouble] as const);
  return new Map([...mark(broken, 'failing'), ...mark(stuck, 'stuck')]);
}
