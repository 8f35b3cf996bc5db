import { apiKeyFamilies } from '../../src/resources/api-key.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import { type CatalogLabel, scoped } from './scope.ts';

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

/** Joins samples of the same project. */
export const onProject = labelList('on', projectFamilies.info, 'job', 'instance', 'account', 'project_id');

/** Samples of projects with `project_name`; a value stays what it is, as _info is always 1. */
export function withProjectName(expression: string): string {
  const name = labelList('group_left', projectFamilies.info, 'project_name');
  return `(${expression}) * ${onProject} ${name} ${scoped(projectFamilies.info)}`;
}

/** Samples of API keys with `key_name`. */
function withKeyName(expression: string): string {
  const on = labelList('on', apiKeyFamilies.info, 'job', 'instance', 'account', 'key_id');
  const name = labelList('group_left', apiKeyFamilies.info, 'key_name');
  return `(${expression}) * ${on} ${name} ${scoped(apiKeyFamilies.info)}`;
}

/** One sample a project, with its name, over all exporters that are selected; one for each value of more labels. */
export function perProject(expression: string, ...more: readonly CatalogLabel[]): string {
  return `max ${byProject(...more)} (${withProjectName(expression)})`;
}

/** By projects with their names, and by more labels. */
export function byProject(...more: readonly CatalogLabel[]): string {
  return `by (${['account', 'project_id', 'project_name', ...more].join(', ')})`;
}

/** One sample an endpoint, with the name of its project. */
export function perEndpoint(expression: string): string {
  return perProject(expression, 'endpoint_id');
}

/** One sample an API key, with its name. */
export function perKey(expression: string): string {
  const by = labelList('by', apiKeyFamilies.info, 'account', 'key_id', 'key_name');
  return `max ${by} (${withKeyName(expression)})`;
}
