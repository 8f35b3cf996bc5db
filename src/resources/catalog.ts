import { type AccountView, accountFamilies } from './account.ts';
import { type ApiKeyView, apiKeyFamilies, apiKeyList } from './api-key.ts';
import { type EndpointView, endpointFamilies, endpointList } from './endpoint.ts';
import type { FamilyGroup, Scope } from './family.ts';
import { operationDurationFamilies, operationFamilies, operationList, operationRoute } from './operation.ts';
import { type ProjectView, projectFamilies, projectList } from './project.ts';
import { accountLabels, apiKeyLabels, endpointLabels, projectLabels } from './scope-label.ts';

const perAccount: Scope<AccountView, AccountView> = {
  labels: accountLabels,
  subjects: account => [account],
  labelValues: account => [account.account],
};

const perProject: Scope<AccountView, ProjectView> = {
  labels: projectLabels,
  subjects: account => account.projects,
  labelValues: project => [project.account, project.project_id],
};

const perEndpoint: Scope<AccountView, EndpointView> = {
  labels: endpointLabels,
  *subjects(account) {
    for (const project of account.projects) yield* project.endpoints;
  },
  labelValues: endpoint => [endpoint.account, endpoint.project_id, endpoint.endpoint_id],
};

const perApiKey: Scope<AccountView, ApiKeyView> = {
  labels: apiKeyLabels,
  subjects: account => account.api_keys,
  labelValues: key => [key.account, key.key_id],
};

/** Every resource that is watched; a new one is a file of its own and a line here. */
export const catalog: readonly FamilyGroup<AccountView, unknown>[] = [
  { ...perAccount, families: accountFamilies },
  { ...perProject, families: projectFamilies },
  { ...perEndpoint, families: endpointFamilies, fedBy: ['endpoints'] },
  { ...perProject, families: operationFamilies, fedBy: ['operations'] },
  { ...perAccount, families: operationDurationFamilies, fedBy: ['operations'] },
  { ...perApiKey, families: apiKeyFamilies, fedBy: ['api_keys'] },
];

/** Everything that is asked of the service, as `route` labels. */
export const requestRoutes = [
  projectList.route,
  apiKeyList.route,
  endpointList.route,
  operationList.route,
  operationRoute,
];
