import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { toMappings } from './look.ts';
import { scoped } from './scope.ts';
import { table } from './table.ts';

/** Panels on what later versions of the service say of the project; empty where it does not. */
export const projectSettingSection: Section = {
  title: 'Settings and limits',
  panels: [
    table({
      title: 'Auto-suspend',
      description: 'How long each endpoint stays awake after its last use, where the service says so.',
      width: 24,
      height: 5,
      filledBy: 'later service',
      labels: [{ label: 'endpoint_id', title: 'Endpoint' }],
      values: [
        {
          title: 'Suspends after',
          expression: `max ${labelList('by', endpointFamilies.suspendTimeout, 'endpoint_id')} (${scoped(endpointFamilies.suspendTimeout)})`,
          unit: 's',
          mappings: toMappings([
            [-1, 'never', 'orange'],
            [0, 'default of the plan', 'text'],
          ]),
        },
      ],
      sortBy: 'Endpoint',
      ascending: true,
    }),
  ],
};
