import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Board } from './board.ts';
import { risingBands, yesOrNo, zeroIsGood } from './look.ts';
import { onProject } from './name.ts';
import { failuresInRange, oldestAge, stuckAfterSeconds } from './operation-query.ts';
import { agePanel, stat } from './panel.ts';
import { projectComputeSection, projectOperationSection } from './project-activity-section.ts';
import { projectCostSection, projectMeterSection } from './project-cost-section.ts';
import { projectAge } from './project-query.ts';
import { projectSettingSection } from './project-setting-section.ts';
import { age, increaseInRange, scoped } from './scope.ts';
import { stateCode, stateMappings } from './state.ts';
import { table } from './table.ts';

const endpointColumn = { label: 'endpoint_id', title: 'Endpoint' } as const;
const byEndpoint = labelList('by', endpointFamilies.starts, 'endpoint_id');

const nowPanels = [
  stat({
    title: 'Failed operations',
    description: 'Operations of the project that ended in failure within the time range.',
    decimals: 0,
    width: 6,
    expression: failuresInRange,
    bands: zeroIsGood,
  }),
  stat({
    title: 'Oldest unfinished operation',
    description: 'How long the oldest operation that has not ended has been waiting.',
    unit: 's',
    width: 6,
    noValue: 'none',
    filledBy: 'operation stuck',
    expression: `max(${oldestAge})`,
    bands: risingBands(600, stuckAfterSeconds),
  }),
  stat({
    title: 'Locked',
    description: 'Whether the service reports the project as locked.',
    width: 6,
    noValue: 'no, or not reported',
    expression: `max(${scoped(projectFamilies.locked)})`,
    mappings: yesOrNo('red', 'green'),
    bands: zeroIsGood,
  }),
  agePanel({
    description: 'How long ago the endpoints and operations of the project were last read.',
    width: 6,
    expression: `max(${age(projectFamilies.lastRefreshTimestamp)})`,
  }),
  table({
    title: 'Project',
    description:
      'Where the project runs, how large a branch may grow as reported (live services mean MiB), its dates, and how often the service set its CPU counter back within the time range.',
    width: 24,
    height: 4,
    labels: [
      { label: 'project_name', title: 'Project' },
      { label: 'account', title: 'Account', width: 100 },
      { label: 'project_id', title: 'Id', width: 225 },
      { label: 'region_id', title: 'Region', width: 150 },
      { label: 'pg_version', title: 'Postgres', width: 90 },
    ],
    values: [
      { title: 'Age', expression: described(projectAge), unit: 's' },
      { title: 'Since change', expression: described(age(projectFamilies.updatedTimestamp)), unit: 's' },
      {
        title: 'Counter set back',
        expression: described(`round(${increaseInRange(projectFamilies.cpuUsedResets)})`),
      },
      {
        title: 'Branch size limit',
        expression: described(scoped(projectFamilies.branchLogicalSizeLimit)),
      },
    ],
    sortBy: 'Project',
    ascending: true,
  }),
];

const endpointPanels = [
  table({
    title: 'Endpoints',
    description:
      'The endpoints of the project: when each was last active, how often it woke within the time range, its size in compute units.',
    width: 24,
    height: 7,
    labels: [endpointColumn],
    values: [
      { title: 'State', expression: perId(stateCode()), mappings: stateMappings },
      {
        title: 'Since activity',
        expression: perId(age(endpointFamilies.lastActiveTimestamp)),
        unit: 's',
        noValue: 'never active',
      },
      {
        title: 'Starts',
        expression: `round(${perId(increaseInRange(endpointFamilies.starts))})`,
      },
      { title: 'Min CU', expression: perId(scoped(endpointFamilies.autoscalingLimitMinCu)) },
      { title: 'Max CU', expression: perId(scoped(endpointFamilies.autoscalingLimitMaxCu)) },
      {
        title: 'Disabled',
        expression: perId(scoped(endpointFamilies.disabled)),
        mappings: yesOrNo('orange', 'text'),
      },
      {
        title: 'Pooler',
        expression: perId(scoped(endpointFamilies.poolerEnabled)),
        mappings: yesOrNo('text', 'text'),
      },
      {
        title: 'Passwordless',
        expression: perId(scoped(endpointFamilies.passwordlessAccess)),
        mappings: yesOrNo('text', 'text'),
      },
      { title: 'Age', expression: perId(age(endpointFamilies.createdTimestamp)), unit: 's' },
      { title: 'Since change', expression: perId(age(endpointFamilies.updatedTimestamp)), unit: 's' },
    ],
    sortBy: 'Since activity',
    ascending: true,
  }),
];

/** One sample an endpoint by its id alone: the project is the board's. */
function perId(expression: string): string {
  return `max ${byEndpoint} (${expression})`;
}

/** A value of the project, with its description. */
function described(expression: string): string {
  const { info } = projectFamilies;
  const texts = labelList('group_left', info, 'project_name', 'region_id', 'pg_version');
  const by = labelList('by', info, 'account', 'project_id', 'project_name', 'region_id', 'pg_version');
  return `max ${by} ((${expression}) * ${onProject} ${texts} ${scoped(info)})`;
}

export const projectBoard: Board = {
  uid: 'dbpm-project',
  title: 'DBPM / Project',
  question: [
    '**What does this project cost, what did it do, and did anything fail?** Choose the project by its name above, or come here by a name on another board.',
    '',
    'Compute rises while an endpoint is active: compare the two panels side by side. An endpoint that never turns blue never sleeps.',
  ].join('\n'),
  since: '24h',
  projects: 'one',
  sections: [
    projectCostSection,
    { title: 'At a glance', panels: nowPanels },
    projectComputeSection,
    { title: 'Endpoints', panels: endpointPanels },
    projectOperationSection,
    projectSettingSection,
    projectMeterSection,
  ],
};
