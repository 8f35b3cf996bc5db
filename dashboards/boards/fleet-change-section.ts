import { accountFamilies } from '../../src/resources/account.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { narrowProjectColumns } from './column.ts';
import { perProject } from './name.ts';
import { projectAge, projectAgeInRange } from './project-query.ts';
import { age, scoped } from './scope.ts';
import { table } from './table.ts';

const { info, updatedTimestamp } = projectFamilies;

/** Projects that came, went or were changed. */
export const fleetChangeSection: Section = {
  title: 'What changed',
  isFolded: true,
  panels: [
    table({
      title: 'Projects created',
      description: 'Projects created within the time range, the newest first.',
      width: 8,
      filledBy: 'project created',
      labels: narrowProjectColumns,
      values: [{ title: 'Age', expression: `${perProject(projectAge)} < $__range_s`, unit: 's' }],
      sortBy: 'Age',
      ascending: true,
    }),
    table({
      title: 'Projects gone',
      description:
        'Projects that were there within the time range and are not any more; an old one that is gone deserves a question.',
      width: 8,
      filledBy: 'project gone',
      labels: narrowProjectColumns,
      values: [
        {
          title: 'Age',
          expression: goneProjects(),
          unit: 's',
        },
      ],
      sortBy: 'Project',
      ascending: true,
    }),
    table({
      title: 'Projects the service changed',
      description:
        'Projects the service last updated within the time range, the latest change first, at most fifty.',
      width: 8,
      labels: narrowProjectColumns,
      values: [
        {
          title: 'Since change',
          expression: `bottomk(50, ${perProject(age(updatedTimestamp))} < $__range_s)`,
          unit: 's',
        },
      ],
      sortBy: 'Since change',
      ascending: true,
    }),
  ],
};

/** Age in seconds of the projects that were seen within the time range and have no sample now. */
function goneProjects(): string {
  const on = labelList('on', info, 'job', 'instance', 'account', 'project_id');
  const onAccount = labelList('on', info, 'job', 'instance', 'account');
  // A project that is left out is not gone.
  const lately = `${age(accountFamilies.lastProjectGoneTimestamp)} < $__range_s`;
  const gone = `max_over_time(${scoped(info)}[$__range]) unless ${on} ${scoped(info)} and ${onAccount} (${lately})`;
  const by = labelList('by', info, 'account', 'project_id', 'project_name');
  return `max ${by} ((${gone}) * ${on} ${labelList('group_left', info)} (${projectAgeInRange}))`;
}
