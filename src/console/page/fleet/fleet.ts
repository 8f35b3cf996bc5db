import { definePage } from '../../page.ts';
import { describeRest } from '../../progress.ts';
import { fleetAnswer, writeProject } from './fleet-answer.ts';
import { describeHead, drawFleet } from './fleet-drawing.ts';
import { sortOf } from './fleet-order.ts';
import { fleetQuery } from './fleet-query.ts';
import { listProjects } from './project-list.ts';

/** All projects with what they use, cost and do. */
export const fleetPage = definePage({
  path: '/projects',
  apiPath: '/projects',
  title: 'Projects',
  summary:
    'All projects: what they use and cost, whether they are awake, what failed, and what could be saved.',
  isListed: true,
  words: ['compute_hour', 'forecast', 'wake_up', 'operation', 'finding', 'gone', 'group'],
  query: fleetQuery,
  answer: fleetAnswer,
  async read(sources, asked, context) {
    const { table, said, accounts, pending, failed } = await sources.fleet.read();
    const sort = sortOf(asked.sort, sources.config.pricing !== undefined);
    const { rows, ...listed } = listProjects(table, { ...asked, sort }, sources.config.groupings);
    return {
      ...said,
      rests_on: describeRest(accounts, context),
      pending: [...pending],
      failing: failed.map(({ name }) => name),
      ...listed,
      projects: rows.map(writeProject),
    };
  },
  asOf: ({ as_of }) => as_of,
  restsOn: ({ rests_on }) => rests_on,
  isPart: ({ pending, rests_on }) => pending.length > 0 || !rests_on.is_whole,
  head: describeHead,
  draw: drawFleet,
});
