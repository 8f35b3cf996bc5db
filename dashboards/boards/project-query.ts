import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList, type Metric } from '../promql.ts';
import { scoped } from './scope.ts';

/**
 * The creation time of each project, by samples of now or within a range; a compact page has it at the endpoint that
 * the project came with.
 */
function createdAt(read: (metric: Metric<string>) => string): string {
  const without = labelList('without', endpointFamilies.createdTimestamp, 'endpoint_id');
  const oldestEndpoint = `min ${without} (${read(endpointFamilies.createdTimestamp)})`;
  return `(${read(projectFamilies.createdTimestamp)} or ${oldestEndpoint})`;
}

/** How old each project is, in seconds. */
export const projectAge = `clamp_min(time() - ${createdAt(metric => scoped(metric))}, 0)`;

/** How old each project is that was there within the time range. */
export const projectAgeInRange = `time() - ${createdAt(metric => `max_over_time(${scoped(metric)}[$__range])`)}`;
