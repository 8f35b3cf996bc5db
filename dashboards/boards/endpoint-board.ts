import { accountFamilies } from '../../src/resources/account.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { labelList } from '../promql.ts';
import type { Board } from './board.ts';
import { rowToProject, seriesToProject } from './link.ts';
import { risingBands, yesOrNo } from './look.ts';
import { perEndpoint } from './name.ts';
import { stat, timeseries } from './panel.ts';
import { age, increaseInRange, rate, scoped } from './scope.ts';
import { activeShare, isActive, stateColours } from './state.ts';
import { table } from './table.ts';

const families = endpointFamilies;
const onEndpoint = labelList('on', families.info, 'job', 'instance', 'account', 'project_id', 'endpoint_id');
const neverActive = `${scoped(families.createdTimestamp)} unless ${onEndpoint} ${scoped(families.lastActiveTimestamp)}`;
/** Starts an hour that are too many, as the alert on flapping endpoints has it by default. */
const flappingAbove = 6;
const orangeFromOne = { base: 'green', above: [[1, 'orange']] } as const;
const endpointColumns = [
  { label: 'project_name', title: 'Project', link: rowToProject },
  { label: 'endpoint_id', title: 'Endpoint' },
  { label: 'account', title: 'Account', width: 110 },
  { label: 'project_id', title: 'Project id' },
] as const;

const nowPanels = [
  stat({
    title: 'Active',
    description: 'Endpoints that are awake now and use compute.',
    unit: 'none',
    width: 4,
    expression: `sum(${isActive()})`,
  }),
  stat({
    title: 'Changing state',
    description: 'Endpoints that report a pending state: on the way from one state to another.',
    unit: 'none',
    width: 4,
    expression: `sum(${scoped(families.pendingState)}) or vector(0)`,
  }),
  stat({
    title: 'Disabled but active',
    description: 'Endpoints that accept no connections and use compute nevertheless.',
    unit: 'none',
    width: 4,
    expression: `count((${scoped(families.disabled)} == 1) and ${onEndpoint} (${isActive()} == 1)) or vector(0)`,
    bands: orangeFromOne,
  }),
  stat({
    title: 'Never active',
    description: 'Endpoints that were never active since they were created.',
    unit: 'none',
    width: 4,
    expression: `count(${neverActive}) or vector(0)`,
  }),
  stat({
    title: 'Flapping',
    description: `Endpoints that were started more than ${flappingAbove} times within the last hour.`,
    unit: 'none',
    width: 4,
    expression: `count(increase(${scoped(families.starts)}[1h]) > ${flappingAbove}) or vector(0)`,
    bands: orangeFromOne,
  }),
  stat({
    title: 'Age of the data',
    description:
      'How long ago the endpoints of every project were last read without an error, of the account furthest behind.',
    unit: 's',
    width: 4,
    expression: `max(${age(accountFamilies.collectorLastSuccessTimestamp, { collector: 'endpoints' })})`,
    bands: risingBands(300, 900),
  }),
];

const statePanels = [
  timeseries({
    title: 'Endpoints by state',
    description: 'What the endpoints are doing: active ones use compute, idle ones sleep.',
    unit: 'none',
    width: 12,
    stack: true,
    colours: stateColours,
    queries: [
      {
        expression: `sum ${labelList('by', families.state, 'state')} (${scoped(families.state)})`,
        legend: ['state'],
      },
    ],
  }),
  timeseries({
    title: 'Share of time by state',
    description:
      'How the endpoints together spent their time, from their operations: catches what happened between two readings.',
    unit: 'percentunit',
    width: 12,
    stack: true,
    max: 1,
    colours: stateColours,
    queries: [{ expression: timeShare(), legend: ['state'] }],
  }),
  timeseries({
    title: 'Endpoints changing state',
    description:
      'Endpoints that report a pending state, by that state. A line that does not end is a stuck transition.',
    unit: 'none',
    width: 12,
    height: 8,
    filledBy: 'endpoint in transition',
    queries: [
      {
        expression: `sum ${labelList('by', families.pendingState, 'state')} (${scoped(families.pendingState)})`,
        legend: ['state'],
      },
    ],
  }),
  table({
    title: 'Changing state now',
    description:
      'Endpoints that report a pending state, and when they were last changed; the longest wait first.',
    width: 12,
    height: 8,
    filledBy: 'endpoint in transition',
    labels: endpointColumns,
    values: [
      {
        title: 'Since change',
        expression: perEndpoint(
          `(${age(families.updatedTimestamp)}) and ${onEndpoint} ${scoped(families.pendingState)}`,
        ),
        unit: 's',
        bands: risingBands(120, 600),
      },
    ],
    sortBy: 'Since change',
  }),
];

