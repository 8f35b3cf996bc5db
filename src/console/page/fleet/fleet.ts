import { cutRows } from '../../keyset.ts';
import { definePage } from '../../page.ts';
import { describeRest } from '../../progress.ts';
import { fleetAnswer, writeProject, writeSaid } from './fleet-answer.ts';
import { refuseUnknown } from './fleet-choice.ts';
import { drawFleet } from './fleet-drawing.ts';
import { keyOf } from './fleet-order.ts';
import { fleetQuery } from './fleet-query.ts';

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
  async read(sources, asked, { live }) {
    const { groupings } = sources.config;
    const sheet = await sources.fleet.read(groupings);
    const { said, pending: missing, choices } = sheet.told;
    const { failing } = sources.fleet;
    refuseUnknown(asked, choices, groupings, text => sheet.hasGroup(text));
    const { sort, order } = asked;
    const found = sheet.sort(sheet.find(asked), sort, order);
    const part = cutRows([...found], number => keyOf(sheet.row(number), sort), asked);
    return {
      ...writeSaid(said),
      rests_on: describeRest(said.accounts, live),
      pending: missing.filter(name => !failing.includes(name)),
      failing: [...failing],
      choices,
      total: {
        projects: found.length,
        compute_hours: sheet.sum(found, 'compute_hours'),
        cost: sheet.sum(found, 'cost'),
        cost_forecast: sheet.sum(found, 'cost_forecast'),
      },
      projects: part.rows.map(number => writeProject(sheet.row(number))),
      next_cursor: part.next_cursor,
    };
  },
  asOf: ({ as_of }) => as_of,
  isPart: ({ pending, rests_on }) => pending.length > 0 || !rests_on.is_whole,
  draw: drawFleet,
});
