import { endpointFamilies } from '../../src/resources/endpoint.ts';
import type { Section } from './board.ts';
import { yesOrNo } from './look.ts';
import { onEndpoint, perEndpoint } from './name.ts';
import { timeseries } from './panel.ts';
import { age, scoped } from './scope.ts';
import { isActive } from './state.ts';
import { endpointColumns, table } from './table.ts';

/** Panels on the sizes of endpoints, and on endpoints that were idle for long. */
export const endpointSizeSection: Section = {
  title: 'Sizes and leftovers',
  panels: [
    timeseries({
      title: 'Compute units',
      description:
        'What all endpoints may use at most, what the active ones may use now, and what those use at least. 1 CU is 1 vCPU with 4 GB of RAM.',
      decimals: 1,
      queries: [
        { expression: `sum(${scoped(endpointFamilies.autoscalingLimitMaxCu)})`, legend: 'all, at most' },
        {
          expression: `sum(${scoped(endpointFamilies.autoscalingLimitMaxCu)} * ${onEndpoint} ${isActive()})`,
          legend: 'active, at most',
        },
        {
          expression: `sum(${scoped(endpointFamilies.autoscalingLimitMinCu)} * ${onEndpoint} ${isActive()})`,
          legend: 'active, at least',
        },
      ],
    }),
    table({
      title: 'Largest endpoints',
      description: 'The twenty endpoints that may grow largest, in compute units.',
      labels: endpointColumns,
      values: [
        {
          title: 'Max CU',
          expression: `topk(20, ${perEndpoint(scoped(endpointFamilies.autoscalingLimitMaxCu))})`,
        },
      ],
      sortBy: 'Max CU',
    }),
    table({
      title: 'Idle longest',
      description: 'The twenty endpoints whose last activity is longest ago: forgotten ones can be deleted.',
      width: 24,
      labels: endpointColumns,
      values: [
        {
          title: 'Since activity',
          expression: `topk(20, ${perEndpoint(age(endpointFamilies.lastActiveTimestamp))})`,
          unit: 's',
        },
      ],
      sortBy: 'Since activity',
    }),
  ],
};

export const disabledPanel = table({
  title: 'Disabled endpoints',
  description: 'Endpoints that accept no connections, and whether they use compute nevertheless.',
  filledBy: 'endpoint disabled',
  labels: endpointColumns,
  values: [
    {
      title: 'Active',
      expression: perEndpoint(`${isActive()} and ${onEndpoint} ${scoped(endpointFamilies.disabled)} == 1`),
      mappings: yesOrNo('orange', 'text'),
    },
  ],
  sortBy: 'Active',
});
