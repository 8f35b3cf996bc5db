import { apiKeyFamilies } from '../../src/resources/api-key.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList, type Metric } from '../promql.ts';
import { scoped } from './scope.ts';

/** Joins samples of the same endpoint. */
export const onEndpoint = labelList(
  'on',
  endpointFamilies.info,
  'job',
  'instance',
  'account',
  'project_id',
  'endpoint_id',
);

/** The labels of a sample after a join took some over from another metric. */
export function joined<Left extends string, Right extends string>(
  left: Metric<Left>,
  right: Metric<Right>,
): Metric<Left | Right> {
  return { ...left, labels: [...left.labels, ...right.labels] };
}

/** Samples of projects with `project_name`; a value stays what it is, as _info is always 1. */
export function withProjectName(expression: string): string {
  const on = labelList('on', projectFamilies.info, 'job', 'instance', 'account', 'project_id');
  const name = labelList('group_left', projectFamilies.info, 'project_name');
  return `(${expression}) * ${on} ${name} ${scoped(projectFamilies.info)}`;
}

/** Samples of API keys with `key_name`. */
function withKeyName(expression: string): string {
  const on = labelList('on', apiKeyFamilies.info, 'job', 'instance', 'account', 'key_id');
  const name = labelList('group_left', apiKeyFamilies.info, 'key_name');
  return `(${expression}) * ${on} ${name} ${scoped(apiKeyFamilies.info)}`;
}

/** One sample a project, with its name, over all exporters that are selected. */
export function perProject(expression: string): string {
  const by = labelList('by', projectFamilies.info, 'account', 'project_id', 'project_name');
  return `max ${by} (${withProjectName(expression)})`;
}

/** One sample an endpoint, with the name of its project. */
export function perEndpoint(expression: string): string {
  const metric = joined(endpointFamilies.info, projectFamilies.info);
  const by = labelList('by', metric, 'account', 'project_id', 'project_name', 'endpoint_id');
  return `max ${by} (${withProjectName(expression)})`;
}

/** One sample an API key, with its name. */
export function perKey(expression: string): string {
  const by = labelList('by', apiKeyFamilies.info, 'account', 'key_id', 'key_name');
  return `max ${by} (${withKeyName(expression)})`;
}