const sleepPanels = [
  table({
    title: 'Endpoints that never suspend',
    description:
      'Active for at least 99 % of the time range: is that wanted, or does a client keep them awake?',
    width: 12,
    filledBy: 'endpoint never suspends',
    labels: endpointColumns,
    values: [{ title: 'Active', expression: `${perEndpoint(activeShare())} >= 0.99`, unit: 'percentunit' }],
    sortBy: 'Active',
  }),
  table({
    title: 'Endpoints that wake most often',
    description:
      'Starts within the time range, the first twenty: a flapping endpoint pays for every start and makes clients wait.',
    width: 12,
    filledBy: 'endpoint woken',
    labels: endpointColumns,
    values: [
      {
        title: 'Starts',
        expression: `topk(20, round(${perEndpoint(increaseInRange(families.starts))}) > 0)`,
        unit: 'none',
      },
    ],
    sortBy: 'Starts',
  }),
  timeseries({
    title: 'Starts and suspends',
    description: 'Finished starts and suspends an hour, over all endpoints.',
    unit: 'none',
    decimals: 1,
    width: 12,
    queries: [
      { expression: `3600 * sum(${rate(families.starts)})`, legend: 'starts an hour' },
      { expression: `3600 * sum(${rate(families.suspends)})`, legend: 'suspends an hour' },
    ],
  }),
  timeseries({
    title: 'Ten endpoints that wake most often',
    description: 'Starts an hour of the ten endpoints that were started most at each moment.',
    filledBy: 'endpoint woken',
    unit: 'none',
    decimals: 1,
    width: 12,
    links: [seriesToProject],
    queries: [
      {
        expression: `topk(10, 3600 * ${perEndpoint(rate(families.starts))} > 0)`,
        legend: ['project_name', 'endpoint_id'],
      },
    ],
  }),
];

const sizePanels = [
  timeseries({
    title: 'Compute units',
    description:
      'What all endpoints may use at most, what the active ones may use now, and what those use at least. 1 CU is 1 vCPU with 4 GB of RAM.',
    unit: 'none',
    decimals: 1,
    width: 12,
    queries: [
      { expression: `sum(${scoped(families.autoscalingLimitMaxCu)})`, legend: 'all, at most' },
      {
        expression: `sum(${scoped(families.autoscalingLimitMaxCu)} * ${onEndpoint} ${isActive()})`,
        legend: 'active, at most',
      },
      {
        expression: `sum(${scoped(families.autoscalingLimitMinCu)} * ${onEndpoint} ${isActive()})`,
        legend: 'active, at least',
      },
    ],
  }),
  table({
    title: 'Largest endpoints',
    description: 'The twenty endpoints that may grow largest, in compute units.',
    width: 12,
    labels: endpointColumns,
    values: [
      {
        title: 'Max CU',
        expression: `topk(20, ${perEndpoint(scoped(families.autoscalingLimitMaxCu))})`,
        unit: 'none',
      },
    ],
    sortBy: 'Max CU',
  }),
  table({
    title: 'Disabled endpoints',
    description: 'Endpoints that accept no connections, and whether they use compute nevertheless.',
    width: 12,
    filledBy: 'endpoint disabled',
    labels: endpointColumns,
    values: [
      {
        title: 'Active',
        expression: perEndpoint(`${isActive()} and ${onEndpoint} ${scoped(families.disabled)} == 1`),
        unit: 'none',
        mappings: yesOrNo('orange', 'text'),
      },
    ],
    sortBy: 'Active',
  }),
  table({
    title: 'Idle longest',
    description: 'The twenty endpoints whose last activity is longest ago: forgotten ones can be deleted.',
    width: 12,
    labels: endpointColumns,
    values: [
      {
        title: 'Since activity',
        expression: `topk(20, ${perEndpoint(age(families.lastActiveTimestamp))})`,
        unit: 's',
      },
    ],
    sortBy: 'Since activity',
  }),
];

function timeShare(): string {
  const byState = labelList('by', families.stateSeconds, 'state');
  const seconds = rate(families.stateSeconds);
  return `sum ${byState} (${seconds}) / on () group_left () sum(${seconds})`;
}

export const endpointBoard: Board = {
  uid: 'dbpm-endpoints',
  title: 'DBPM / Endpoints',
  question: [
    '**Which endpoints cost money for nothing?** Those that never suspend, those that wake all the time, those that are larger than they need to be.',
    '',
    'The name of a project leads to its own board, where the states of its endpoints are shown over time.',
  ].join('\n'),
  since: '24h',
  projects: 'many',
  sections: [
    { title: 'At a glance', panels: nowPanels },
    { title: 'States', panels: statePanels },
    { title: 'Sleeping and waking', panels: sleepPanels },
    { title: 'Sizes and leftovers', panels: sizePanels },
  ],
};
