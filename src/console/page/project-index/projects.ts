import { definePage } from '../../page.ts';
import { describeRest } from '../../progress.ts';
import { rowKey } from '../../report-row.ts';
import { findTroubledProjects } from '../overview/trouble.ts';
import { listProjects } from './project-list.ts';
import { projectsAnswer, projectsQuery, sortOf } from './projects-answer.ts';
import { describeHead, drawProjects } from './projects-drawing.ts';

/** All projects with what they use, cost and do. */
export const projectsPage = definePage({
  path: '/projects',
  apiPath: '/projects',
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
