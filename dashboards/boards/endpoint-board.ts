import { accountFamilies } from '../../src/resources/account.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Board } from './board.ts';
import { disabledPanel, endpointSizeSection } from './endpoint-size-section.ts';
import { endpointSleepSection } from './endpoint-sleep-section.ts';
import { risingBands } from './look.ts';
import { onEndpoint, onProject, perEndpoint } from './name.ts';
import { agePanel, stat, timeseries } from './panel.ts';
import { age, growthIn, scoped } from './scope.ts';
import { seriesBy } from './series.ts';
import { isActive, stateColours, statePanel } from './state.ts';
import { endpointColumns, table } from './table.ts';

const families = endpointFamilies;
const neverActive = `${scoped(families.createdTimestamp)} unless ${onEndpoint} ${scoped(families.lastActiveTimestamp)}`;
/** Starts an hour that are too many, as the alert on flapping endpoints has it by default. */
const flappingAbove = 6;
const orangeFromOne = { base: 'green', above: [[1, 'orange']] } as const;

const nowPanels = [
  stat({
    title: 'Active',
    description: 'Endpoints that are awake now and use compute.',
    expression: `sum(${isActive()})`,
  }),
  stat({
    title: 'Changing state',
    description: 'Endpoints that report a pending state: on the way from one state to another.',
    expression: `sum(${scoped(families.pendingState)}) or vector(0)`,
  }),
  stat({
    title: 'Disabled but active',
    description: 'Endpoints that accept no connections and use compute nevertheless.',
    expression: `count((${scoped(families.disabled)} == 1) and ${onEndpoint} (${isActive()} == 1)) or vector(0)`,
    bands: orangeFromOne,
  }),
  stat({
    title: 'Never active',
    description: 'Endpoints that were never active since they were created.',
    expression: `count(${neverActive}) or vector(0)`,
  }),
  stat({
    title: 'Flapping',
    description: `Endpoints that were started more than ${flappingAbove} times within the last hour.`,
    expression: `count(increase(${scoped(families.starts)}[1h]) > ${flappingAbove}) or vector(0)`,
    bands: orangeFromOne,
  }),
  agePanel({
    description:
      'How long ago the endpoints of every project were last read without an error, of the account furthest behind.',
    expression: `max(${age(accountFamilies.collectorLastSuccessTimestamp, { collector: 'endpoints' })})`,
  }),
];

const statePanels = [
  statePanel,
  timeseries({
    title: 'Share of time by state',
    description:
      'How the endpoints together spent the hour before each moment, from their operations: catches what happened between two readings.',
    unit: 'percentunit',
    stack: true,
    max: 1,
    colours: stateColours,
    queries: [{ expression: timeShare(), legend: ['state'] }],
  }),
];

/** Panels that are empty while no endpoint is on its way or switched off. */
const oddPanels = [
  timeseries({
    title: 'Endpoints changing state',
    description:
      'Endpoints that report a pending state, by that state. A line that does not end is a stuck transition.',
    height: 8,
    filledBy: 'endpoint in transition',
    queries: [seriesBy('sum', families.pendingState, ['state'])],
  }),
  table({
    title: 'Changing state now',
    description:
      'Endpoints that report a pending state, and when they were last changed; the longest wait first.',
    height: 8,
    filledBy: 'endpoint in transition',
    labels: endpointColumns,
    values: [
      {
        title: 'Since change',
        expression: perEndpoint(timeInTransition()),
        unit: 's',
        bands: risingBands(120, 600),
      },
    ],
    sortBy: 'Since change',
  }),
  disabledPanel,
];

/**
 * How long ago endpoints were changed that report a pending state: by themselves or, on a compact page, by their
 * project.
 */
function timeInTransition(): string {
  const pending = scoped(families.pendingState);
  const ofProject = `${pending} * ${onProject} ${labelList('group_left', families.info)} ${age(projectFamilies.updatedTimestamp)}`;
  return `((${age(families.updatedTimestamp)}) and ${onEndpoint} ${pending}) or ${onEndpoint} (${ofProject})`;
}

function timeShare(): string {
  const byState = labelList('by', families.stateSeconds, 'state');
  const seconds = growthIn('1h', families.stateSeconds);
  return `sum ${byState} (${seconds}) / on () group_left () sum(${seconds})`;
}

export const endpointBoard: Board = {
  uid: 'dbpm-endpoints',
  title: 'DBPM / Endpoints',
  question: [
    '**Which endpoints cost money for nothing?** They never suspend, wake all the time, or are larger than they need to be.',
    '',
    'The name of a project leads to its own board, where the states of its endpoints are shown over time.',
  ].join('\n'),
  since: '24h',
  projects: 'many',
  sections: [
    { title: 'At a glance', panels: nowPanels },
    { title: 'States', panels: statePanels },
    endpointSleepSection,
    endpointSizeSection,
    { title: 'Changing state, or disabled', isFolded: true, panels: oddPanels },
  ],
};
